# A side with a single sample is a side: percentages are of it.
printf 'main;a 3\n' >before.folded
printf 'main;a 1\n' >after.folded
profkit flamegraph --diff before.folded after.folded --widths both | grep -o '<title>[^<]*'
