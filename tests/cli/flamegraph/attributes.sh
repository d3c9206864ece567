# Without a link there is no target. A quote in a value does not end the attribute; letters beyond ASCII are references, whatever the encoding.
printf "f\ttarget=_top\tclass=c\tg_extra=x='say \"\303\244\"'\n" >attributes
echo 'main;f 5' >x.folded
profkit flamegraph --nameattr attributes x.folded | grep -o '<g[^>]* x=[^>]*>'
