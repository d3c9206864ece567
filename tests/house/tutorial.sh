#!/bin/bash
# The commands in the tutorial of profkit-workers(1) print what it says.
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cp "$TESTDATA"/workers/recorded/* "$work" && cd "$work" || exit 99
chmod u+w ./*
"$PROFKIT" help workers | sed -n '/^TUTORIAL$/,/^[A-Z]/{/^TUTORIAL$/d; p}' | sed '/^[A-Z]/,$d' >tutorial
[ -s tutorial ] || exit 1
failed=0 count=0

# The lines after line $1, which are as far to the right, without empty ones at the end.
expected() {
    tail -n "+$(($1 + 1))" tutorial | sed '/^ \{0,7\}[^ ]/,$d; /^        \$ /,$d; s/^        //' |
        sed -e :a -e '/^\n*$/{$d; N; ba' -e '}'
}

while IFS=: read -r line command; do
    printed=$("$PROFKIT" ${command#*profkit } 2>&1) # its words have no blanks
    count=$((count + 1))
    if [ "$printed" != "$(expected "$line")" ]; then
        echo "the tutorial has other output of: $command"
        diff <(expected "$line") <(echo "$printed")
        failed=1
    fi
done < <(grep -n '^        \$ profkit ' tutorial)
echo "$count commands"
[ $count -ge 5 ] || failed=1
exit $failed
