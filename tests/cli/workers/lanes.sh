# py-spy has one stack for threads of two processes that have the same number: what one of them did goes on until it
# is sampled again. Process 1 works from 0 to 30 us, process 2 from 10 to 40. Of a command the folder is left out.
{
    for at in 0 10 20 30; do
        pid=$((1 + at / 10 % 2))
        root="{\"args\":{\"filename\":\"\",\"line\":0},\"cat\":\"py-spy\",\"name\":\"process $pid:\\\"/srv/$pid/run -m /a b\\\"\""
        f='{"args":{"filename":"a.py","line":1},"cat":"py-spy","name":"f"'
        where="\"pid\":$pid,\"tid\":7"
        echo "$root,\"ph\":\"B\",$where,\"ts\":$at},$f,\"ph\":\"B\",$where,\"ts\":$at}"
        echo "$f,\"ph\":\"E\",$where,\"ts\":$((at + 10))},$root,\"ph\":\"E\",$where,\"ts\":$((at + 10))}"
    done
} | sed '1s/^/[/; $!s/$/,/; $s/$/]/' >same.json
profkit workers -q same.json | sed -n '1,/^time of all/p'
profkit hotspots --by-worker same.json
profkit info -q same.json | grep '^repair'
# The lanes of a picture: 65 workers are 32 pairs and one alone.
for worker in {1..65}; do
    echo "{\"name\":\"work\",\"ph\":\"X\",\"pid\":$worker,\"tid\":1,\"ts\":0,\"dur\":$((worker == 2 ? 50 : 100))},"
done | sed '1s/^/[/; $s/,$/]/' >many.json
profkit workers -q many.json -o many.svg
sed -n 's/.*class="lane"[^>]*>\([^<]*\).*/\1/p' many.svg | sed -n '1,2p;$p' | head -4
sed -n 's/.*class="lane"[^>]*>\(process (6[0-9]*)[^<]*\).*/\1/p' many.svg
# A lane of three shows what most of them do: of the first three one works to the end, one a half, one a quarter of
# the time.
for worker in {1..129}; do
    echo "{\"name\":\"work\",\"ph\":\"X\",\"pid\":$worker,\"tid\":1,\"ts\":0,\"dur\":$((worker == 2 ? 50 : worker == 3 ? 25 : 100))},"
done | sed '1s/^/[/; $s/,$/]/' >many.json
boxes() { sed -n 's/.*<title>\(.*\)<.title><rect x="\([^"]*\)" width="\([^"]*\)" y="\([0-9]*\)".*/\1: \2 \3 \4/p' "$1"; }
profkit workers -q many.json -o many.svg
boxes many.svg | sed -n 2,4p
# Of 600 changes the means of 300 parts are drawn: one worker has work all the time, another in every other microsecond of the last
# 600 us.
{
    echo '{"name":"work","ph":"X","pid":1,"tid":1,"ts":0,"dur":1200}'
    for i in {0..299}; do echo "{\"name\":\"work\",\"ph\":\"X\",\"pid\":2,\"tid\":1,\"ts\":$((600 + 2 * i)),\"dur\":1}"; done
} | sed '1s/^/[/; $!s/$/,/; $s/$/]/' >steps.json
profkit workers -q steps.json -o steps.svg
sed -n 's/.*<rect x="\([0-9]*\)[^"]*".*<title>\([a-z]*: [0-9.]*\)<.*/\1 \2/p' steps.svg |
    awk '{ n[int($1 / 50) " " $2 " " $3]++ } END { for (i in n) print i, n[i] }' | sort
# Files are put beside each other by when they began.
for rank in 0 3; do
    echo "{\"baseTimeNanoseconds\":1000000000000000000,\"traceEvents\":[
    {\"ph\":\"X\",\"name\":\"work\",\"pid\":$rank,\"tid\":1,\"ts\":${rank}0,\"dur\":60}]}" >rank$rank.json
done
profkit workers -q rank0.json rank3.json | sed -n '1,/^time of all/p'
# A stream that waits does no work, whichever the make of the GPU: of 60 us the ranks have kernels for 30 and 60.
for make in cuda xpu; do
    for rank in 0 1; do
        echo "{\"schemaVersion\":1,\"deviceProperties\":[],\"distributedInfo\":{\"rank\":$rank},\"traceEvents\":[
        {\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":10,\"dur\":$((30 + 30 * rank))},
        {\"ph\":\"X\",\"cat\":\"${make}_sync\",\"name\":\"Stream Sync\",\"pid\":0,\"tid\":7,\"ts\":$((50 + 30 * rank)),\"dur\":20}]}" >$make$rank.json
    done
    profkit workers -q "$make"0.json "$make"1.json | sed -n '1,/^time of all/p'
done
