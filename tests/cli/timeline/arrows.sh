# More arrows than people can tell apart: some from all of the time.
{
    echo '['
    for i in {0..999}; do
        echo "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":$((i * 100)),\"dur\":60,\"name\":\"launch\"},"
        echo "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":$((i * 100 + 20)),\"dur\":50,\"name\":\"kernel\"},"
        echo "{\"ph\":\"s\",\"pid\":1,\"tid\":1,\"ts\":$((i * 100 + 1)),\"id\":$i,\"name\":\"a\"},"
        echo "{\"ph\":\"f\",\"pid\":1,\"tid\":2,\"ts\":$((i * 100 + 21)),\"id\":$i,\"name\":\"a\",\"bp\":\"e\"},"
    done
} >trace.json
profkit timeline --flows trace.json -o trace.svg
sed -n 's/.*class="flow" x1="\([0-9]*\).*/\1/p' trace.svg >x
wc -l <x
awk '{ n[int($1 / 20)]++ } END { for (i = 0; i < 5; i++) print n[i] }' x
grep -o '[0-9,]* arrows.*' trace.svg
