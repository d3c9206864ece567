# Rules as they may be written; none is broken by a run compared with itself.
cp "$TESTDATA/example/before.prof" a.prof
profkit check -q --baseline a.prof a.prof --format csv \
    --fail ' total > 5 % ' --fail 'total>50ms' --fail 'total>5%,50ms' --fail 'total(main)>1.5%' \
    --fail 'self(re:^orders\.)>10%' --fail 'calls(main)>0' --fail 'new>2%' \
    --fail 'self(re:(a|b)>)>1s' --fail 'calls(price_of)>10%,5' |
    cut -d, -f1-3
status 2 profkit check -q --baseline a.prof a.prof --fail 'memory>5%'
# A regular expression finds a function by its module, whatever folder that is in.
printf 'f (/srv/app/db.c:3) 100\ng (/srv/app/db.c:9) 100\n' >before.txt
profkit check -q -f py-spy --baseline before.txt before.txt --fail 'self(re:^db\.f$)>10%' --format csv | cut -d, -f1-3
