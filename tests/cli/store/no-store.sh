# SQLite files that are not profkit's, and stores of a later profkit.
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
sql other.db 'CREATE TABLE a(x)'
status 2 profkit info other.db
status 2 profkit store add other.db "$TESTDATA/example/before.prof"
profkit convert -q "$TESTDATA/example/before.prof" new.db
sql new.db 'PRAGMA user_version = 9'
status 2 profkit info new.db
status 2 profkit store add new.db "$TESTDATA/example/before.prof"
head -c 5000 new.db >cut.db
profkit info cut.db
