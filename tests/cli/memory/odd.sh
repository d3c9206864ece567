# Meta data of a store that lie about when the peak was, and about sizes.
profkit convert -q "$TESTDATA/memray/all.bin" m.db
say() { # KEY VALUE
    python3 -c "import sqlite3, sys
db = sqlite3.connect('m.db')
db.execute('update string set text = ? where id in (select value from meta where key in '
           '(select id from string where text = ?))', sys.argv[2:0:-1])
db.commit()" "$1" "$2"
}
say 'peak at' '99999999 s'
say 'allocation sizes' '1 to 2: 99999999999999999999 <<<<9, x'
profkit memory -n 1 --by function m.db
profkit memory -o m.svg m.db
