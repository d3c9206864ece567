# More calls of all functions are blamed on the caller that is called more often itself; a caller is named if it makes 80 % of the
# additional calls.
run() { # CALLS OF load, CALLS OF read BY once
    cat <<END
events: Ir
fn=main
1 10
cfn=once
calls=1 4
1 5
cfn=load
calls=$1 2
1 $(($1 * 30))
fn=once
4 5
cfn=read
calls=$2 3
4 $(($2 * 10))
fn=load
2 $(($1 * 10))
cfn=read
calls=$(($1 * 2)) 3
2 $(($1 * 20))
fn=read
3 $(($1 * 20 + $2 * 10))
END
}
run 10 40 >before.out
run 20 40 >after.out
status 1 profkit check --fail 'calls>1%' --baseline before.out after.out
echo == 20 of 25, 20 of 26, and 30 more less 20
run 20 45 >most.out
run 20 46 >few.out
run 25 20 >moved.out
for after in most few moved; do
    profkit diff -q -m calls --format csv before.out $after.out | grep read
done
