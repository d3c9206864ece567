# A lane for each worker: 30 of 40 and 10 of 40 are useful; two for 10, one for 20, none at first. Of many
# workers several share a lane, so that the picture is bounded. Sums alone are drawn side by side.
cat >two.json <<'END'
[{"name":"process_name","ph":"M","pid":2,"tid":2,"args":{"name":"ForkPoolWorker-1"}},
{"name":"process_name","ph":"M","pid":3,"tid":3,"args":{"name":"ForkPoolWorker-2"}},
{"name":"process_name","ph":"M","pid":1,"tid":1,"args":{"name":"MainProcess"}},
{"name":"main","ph":"X","pid":1,"tid":1,"ts":0,"dur":10},
{"name":"work","ph":"X","pid":2,"tid":2,"ts":10,"dur":30},
{"name":"work","ph":"X","pid":3,"tid":3,"ts":10,"dur":10}]
END
profkit workers two.json -o two.svg
sed -n 's/.*<title>\([^<]*\).*fill="\(#[^"]*\)".*/\1 \2/p; s/.*class="\(lane\|process\)"[^>]*>\([^<]*\).*/\1 \2/p
    s/.*id="\(title\|subtitle\)"[^>]*>\([^<]*\).*/\1 \2/p' two.svg
sed -n 's/.*fill="\([^"]*\)"><title>\([^<]*\).*/\2 \1/p' two.svg
# The parent is drawn wherever it stands among those that are no workers.
sed '1s/\[/&{"name":"process_name","ph":"M","pid":0,"tid":9,"args":{"name":"Logger"}},{"name":"log","ph":"X","pid":0,"tid":9,"ts":0,"dur":5},/' two.json >helper.json
profkit workers --workers Fork --main MainProcess helper.json -o helper.svg
sed -n 's/.*class="lane"[^>]*>\([^<]*\).*/\1/p' helper.svg
for worker in {1..500}; do
    echo "{\"name\":\"work\",\"ph\":\"X\",\"pid\":$worker,\"tid\":1,\"ts\":$worker,\"dur\":1000},"
done | sed '1s/^/[/; $s/,$/]/' >many.json
profkit workers many.json -o many.svg
grep -c 'class="lane"' many.svg
sed -n 's/.*class="lane"[^>]*>\([^<]*\).*/\1/p' many.svg | head -n 2
[ "$(wc -c <many.svg)" -lt 200000 ] && echo bounded
printf 'process 1:"a";f (x.py:1) 30\nprocess 2:"b";f (x.py:1) 10\n' >sums.folded
profkit workers -f py-spy sums.folded -o sums.svg
sed -n 's/.*id="subtitle"[^>]*>\([^<]*\).*/\1/p; s/.*class="lane"[^>]*>\([^<]*\).*/\1/p' sums.svg
for picture in two sums; do grep -o 'data-unit="[a-z]*"\|dx="3">[^<]*' $picture.svg | head -n 3; done
printf 'f 30\n' | profkit workers - -o none.svg
