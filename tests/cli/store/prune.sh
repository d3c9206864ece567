# Old runs are removed: all but the last ones, of each branch or label, by age, of some runs only.
labels() { profkit store list "$1" --format csv | cut -d , -f 1,2 | tail -n +2 | tr '\n' ' '; echo; }
make() {
	rm -f runs.db
	for i in 1 2 3 4 5 6; do
		printf 'main;f %d\n' $i >$i.folded
		profkit store add -q runs.db $i.folded --label run$((i % 4)) --meta branch=$([ $((i % 2)) = 1 ] && echo main || echo dev)
	done
	profkit store add -q runs.db 1.folded --label none
}
make
labels runs.db
profkit store prune runs.db --keep 2 --dry-run --format csv | cut -d , -f 1,2
labels runs.db
profkit store prune runs.db --keep 2
labels runs.db
profkit store add runs.db 1.folded
make
profkit store prune runs.db --keep 1 --per branch
labels runs.db
make
profkit store prune runs.db --keep 1 --per label
labels runs.db
make
profkit store prune runs.db --keep 1 branch=main run0
labels runs.db
profkit store prune runs.db --keep 100
# By age: folded stacks do not say when they began.
profkit store prune runs.db --older-than 1d
profkit store add -q runs.db "$TESTDATA/torch/gpu.json" --label old
profkit store prune runs.db --older-than 100000d
profkit store prune runs.db --older-than 1h --keep 1
profkit store prune runs.db --older-than 1h
labels runs.db
for bad in "--keep 0" "--keep x" "" "--older-than 3" "--older-than 3m" "--older-than d" "--older-than -1d" "--keep 1 nothing"; do
	profkit store prune runs.db $bad || echo "status $?: $bad"
done
status 2 profkit store prune
status 2 profkit store prune nothing.db --keep 1
labels runs.db
# A key that is misspelt would make one group of all runs; --per without --keep would keep none.
status 2 profkit store prune runs.db --keep 1 --per brnach
status 2 profkit store prune runs.db --older-than 1h --per branch
labels runs.db
