# A function that a run does not have is null in a baseline, although the function before has a value.
printf 'a;f 5\na;g 7\n' >1.folded
printf 'a;f 6\n' >2.folded
printf 'a;f 6\na;h 3\n' >3.folded
profkit check -q --baseline x.baseline --update-baseline 1.folded 2.folded 3.folded
sed 1d x.baseline
