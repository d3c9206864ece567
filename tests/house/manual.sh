#!/bin/bash
# The manual pages are free of remarks from mandoc, and the completion script is valid
# in every shell that is installed; every option of every command is in both.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
fail() {
    echo "$*"
    failed=1
}

mkdir "$work/man"
"$DOCGEN" man "$work/man" || fail "docgen man"
for shell in bash zsh fish; do
    "$DOCGEN" complete $shell "$work/$shell" || fail "docgen complete $shell"
    if command -v $shell >/dev/null; then
        $shell -n "$work/$shell" || fail "$shell does not accept its completion script"
    fi
done

# The pages refer to each other, which mandoc can only know once they are installed.
if command -v mandoc >/dev/null; then
    remarks=$(mandoc -T lint "$work"/man/* | grep -v 'referenced manual not found')
    [ -z "$remarks" ] || fail "$remarks"
else
    echo "mandoc is not installed: pages not checked"
fi

for command in $(sed -n 's/^PK_COMMAND(\(.*\))$/\1/p' "$srcdir/tools/commands.def"); do
    options=$("$PROFKIT" "$command" --help | grep -oE '(^|[ ,/])--[a-z][a-z-]*' | tr -d ' ,/' | sort -u)
    page=$(sed 's/\\-/-/g; s/\\f[BP]//g' "$work/man/profkit-$command.1")
    for option in $options; do
        grep -qe "$option" <<<"$page" || fail "profkit-$command(1) does not name $option"
        grep -A3 "^    $command[|)]" "$work/bash" | grep -qe "$option\b" ||
            fail "bash completion of $command lacks $option"
    done
    lines=$("$PROFKIT" "$command" --help | wc -l)
    [ "$lines" -le 50 ] || fail "profkit $command --help has $lines lines: no screen"
    "$PROFKIT" "$command" --help | grep -n '.\{81\}' && fail "profkit $command --help: wide lines"
done
exit $failed
