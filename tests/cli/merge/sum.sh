cp "$TESTDATA/example/orders.folded" x.folded
profkit merge -o sum.folded x.folded x.folded x.folded
profkit hotspots --format csv -n 2 x.folded | cut -d , -f 1,8,9
profkit hotspots --format csv -n 2 sum.folded | cut -d , -f 1,8,9
profkit merge --to folded -o - x.folded x.folded | head -n 3
