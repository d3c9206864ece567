# What is wrong with a rule is shown with its place.
cp "$TESTDATA/example/before.prof" a.prof
while IFS= read -r rule; do
    profkit check --baseline a.prof a.prof --fail "$rule" && echo "accepted: $rule"
done <<'RULES'
speed>5%
total
total>
total>-5%
total>ten%
total>5%,6%
total>5%,1ms,2ms
total>5 parsecs
total>99999999999999999999
self(>5%
self()>5%
self(re:()>5%
self(parse>5%
calls>5ms
memory>5ms
total>5%>6%
new
>5%
self(parse) 5%
line(app.py:0)>1
line(app.py:4294967296)>1
RULES
# one of more than 200 bytes is not repeated
for digits in 192 193; do
    status 2 profkit check --baseline a.prof a.prof --fail "$(printf 'self(%0*d>5%%' $digits 0)"
done
status 2 profkit check --baseline a.prof a.prof --ignore 're:['
status 2 profkit check --baseline a.prof a.prof --ignore ' '
printf 'total>5%%  # fine\n\n# a remark\nignore re:^x\nself>\n' >rules.txt
status 2 profkit check --baseline a.prof a.prof --rules rules.txt
status 2 profkit check --baseline a.prof a.prof --rules none.txt
printf 'total>5%%\0\n' >zero.txt
status 2 profkit check --baseline a.prof a.prof --rules zero.txt
status 2 profkit check --baseline a.prof a.prof --report pdf=x.pdf
profkit check --baseline a.prof a.prof --report junit=
