# Files, pipes and signals: all is the same in the sandbox (auto, where there is one) and without.
command -v python3 >/dev/null || {
	echo "no python3"
	exit 77
}
prof=$TESTDATA/example/before.prof
cat >wal.py <<'END'
import os, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("PRAGMA journal_mode = WAL")
db.execute("UPDATE run SET producer = NULL")
db.commit()
if len(sys.argv) > 2:
    db.close()
os._exit(0)
END
# Ctrl-C while it waits for a reader, and while it reads.
interrupted() {
	local waits=$1 pid children i
	shift
	"$PROFKIT" "$@" &
	pid=$!
	[ "$waits" = reading ] && exec 3>pipe
	for ((i = 0; i < 1000; i++)); do
		grep -q '^State:.S' "/proc/$pid/status" && sleep 0.05 && break
		sleep 0.01
	done
	children=$(cat "/proc/$pid/task/$pid/children")
	kill -TERM $pid
	wait $pid ||
	    echo "status $?"
	for child in $children; do
		[ -e "/proc/$child" ] && echo "process $child is left"
	done
	exec 3>&-
}
outputs() {
	mkdir -m 700 folder
	echo old >kept
	chmod 640 kept
	ln -s kept link
	ln -s folder/none dangling
	(umask 027 && profkit hotspots -n 1 --format csv "$prof" -o new)
	for target in kept link dangling folder folder/deep/er kept/x /dev/null /dev/full /dev/stdout - ''; do
		profkit hotspots -n 1 --format csv "$prof" -o "$target" && echo "$target: done"
	done
	mkfifo pipe
	cat pipe >piped &
	profkit hotspots -n 1 --format csv "$prof" -o pipe
	wait $!
	# the size of a folder depends on the file system
	stat -c '%A %F %s %n' ./* folder/* | sed 's/directory [0-9]*/directory/'
	profkit hotspots "$prof" | head -n 1
	profkit hotspots <"$prof" --format csv -n 1 - | cat
	profkit hotspots <(cat "$prof") --format csv -n 1 | tail -n 1
}
stores() {
	ln -s runs.db at.db
	profkit store -q add at.db "$prof"
	chmod 660 runs.db
	python3 ../wal.py runs.db
	cp runs.db copy.db
	cp runs.db-wal copy.db-wal
	profkit hotspots -n 1 --format csv runs.db
	profkit store list --format csv runs.db
	profkit history copy.db --format csv
	profkit store remove copy.db 1
	# In WAL mode, closed: the files beside it are gone.
	cp runs.db closed.db
	python3 ../wal.py closed.db close
	profkit hotspots -n 1 --format csv closed.db
	chmod 440 closed.db
	profkit merge -q closed.db "$prof" -o merged.folded && wc -l <merged.folded
	rm -f merged.folded closed*
	profkit query "$prof" "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
		SELECT i, printf('%0100d', i * 7919 % 50021) AS t FROM n ORDER BY t" | md5sum
	stat -c '%A %n' ./*
}
for sandbox in auto no; do
	export PROFKIT_SANDBOX=$sandbox
	mkdir $sandbox
	cd $sandbox
	outputs >../out.$sandbox 2>&1
	rm -rf ./*
	stores >>../out.$sandbox 2>&1
	rm -f ./*
	mkfifo pipe
	{
		interrupted writing hotspots "$prof" -o pipe
		interrupted reading hotspots pipe -o out
		interrupted reading store add runs.db "$prof" pipe
	} >>../out.$sandbox 2>&1
	ls -A >>../out.$sandbox
	cd ..
done
cat out.no
diff out.no out.auto
