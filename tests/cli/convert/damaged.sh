# An output that was there stays as it was when the input cannot be read.
echo precious >out.json
head -c 500 "$TESTDATA/example/before.prof" >cut.prof
profkit convert cut.prof -o out.json || echo $?
profkit convert "$TESTDATA/example/before.prof" cut.prof -o out.json || echo $?
cat out.json
ls
