profkit callees main "$TESTDATA/example/before.prof"
