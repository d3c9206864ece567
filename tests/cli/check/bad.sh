# Baselines that cannot be used.
cp "$TESTDATA/example/before.prof" a.prof
printf 'main;work 10\nmain;other 5\n' >b.folded
printf 'start;run 10\n' >c.folded
: >empty
profkit check a.prof || echo "status $?"
profkit check --baseline none.prof a.prof || echo "status $?"
profkit check --baseline empty a.prof || echo "status $?"
profkit check --baseline a.prof b.folded || echo "status $?"
profkit check --baseline b.folded c.folded || echo "status $?"
profkit check --baseline b.folded || echo "status $?"
profkit check --baseline a.prof a.prof --fail 'total>5MB' || echo "status $?"
profkit check --baseline a.prof a.prof --fail 'self(nobody)>5%' || echo "status $?"
echo 'self(nobody)>5%' >rules
profkit check --baseline a.prof a.prof --rules rules --format csv; echo "status $?"
profkit check --strict --baseline a.prof a.prof --rules rules || echo "status $?"
profkit check --strict --baseline b.folded b.folded --fail 'calls>5' || echo "status $?"
