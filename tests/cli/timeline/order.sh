# Lanes are where descriptors of tracks want them, with what these say of them.
"$PROFKIT" timeline -o - "$TESTDATA/perfetto/order.pftrace" | sed -n 's/.*<text class="\(lane\|process\)"[^>]*>\(.*\)<\/text>/\1 \2/p'
