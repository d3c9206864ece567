# Colors beside the words: with --color, and not without a terminal.
cd "$TESTDATA/diff" || exit
check() { profkit check -q --strict "$@" || :; }
escapes() { grep -c "$(printf '\033')" || :; }
profkit diff --color always before.prof slower.prof | tail -n +5
profkit diff --color always --view tree before.prof slower.prof | tail -n 1
profkit diff slower.prof before.prof | escapes
check --color always -b before.prof slower.prof | head -n 1
check --color always -b before.prof slower.prof | grep 'total>'
check --color always -b slower.prof before.prof | grep 'pass'
check -b slower.prof before.prof | escapes
