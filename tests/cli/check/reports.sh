# All reports of one check; names of functions contain the special characters of every notation.
cat >before.folded <<'END'
main;<script>alert(1)</script>&"' 10
main;a%0A::error::x,b:c 10
main;]]>  | `x` \ * 10
main;work 100
END
sed 's/ 10$/ 5000/' before.folded >after.folded
printf 'main;\001\033[31mred\r\302\205 5000\n' >>after.folded
profkit check -q --baseline before.folded after.folded --strict --fail 'new>2%' \
    --fail 'self>5%,10' --fail 'total>5%' \
    --report github=github.txt --report gitlab=gitlab.json --report junit=junit.xml \
    --report sarif=sarif.json --report csv=x.csv --report html=x.html --report markdown=x.md || echo "status $?"
for f in github.txt gitlab.json junit.xml sarif.json x.csv x.html x.md; do
    echo "== $f"
    sed '1,/<div id="static">/{/^<!DOC/,/<div id="static">/d};/^<footer>/,$d' $f
done
grep -o '"rules":\[\[.*\]\]},"graphs' x.html
grep -o '"command":"profkit [^"]*"' x.html
