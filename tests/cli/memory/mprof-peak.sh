# What mprof peak prints of its files; of others there is nothing to print.
cd "$TESTDATA/mprof"
profkit memory --like mprof-peak children.dat marked.dat
profkit memory --like mprof-peak --func __main__.recurse marked.dat children.dat
profkit memory --like mprof-peak --func __main__.temporary marked.dat
profkit memory --like mprof-peak --func recurse marked.dat
status 2 profkit memory --func main marked.dat
status 2 profkit memory --like mprof-peak ../memray/all.bin
