# Two graphs as one, with gprof2dot's numbers: new, gone, slower, faster.
cd "$TESTDATA/diff" || exit
show() {
    grep -v '^.\(graph\|node\|edge\) ' | sed 's/ arrowsize="[^"]*",//; s/, fontcolor="[^"]*"//; s/, fontsize="[^"]*"//'
}
profkit callgraph --compare before.prof slower.prof | show
profkit callgraph --diff before.prof --no-legend moved.prof | show
profkit callgraph --diff renamed.prof --no-legend --map price_of_row=price before.prof | show
profkit callgraph --compare before.prof gone.prof --no-legend --compare-only-faster -c safe | show
profkit callgraph --compare before.prof faster.prof --no-legend --compare-color-by-difference \
    --compare-tolerance 0.1 | show
profkit callgraph --diff before.prof --no-legend --root parse elsewhere.prof | show
profkit callgraph --compare before.prof || echo "status $?"
profkit callgraph --compare before.prof before.folded || echo "status $?"
