# Nothing to draw: a picture that says so, status 2; what is there already stays.
: >empty.folded
profkit flamegraph empty.folded || echo "status $?"
echo 'a;b 0' >zero.folded
profkit flamegraph zero.folded -o new.svg || echo "status $?"
grep -c 'ERROR: No valid input' new.svg
echo mine >old.svg
profkit flamegraph zero.folded -o old.svg || echo "status $?"
cat old.svg
profkit flamegraph missing.folded || echo "status $?"
# What was freed has no width.
printf 'CMDLINE python freed.py\nMEM 60.000000 100.0000\nFUNC __main__.main 60.0000 100.0000 20.0000 103.0000\nMEM 20.000000 103.0000\n' >below.dat
status 2 profkit flamegraph -q -m increment below.dat -o below.svg
