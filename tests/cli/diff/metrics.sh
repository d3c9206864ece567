# If metrics differ in their names, those of one unit are compared, unless one counts what another metric measures.
elapsed() { # UNIT: m.db, whose time has another name
    rm -f m.db
    profkit convert -q "$TESTDATA/example/before.prof" m.db
    sql m.db "insert into string (run, id, text) select 1, max(id) + 1, 'elapsed' from string;
        update metric set name = (select max(id) from string);
        insert into string (run, id, text) select 1, max(id) + 1, '$1' from string;
        update metric set unit = (select max(id) from string)"
}
elapsed ns
profkit diff -n 1 m.db "$TESTDATA/example/after.prof"
sql m.db "insert into metric select run, 2, unit, unit, exponent, kind, exactness, aggregate, 1, period from metric"
status 2 profkit diff -m elapsed m.db "$TESTDATA/example/after.prof"
elapsed us
status 2 profkit diff "$TESTDATA/example/after.prof" m.db
