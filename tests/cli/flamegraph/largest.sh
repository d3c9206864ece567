# More than 64 bits together: the boxes end where the picture ends.
printf 'a;b 9223372036854775807\na;c 9223372036854775807\n' >large.folded
profkit flamegraph large.folded | grep -o '<rect x[^y]*'
