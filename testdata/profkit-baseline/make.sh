#!/bin/bash
# Makes all files here again.
cd "$(dirname "$0")" || exit 1

cat >runs.baseline <<'END'
{"profkit": "baseline", "version":1,"runs":3,"producer":"cProfile","command":"app.py --fast","host":"Linux x86_64","metrics":[{"name":"time","unit":"ns","kind":"time","exactness":"exact"},{"name":"memory","unit":"bytes","kind":"bytes","exactness":"exact"}]}
{"function":"len","kind":"builtin","calls":[7,7,8],"self":[30,31,29],"total":[30,31,29]}
{"function":"main","module":"app","file":"app/main.py","line":3,"kind":"python","calls":1,"primitive_calls":1,"self":[100,110,90],"total":[1000,1110,950]}
{"function":"main","module":"app","file":"app/main.py","line":3,"kind":"python","metric":2,"self":[4096,4096,4096],"total":[8192,8192,8192]}
{"function":"odd \"name\";\u0001\u00e9<x>","file":"app/\u202eodd.py","calls":2,"self":[870,null,831],"total":[870,null,831]}
END
cat >sampled.baseline <<'END'
{"profkit": "baseline", "version":1,"runs":1,"period":10000000,"metrics":[{"name":"time","unit":"us","exponent":3,"kind":"time","exactness":"sampled"}]}
{"function":"a","self":[500],"later":{"kept":["for","later"]}}
{"function":"","self":[5],"total":[7]}
END
cat >nothing.baseline <<'END'
{"profkit": "baseline", "version":1,"runs":2,"metrics":[{"name":"calls","unit":"count","kind":"count","exactness":"exact"}]}
END

bad() { # NAME HEADER [LINE]
    { printf '{"profkit": "baseline", %s}\n' "$2" && printf '%s\n' "${@:3}"; } >"bad/$1.baseline"
}
metrics='"metrics":[{"name":"time","unit":"ns","kind":"time"}]'
bad newer "\"version\":2,\"runs\":1,$metrics"
bad no-runs "$metrics"
bad many-runs "\"runs\":1001,$metrics"
bad no-metrics '"runs":1'
bad kind '"runs":1,"metrics":[{"name":"time","unit":"ns","kind":"speed"}]'
bad metric-twice '"runs":1,"metrics":[{"name":"a","unit":"b"},{"name":"a","unit":"b"}]'
bad fewer "\"runs\":2,$metrics" '{"function":"f","self":[1]}'
bad more "\"runs\":1,$metrics" '{"function":"f","self":[1,2]}'
bad number-for-list "\"runs\":2,$metrics" '{"function":"f","self":1}'
bad no-self "\"runs\":1,$metrics" '{"function":"f","calls":1}'
bad nan "\"runs\":1,$metrics" '{"function":"f","self":[NaN]}'
bad fraction "\"runs\":1,$metrics" '{"function":"f","self":[1.5]}'
bad large "\"runs\":1,$metrics" '{"function":"f","self":[99999999999999999999]}'
bad other-metric "\"runs\":1,$metrics" '{"function":"f","metric":2,"self":[1]}'
bad list "\"runs\":1,$metrics" '[1]'
bad cut "\"runs\":1,$metrics" '{"function":"f","self":[1]'
