#!/bin/sh
# The page of `report` is opened, scrolled, dragged, zoomed and searched in all views: no task of it takes 50 ms of processor
# time. A machine that is slow for a moment has four tries. Skipped where there is no node or no Chromium (CHROMIUM names another one).
browser=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)}
if [ -z "$browser" ] || ! command -v node >/dev/null; then
    echo "skipped: no chromium, or no node"
    exit 77
fi
export CHROMIUM="$browser"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# 5,280 spans of 4 threads in 1,760 call paths.
awk 'BEGIN {
    printf "{\"traceEvents\": ["
    for (i = 0; i < 480; i++)
        for (k = 0; k <= 10; k++)
            printf "%s{\"ph\": \"X\", \"pid\": 1, \"tid\": %d, \"ts\": %d, \"dur\": %d, \"name\": \"f%d\"}\n", i + k ? "," : "",
                i % 4, 500 * i + 40 * k, k ? 30 : 500, k ? (i * 7 + k) % 300 : i % 160
    print "]}"
}' >"$work/spans.json"
"$PROFKIT" report -q -o "$work/page.html" "$work/spans.json" || exit 1
ulimit -S -v unlimited # node reserves more addresses than a limit of memory allows
for _ in 1 2 3 4; do
    node "${srcdir:-.}/bench/report_frames.js" "$work/page.html" >"$work/tasks" 2>&1 && exit
done
cat "$work/tasks"
exit 1
