# The rules that apply if none is given: no failure for calls, small changes, or a function of a faster program.
run() { # FILE WORK HELPER CALLS
    printf '{"profkit": "baseline","version":1,"runs":1,"metrics":[{"name":"instructions","unit":"count","kind":"count","exactness":"exact"}]}\n' >"$1"
    printf '{"function":"main","file":"a.c","line":1,"calls":1,"self":[100]}\n' >>"$1"
    printf '{"function":"work","file":"a.c","line":9,"calls":%d,"self":[%d]}\n' "$4" "$2" >>"$1"
    printf '{"function":"helper","file":"a.c","line":20,"calls":1,"self":[%d]}\n' "$3" >>"$1"
}
run before.json 1000 10 10
run calls.json 1000 10 11
run faster.json 800 60 10
run slower.json 1000 60 10
run little.json 1000 15 10
check() {
    profkit check -q -b before.json "$@" --format csv >out.csv && echo "status 0" || echo "status $?"
    cut -d, -f1-5,11- out.csv | tail -n +2
}
echo "-- one call more"
check calls.json
check calls.json --fail 'calls>0'
echo "-- a function is slower, the whole is faster"
check faster.json
check faster.json --fail 'self>1%'
check slower.json
echo "-- less than 1 % of the whole"
check little.json
check little.json --min-change 0.1
check little.json --fail 'self(helper)>5%'
check slower.json --min-change 5
