cp "$TESTDATA/example/orders.folded" x.folded
profkit convert x.folded x.folded.gz
profkit convert x.folded.gz x.json.zst
head -c 4 x.json.zst | od -An -tx1
gzip -dc x.folded.gz | cmp - <(profkit convert --to folded x.folded -)
profkit convert - --to folded <x.folded.gz | cmp - <(gzip -dc x.folded.gz)
