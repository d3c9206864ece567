profkit convert "$TESTDATA/example/before.prof" x.speedscope.json --focus nosuchfunction
ls
