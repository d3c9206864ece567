# Repairs are said once each; --strict makes them errors; the output is then left as it was.
printf 'a;b 1\na;c\na;b 2\nx\na;d 99999999999999999999\na;e 1\na;f 1\n' >in.folded
profkit convert in.folded out.folded
cat out.folded
echo kept >out.folded
profkit convert --strict in.folded -o out.folded || echo $?
cat out.folded
