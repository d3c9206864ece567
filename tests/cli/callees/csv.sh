profkit callees --format csv main "$TESTDATA/example/before.prof"
