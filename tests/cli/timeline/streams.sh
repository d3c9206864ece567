# 64 streams of a GPU: one lane each, by number, however the file orders them; the picture stays small.
awk 'BEGIN {
    print "{\"deviceProperties\": [{\"id\": 0}], \"traceEvents\": ["
    for (i = 0; i < 6400; i++)
        printf "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k%d\",\"pid\":0,\"tid\":%d,\"ts\":%d,\"dur\":%d,\"args\":{\"stream\":%d}},\n", i % 9, i * 37 % 64 + 7, i * 10, 300 + i % 300, i * 37 % 64 + 7
    print "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":0,\"args\":{\"name\":\"GPU 0\"}}]}"
}' >many.json
profkit timeline many.json -o many.svg
grep -o '>\(thread\|stream\)[^<]*</text>' many.svg | grep -o '[0-9]*' | tr '\n' ' '
echo
[ "$(wc -c <many.svg)" -lt 1500000 ] && echo small
