# If something cannot be shown, a line says so, with status 2.
profkit store add -q runs.db "$TESTDATA/example/orders.folded"
fails() {
    status 2 profkit history "$@" 2>&1
}
fails
fails runs.db no_such_function
fails runs.db re:.
fails runs.db 're:('
fails runs.db a b
fails runs.db -m calls
fails runs.db -m bytes
fails nothing.db
