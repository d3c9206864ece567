#!/bin/bash
# Every command in README.md prints what README.md says, and every format has its row.
# The line in which pstats dates a file is passed over.
set -u
srcdir=${srcdir:-$(dirname "$0")/..}
srcdir=$(cd "$srcdir" && pwd)
profkit=$(cd "$(dirname "${PROFKIT:-./profkit}")" && pwd)/profkit
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cp "$srcdir"/testdata/example/*.* "$srcdir"/testdata/workers/recorded/* "$work" && cd "$work" || exit 99
chmod u+w ./*
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

for format in $(profkit formats --format csv | tail -n +2 | cut -d, -f1); do
    if ! grep -q "^| \`$format\` |" "$srcdir/README.md"; then
        echo "README.md has no row for the format $format"
        failed=1
    fi
done
[ $count -gt 5 ] || failed=1
exit $failed
