#!/bin/sh
# The scripts of flame graphs and timelines in a real browser: a flame graph standing alone, as an
# icicle, and twice inside a page; a timeline; a call graph. Skipped where there is no Chromium (CHROMIUM names another one).
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
browser=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)}
[ -n "$browser" ] || {
    echo "skipped: no chromium"
    exit 77
}
cat >"$work/stacks.folded" <<'EOS'
main;idle 19
main;idle;open 20
main;idle;<b>&"c 1
main;work 10
main;work;load (/usr/lib/x.py:3) 15
main;work;load (/usr/lib/x.py:3);open 5
main;work;sort 30
EOS
# picture NAME OPTIONS: a picture with the test in it
picture() {
    name=$1
    shift
    "$PROFKIT" flamegraph "$@" "$work/stacks.folded" >"$work/plain.svg" || exit 1
    {
        sed '$d' "$work/plain.svg"
        echo '<script><![CDATA['
        cat "${srcdir:-.}/tests/writers/flamegraph_browser.js"
        echo ']]></script></svg>'
    } >"$work/$name.svg"
}
picture alone
picture icicle --inverted
{
    echo '<!DOCTYPE html><meta charset="utf-8"><title>page</title><body style="overflow-y:scroll">'
    sed 1d "$work/plain.svg"
    sed 1d "$work/plain.svg"
    echo '<script>'
    cat "${srcdir:-.}/tests/writers/flamegraph_browser.js"
    echo '</script>'
} >"$work/page.html"

# The timeline, with the test in it.
"$PROFKIT" timeline "$TESTDATA/speedscope/evented.speedscope.json" >"$work/plain.svg" || exit 1
{
    sed '$d' "$work/plain.svg"
    echo '<script><![CDATA['
    cat "${srcdir:-.}/tests/writers/timeline_browser.js"
    echo ']]></script></svg>'
} >"$work/timeline.svg"

# A flame graph higher than the window opens at its roots, an icicle at its top.
awk 'BEGIN { for (i = 0; i < 80; i++) s = s ";f" i; print "main" s " 1" }' >"$work/tall.folded"
for kind in tall tall-inverted; do
    "$PROFKIT" flamegraph $(echo $kind | sed 's/^tall-*//;s/^i/--i/') "$work/tall.folded" >"$work/plain.svg" || exit 1
    {
        sed '$d' "$work/plain.svg"
        cat <<'EOS'
<desc id="results"></desc><script><![CDATA[
var all = document.documentElement.scrollHeight - innerHeight;
var room = /inverted/.test(location.pathname) ? scrollY : all - scrollY;
document.querySelector('#results').textContent =
	'\n' + (room < 1 && all > 500 ? '' : 'not ') + 'ok opens at the roots\n';
]]></script></svg>
EOS
    } >"$work/$kind.svg"
done

# 1,000 spans of 1 us in a second are joined, and shown one by one where there is room.
{
    echo '[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":1000000,"name":"main"}'
    awk 'BEGIN { for (i = 0; i < 1000; i++)
        printf ",{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":1,\"name\":\"<f%d>\"}\n", 500000 + 2 * i, i % 2 }'
    echo ']'
} >"$work/spans.json"
"$PROFKIT" timeline "$work/spans.json" >"$work/plain.svg" || exit 1
{
    sed '$d' "$work/plain.svg"
    cat <<'EOS'
<desc id="results"></desc><script><![CDATA[
var joined = document.querySelectorAll('[data-s]'), out = [''];
var shown = Array.from(document.querySelectorAll('.true'));
function check(what, is, should) {
	out.push((is === should ? 'ok ' : 'not ok ' + is + ', not ' + should + ': ') + what);
}
check('joined', joined.length > 0, true);
check('its spans are shown', shown[0].textContent, '<f0> (1.000 us)<f0>');
check('only those in sight', shown.length > 8 && shown.length < 14, true);
check('the box is not', getComputedStyle(shown[0].parentNode.children[1]).display, 'none');
var r = shown[1].children[1].getBoundingClientRect(), s = shown[2].children[1].getBoundingClientRect();
check('where they were', Math.abs(s.left - r.left - 2 * r.width) < 0.1, true);
document.querySelector('#results').textContent = out.join('\n') + '\n';
]]></script></svg>
EOS
} >"$work/spans.svg"

# The call graph, wider than the window.
{
    printf 'main;f1;<b>&"c 5\n'
    seq -f 'main;f%.0f 3' 40
} >"$work/wide.folded"
"$PROFKIT" callgraph "$work/wide.folded" --to svg >"$work/plain.svg" || exit 1
{
    sed '$d' "$work/plain.svg"
    echo '<script><![CDATA['
    cat "${srcdir:-.}/tests/writers/callgraph_browser.js"
    echo ']]></script></svg>'
} >"$work/callgraph.svg"

# dom FILE: what the browser makes of it
dom() {
    timeout 1800 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --user-data-dir="$work/profile" --window-size=1000,400 \
        --dump-dom "file://$work/$1" 2>"$work/messages"
}
echo '<p>here' >"$work/simple.html"
dom simple.html | grep -q '<p>here' || {
    echo "skipped: $browser does not run here"
    exit 77
}
failed=0
for file in alone.svg icicle.svg page.html timeline.svg callgraph.svg tall.svg tall-inverted.svg spans.svg#v=50,0.002; do
    dom $file | sed -n '/id="results"/,/<.desc>/s/^\(not \)*ok /&/p' >"$work/results"
    grep -v '^ok' "$work/results" && failed=1
    count=$(grep -c '^ok' "$work/results")
    echo "$file: $count passed"
    least=30
    [ $file = timeline.svg ] && least=23
    [ $file = callgraph.svg ] && least=12
    case $file in
    tall*) least=1 ;;
    spans*) least=5 ;;
    esac
    [ "$count" -ge $least ] || {
        echo "fewer than there are"
        failed=1
    }
done
exit $failed
