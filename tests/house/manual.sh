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
    "$DOCGEN" complete $shell "$TESTDATA/../man/completion.$shell" "$work/$shell" || fail "docgen complete $shell"
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

# What commands print as JSON is described in profkit-output(5); keys of evidence are free.
page=$(sed 's/\\-/-/g' "$work/man/profkit-output.5")
documented() {
    local keys key
    keys=$("$PROFKIT" "$@" -q --format json | sed 's/"evidence": {.*}/"evidence": {}/' |
        grep -o '"[a-z_A-Z]*":' | tr -d '":' | sort -u)
    [ -n "$keys" ] || fail "profkit $*: no keys"
    for key in $keys; do
        grep -qF "\\fB$key\\fP" <<<"$page" || fail "profkit $*: '$key' is not in profkit-output(5)"
    done
}
before=$TESTDATA/example/before.prof after=$TESTDATA/example/after.prof
pool=$TESTDATA/workers/chunks.json torch=$TESTDATA/torch/gpu.json
"$PROFKIT" store add -q "$work/runs.db" "$before" "$after"
documented callers parse "$before"
documented callgraph --list-functions '*' "$before"
documented check --baseline "$before" "$before"
documented diff "$before" "$after"
documented diff --view tree "$before" "$after"
documented formats
documented formats folded pstats
documented history "$work/runs.db"
documented hotspots --by-worker --stats "$TESTDATA/speedscope/evented.speedscope.json"
documented info "$TESTDATA/perf-script/default.perf"
documented gpu "$TESTDATA"/torch/rank[01].json
documented gpu --view memory "$torch"
for view in overlap idle kernels launches queue copies communication ranks sequences; do
    documented gpu --view $view "$TESTDATA"/torch/rank[01].json
done
documented ops --by-stack 5 "$torch"
documented store list "$work/runs.db"
documented summary "$torch"
documented tree "$before"
documented workers "$pool"
documented workers --functions "$pool"
documented workers --scaling "$pool=2" "$pool=4"

for command in $(sed -n 's/^PK_COMMAND(\(.*\))$/\1/p' "$srcdir/tools/commands.def"); do
    options=$("$PROFKIT" "$command" --help | grep -oE '(^|[ ,/])--[a-z][a-z-]*' | tr -d ' ,/' | sort -u)
    page=$(sed 's/\\-/-/g; s/\\f[BP]//g' "$work/man/profkit-$command.1")
    for option in $options; do
        grep -qe "$option" <<<"$page" || fail "profkit-$command(1) does not name $option"
        grep -A3 "^    $command[|)]" "$work/bash" | grep -qe "$option\b" ||
            fail "bash completion of $command lacks $option"
    done
    lines=$("$PROFKIT" "$command" --help | wc -l)
    [ "$lines" -le 52 ] || fail "profkit $command --help has $lines lines: no screen"
    "$PROFKIT" "$command" --help | grep -n '.\{81\}' && fail "profkit $command --help: wide lines"
done

# The columns that are offered for --sort can be sorted by; formats and metrics are offered, too.
offered() {
    sed -n "/^    $1[|)]/,/^        ;;/s/^        --$2\b.*words='\(.*\)'.*/\1/p" "$work/bash"
}
for command in hotspots tree callers callees diff ops; do
    case $command in
    call*) operands=(parse "$before") ;;
    diff) operands=("$before" "$after") ;;
    ops) operands=("$torch") ;;
    *) operands=("$before") ;;
    esac
    columns=$(offered $command sort)
    [ -n "$columns" ] || fail "completion of $command --sort: no columns"
    for column in $columns; do
        "$PROFKIT" $command -q --sort "$column" "${operands[@]}" >/dev/null ||
            fail "completion offers $command --sort $column"
    done
done
grep -q '\bcalls\b' <<<"$(offered hotspots metric)" || fail "completion of --metric"
for option in to format; do
    grep -q '\bfolded .*\bparquet\b' <<<"$(offered convert $option)" || fail "completion of convert --$option"
done
completed() { # WORD...: what bash offers for the last one
    bash -c 'source "$0"; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _profkit; echo "${COMPREPLY[@]}"' "$work/bash" "$@"
}
[ "$(completed profkit store r)" = remove ] || fail "completion of store r"
[ "$(cd "$work" && completed profkit mcp --root ma)" = man ] || fail "completion of mcp --root"
grep -qF "{-t+,--to=}'[" "$work/zsh" || fail "zsh completion of --to=FORMAT"
grep -qF -- "--diff=[" "$work/zsh" || fail "zsh completion of --diff"
if command -v fish >/dev/null; then
    offered_by_fish() { # LINE: what fish offers for its last word
        fish -N -c "source '$work/fish'; complete -C '$1'" | cut -f1
    }
    [ "$(offered_by_fish 'profkit --ver')" = --version ] || fail "fish completion of --ver"
    [ "$(offered_by_fish 'profkit convert --to=fo')" = --to=folded ] || fail "fish completion of --to=fo"
    [ "$(cd "$TESTDATA/example" && offered_by_fish 'profkit flamegraph --diff be')" = before.prof ] ||
        fail "fish completion of --diff"
fi
[ -z "$(completed profkit store add r)" ] || fail "completion of store add"
grep -q "'1:action:(add .*)' '\*:file:_files'" "$work/zsh" || fail "zsh completion of store: files after the action"
grep -q "from store; and not __fish_seen_subcommand_from add .*-f -a 'add " "$work/fish" || fail "fish completion of store"
exit $failed
