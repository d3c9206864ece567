#!/bin/bash
# Every command in README.md prints what README.md says, and every format has its row.
# The line in which pstats dates a file is passed over.
set -u
srcdir=${srcdir:-$(dirname "$0")/../..}
srcdir=$(cd "$srcdir" && pwd)
profkit=$(cd "$(dirname "${PROFKIT:-./profkit}")" && pwd)/profkit
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cp "$srcdir"/testdata/example/*.* "$srcdir"/testdata/workers/recorded/* "$work" && cd "$work" || exit 99
mkdir traces && cp "$srcdir"/testdata/torch/rank[01].json traces || exit 99
cp "$srcdir"/testdata/mprof/marked.dat memory.dat
chmod -R u+w .
failed=0 count=0

# The block after "$ COMMAND", to the end of the code block.
expected() {
    awk -v n="$1" '/^```console/ { b++; next } /^```/ { if (b == n) exit; next } b == n' \
        "$srcdir/README.md" | tail -n +2
}

undated() {
    sed -E 's/^[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9]{2} .{13}    /DATE    /'
}

profkit() {
    "$profkit" "$@"
}

while IFS= read -r command; do
    count=$((count + 1))
    case $command in
    *"| dot "*) command -v dot >/dev/null || continue ;;
    esac
    printed=$(eval "$command" 2>/dev/null | undated)
    if [ "$printed" != "$(expected $count | undated)" ]; then
        echo "README.md has other output of: $command"
        diff <(expected $count | undated) <(echo "$printed")
        failed=1
    fi
done < <(grep -A1 '^```console' "$srcdir/README.md" | sed -n 's/^\$ //p')

# The table of formats says what profkit does.
row='"format": "(.*)", "read": (.*), "written": (.*), "suffixes": .*, "title": "(.*)", "sometimes": .*'
profkit formats --format json |
    sed -nE "s/^ *\{$row\},?\$/| \`\1\` | \2 | \3 | \4 |/p" |
    sed -E 's/ null /  /g; s/ "[^"|]*" / yes /g' >rows
if ! [ -s rows ] || ! diff <(grep -E '^\| `[a-z0-9-]*` \| *(yes)? *\| *(yes)? *\|' "$srcdir/README.md") rows; then
    echo "README.md has another table of formats"
    failed=1
fi
[ $count -gt 5 ] || failed=1
exit $failed
