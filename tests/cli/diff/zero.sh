# A function that is new or gone without a cost of its own has not changed what is compared; counts change
# by one or more, however many there are.
program() { printf 'events: Ir\nfn=main\n1 %s\ncalls=1 1\n1 1000000\nfn=work\n1 1000000\n' "$1"; }
program 5 | sed 's/^calls/cfn=work\n&/' >before.out
{ program 6 | sed 's/^calls/cfn=helper\n&/' && printf 'fn=helper\n1 0\ncfn=work\ncalls=1 1\n1 1000000\n'; } >after.out
profkit diff before.out after.out
profkit diff --no-changed before.out after.out | tail -n 3
profkit diff --measure total before.out after.out | grep helper
