# A quote in a value does not end the attribute.
printf "f\tg_extra=x='say \"a\"'\n" >attributes
echo 'main;f 5' >x.folded
profkit flamegraph --nameattr attributes x.folded | grep -o '<g[^>]* x=[^>]*>'
