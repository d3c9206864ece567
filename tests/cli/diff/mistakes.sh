# Wrong usage and inputs that cannot be compared: status 2 and a reason.
cd "$TESTDATA/diff" || exit
try() {
    "$@" 2>&1 ||
        echo "status $?"
}
try profkit diff before.prof
try profkit diff before.prof slower.prof faster.prof
try profkit diff before.prof -- 
try profkit diff before.prof other.prof
try profkit diff before.prof before.folded
try profkit diff -m nothing before.prof slower.prof
try profkit diff --sort nothing before.prof slower.prof
try profkit diff --map nothing before.prof slower.prof
try profkit diff --map 're:(=x' before.prof slower.prof
try profkit diff --match '(' before.prof slower.prof
try profkit diff before.prof nowhere.prof
try profkit diff -m calls before.folded after.folded
try profkit diff --normalize <(echo 'a 0') <(echo 'a 1') 2>&1 | sed "s|'/dev/fd/[0-9]*'|FILE|"
