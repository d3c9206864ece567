# Unknown times count nowhere; the rest is drawn.
profkit callgraph "$TESTDATA/pstats/not-finite.prof" 2>/dev/null | grep -o '100%[^"]*'
