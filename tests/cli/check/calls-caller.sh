# More calls of all functions are blamed on the caller that is called more often itself.
run() { # CALLS OF load
    cat <<END
events: Ir
fn=main
1 10
cfn=load
calls=$1 2
1 $(($1 * 30))
cfn=once
calls=1 4
1 5
fn=load
2 $(($1 * 10))
cfn=read
calls=$(($1 * 2)) 3
2 $(($1 * 20))
fn=read
3 $(($1 * 20))
fn=once
4 5
END
}
run 10 >before.out
run 20 >after.out
status 1 profkit check --fail "calls>1%" --baseline before.out after.out
