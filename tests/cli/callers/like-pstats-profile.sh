cd "$TESTDATA/pstats"
profkit callers --like pstats profile-py311.prof
profkit callees --like pstats --strip-dirs mixed-callers.prof
