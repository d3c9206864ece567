# A pair of functions is one call edge, from however many lines and whatever is called in between.
cat >calls.callgrind <<'END'
# callgrind format
events: Ir
fn=main
1 10
cfn=f
calls=1 5
2 3
cfn=g
calls=1 7
3 4
cfn=f
calls=2 5
4 6
cfn=main
calls=1 1
5 0
fn=f
5 9
cfn=g
calls=1 7
6 1
fn=g
7 5
END
profkit info calls.callgrind | grep "^edges"
