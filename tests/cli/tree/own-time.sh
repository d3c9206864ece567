# What a thread does is no part of the call that starts it: callgrind says how much that took. The function with which the thread
# begins is a root, so that main has what it has in the table.
cat >callgrind.out.1 <<'END'
version: 1
creator: callgrind-3.22
events: Ir

fn=main
1 10
cfn=start
calls=1 2
1 30

fn=start
2 25
cfn=clone
calls=1 3
2 5

fn=clone
3 5
cfn=work
calls=1 4
3 900

fn=work
4 900
END
profkit tree callgrind.out.1
profkit hotspots --sort total callgrind.out.1
