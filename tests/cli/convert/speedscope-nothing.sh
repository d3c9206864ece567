status 2 profkit convert "$TESTDATA/example/before.prof" x.speedscope.json --focus nosuchfunction
ls
