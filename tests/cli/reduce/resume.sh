# A command that was killed goes on from what it had saved, with the bytes of one that was not: pipes at the end hold it up
# until it has saved.
mkdir runs
for i in 1 2 3 4 5 6 7 8; do
	printf "main;parse $i\nmain;write;send $((i * i % 7))\n" >runs/$i.folded
done
cp runs/3.folded runs/copy.folded
echo 'How these were recorded' >runs/NOTES
profkit reduce -q -o whole.db runs
# It saves after a second, which passes while it is stopped, so that it has not read all files by then.
mkdir many
for i in $(seq 2000); do
	printf "main;parse $i\nmain;write;send $((i * i % 7))\n" >many/$i.folded
done
profkit reduce -q -o all.db many
"$PROFKIT" reduce -q -j 1 --resume -o part.db many &
pid=$!
until [ -e part.db.resume ]; do
	sleep 0.03
	kill -STOP $pid
	sleep 1.1
	kill -CONT $pid
done
{ kill -9 $pid && wait $pid || true; } 2>wait.log # where bash says "Killed"
ls part.db*
profkit reduce --resume -o part.db many 2>said
sed 's/has [0-9]* of/has N of/' said >&2
cmp all.db part.db
# a file that has changed since; the sum is saved as well if a file cannot be read
head -c 900 "$TESTDATA/example/before.prof" >runs/cut.prof
status 2 profkit reduce --strict --resume -o part.db runs
cp -p runs/1.folded 1
echo 'main;parse 100' >runs/1.folded
status 2 profkit reduce --strict --resume -o part.db runs
cp -p 1 runs/1.folded
rm part.db.resume runs/cut.prof
# a pipe would be added again
mkfifo pipe
status 2 profkit reduce --resume -o part.db runs/1.folded pipe
status 2 profkit reduce --resume -o part.db runs/2.folded - <runs/1.folded
profkit reduce -q --resume -o part.db runs
cmp whole.db part.db
ls part.db*

# What cannot be read with --strict is mended, and the rest is not read again.
head -c 900 "$TESTDATA/example/before.prof" >runs/cut.prof
status 2 profkit reduce --strict --resume -o part.db runs
status 2 profkit reduce --resume -o part.db runs
status 2 profkit reduce --strict --focus main --resume -o part.db runs
mv runs/8.folded .
status 2 profkit reduce --strict --resume -o part.db runs
mv 8.folded runs
rm runs/cut.prof
profkit reduce --strict --resume -o part.db runs
cmp whole.db part.db
ls part.db*

# The output and what is saved may be in the folder.
rm runs/NOTES
head -c 900 "$TESTDATA/example/before.prof" >runs/cut.prof
status 2 profkit reduce --strict --resume -o runs/part.db runs
rm runs/cut.prof
profkit reduce --strict --resume -o runs/part.db runs
profkit reduce --strict -q --resume -o runs/part.db runs
cmp whole.db runs/part.db

# Parts, and what is none.
profkit reduce -q -o a.db runs/[1-4].folded
profkit reduce -q -o b.db runs/[5-8].folded
mkdir parts && mv a.db b.db parts
profkit merge --resume -o part.db parts
cmp whole.db part.db
status 2 profkit merge --resume -o sum.folded runs/1.folded runs/2.folded
status 2 profkit reduce --resume -o - runs
cp runs/1.folded part.db.resume
status 2 profkit reduce --resume -o part.db runs
cmp runs/1.folded part.db.resume
for foreign in 'how it was made' ''; do
	echo "$foreign" >part.db.resume
	status 2 profkit reduce --resume -o part.db runs
	echo "$foreign" | cmp - part.db.resume
done
