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
