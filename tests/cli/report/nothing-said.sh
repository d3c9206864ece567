# Views that would say nothing are left out: workers whose time is not known.
view() { profkit report --no-sandbox "$@" 2>/dev/null | grep -o '"view":"workers"' || echo none; }
profkit workers "$TESTDATA/scalene/shapes.json" 2>/dev/null | grep -A1 not_enough_data
view "$TESTDATA/scalene/shapes.json"
echo 'main;work 30' >a.folded
echo 'main;work 60' >b.folded
view a.folded b.folded
