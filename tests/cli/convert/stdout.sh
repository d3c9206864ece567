cd "$TESTDATA/example" || exit
profkit convert -q --to folded orders.folded - | sort >"$OLDPWD/a"
profkit convert -q --to folded orders.folded | sort | cmp - "$OLDPWD/a"
profkit convert -q orders.folded --to folded -o - | sort | cmp - "$OLDPWD/a"
profkit convert -q orders.folded -o - --to folded | sort | cmp - "$OLDPWD/a"
sort orders.folded | cmp - "$OLDPWD/a"
profkit convert - --to folded <orders.folded | sort | cmp - "$OLDPWD/a"
