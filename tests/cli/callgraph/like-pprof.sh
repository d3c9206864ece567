# As go tool pprof -dot writes it: tests/peers/peer_pprof_like.py compares.
profkit callgraph --like pprof "$TESTDATA/pprof/heap.pb.gz" -n 4
echo == filters, lines, thresholds
profkit callgraph --like pprof "$TESTDATA/pprof/cpu.pb.gz" --focus main --granularity line --node-thres 20 --edge-thres 10
echo == short names, as pprof has them
while IFS= read -r name; do
    printf 'main;%s 10\n' "$name"
done >names.folded <<'NAMES'
java.util.concurrent.Executor.run(Task)
java.lang.Foo$Bar.<init>
a.b.C.d$1
demo::detail::Parser::~Parser
Foo::Bar::baz
github.com/x/y/v2/z.(*T).M
github.com/x/v1.F
/abs/x.y
x/.y
plain
main.f[...]
q"uo\te
NAMES
profkit callgraph --like pprof -q names.folded --node-thres 0 | awk -F'"' '/^N[0-9]+ .label=/ { print $2 }'
echo == mistakes
status 2 profkit callgraph --like pprof names.folded -o x.svg
status 2 profkit callgraph --like pprof names.folded --root main
status 2 profkit callgraph --like pprof names.folded -n 10%
echo == arrows that are left out, which pprof does not say
printf 'main;a 100\nmain;b;a 1\nb 50\n' >small.folded
profkit callgraph --like pprof --edge-thres 5 small.folded | grep -c -- '->'
