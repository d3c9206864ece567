# A baseline made, looked at, compared with, lowered.
unit() { sed 's/"host":"[^"]*"/"host":"HOST"/'; }
runs() { # FILE SLOW
    for i in 0 1 2 3 4 5; do
        printf '{"profkit": "baseline","version":1,"runs":1,"metrics":[{"name":"instructions","unit":"count","kind":"count","exactness":"exact"}]}\n' >"$1$i.baseline"
        printf '{"function":"main","file":"a.c","line":1,"calls":1,"self":[100]}\n' >>"$1$i.baseline"
        printf '{"function":"work","file":"a.c","line":9,"calls":%d,"self":[%d]}\n' "$3" "$2" >>"$1$i.baseline"
    done
}
runs old 1000 10
runs new 1000 10
runs slow 1020 10
runs fast 900 9
profkit check --baseline b.baseline --update-baseline old[0-4].baseline; echo "status $?"
unit <b.baseline
profkit check -q --baseline b.baseline new*.baseline; echo "status $?"
profkit check -q --baseline b.baseline slow*.baseline || echo "status $?"
profkit check -q --baseline b.baseline --ratchet slow*.baseline >/dev/null || echo "status $?"
unit <b.baseline | md5sum
profkit check --baseline b.baseline --ratchet fast*.baseline; echo "status $?"
unit <b.baseline
profkit check -q --baseline b.baseline --ratchet old*.baseline || echo "status $?"
profkit check --baseline b.baseline --baseline c.baseline --update-baseline old0.baseline || echo "status $?"
profkit check --baseline - --ratchet old0.baseline <old0.baseline || echo "status $?"
