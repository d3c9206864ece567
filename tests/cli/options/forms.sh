# All forms of options, in any order with operands, say the same.
cd "$TESTDATA/example" || exit
profkit hotspots --format csv --limit 3 --reverse before.prof >"$OLDPWD/want"
cd "$OLDPWD" || exit
f=$TESTDATA/example/before.prof
profkit hotspots "$f" --limit=3 --format=csv --reverse | cmp want
profkit hotspots -rn3 "$f" --format csv | cmp want
profkit hotspots -rn 3 --format csv -- "$f" | cmp want
profkit hotspots -vqr "$f" -n 7 -n 3 --format json --format csv | cmp want
profkit hotspots --no-reverse --reverse -n3 --format csv "$f" | cmp want
profkit hotspots -r --no-reverse --reverse=yes -n3 --format csv "$f" | cmp want
profkit top -rn3 --format csv "$f" | cmp want
wc -l <want
