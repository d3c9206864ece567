# Rules as they may be written; none is broken by a run compared with itself.
cp "$TESTDATA/example/before.prof" a.prof
profkit check -q --baseline a.prof a.prof --format csv \
    --fail ' total > 5 % ' --fail 'total>50ms' --fail 'total>5%,50ms' --fail 'total(main)>1.5%' \
    --fail 'self(re:^orders\.)>10%' --fail 'calls(main)>0' --fail 'new>2%' \
    --fail 'memory>5%' --fail 'self(re:(a|b)>)>1s' --fail 'calls(price_of)>10%,5' |
    cut -d, -f1-3
