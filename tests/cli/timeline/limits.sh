# What does not fit. Of 102 threads the two with the least time are left out, with three spans; with 99 threads of
# four rows and one of ten, four rows of 100 threads are 400; 30 of 31 counters are drawn.
{
    for thread in {1..102}; do
        for depth in 1 2 3 4; do
            [ $thread -gt 2 ] || [ $depth -le $thread ] || continue
            echo "{\"ph\":\"X\",\"pid\":1,\"tid\":$thread,\"ts\":0,\"dur\":$((thread * 10 - depth)),\"name\":\"f\"}"
        done
    done
    for depth in {5..10}; do
        echo "{\"ph\":\"X\",\"pid\":1,\"tid\":50,\"ts\":0,\"dur\":$((500 - depth)),\"name\":\"f\"}"
    done
    for counter in {1..31}; do
        echo "{\"ph\":\"C\",\"pid\":1,\"ts\":1,\"name\":\"c$counter\",\"args\":{\"value\":1}}"
    done
} | sed '1s/^/[/; $!s/$/,/; $s/$/]/' >many.json
profkit timeline many.json -o many.svg
grep -o 'class="foot".*' many.svg
grep -c 'class="lane"' many.svg
# 65 spans of 5 us in 100 threads are 13,000 boxes. The least width grows from 1,295 us / 1,180 by halves to 5,556
# ns, at which two of them are joined (three are wider than three times this).
for thread in {1..100}; do
    for i in {0..129}; do echo "{\"ph\":\"X\",\"pid\":1,\"tid\":$thread,\"ts\":$((i * 10)),\"dur\":5,\"name\":\"f\"}"; done
done | sed '1s/^/[/; $!s/$/,/; $s/$/]/' >boxes.json
profkit timeline boxes.json -o boxes.svg
grep -o 'class="foot".*' boxes.svg
grep -c '<title>2 x f (10,000 ns' boxes.svg
# 2,000 marks: two become one. 2,000 areas of two series: four values become one, and the last until the next
# four.
{
    echo '{"ph":"X","pid":1,"tid":1,"ts":0,"dur":1000,"name":"f"}'
    for i in {0..999}; do
        echo "{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":$i,\"name\":\"m\",\"s\":\"t\"}"
        echo "{\"ph\":\"i\",\"pid\":1,\"tid\":2,\"ts\":$i,\"name\":\"m\",\"s\":\"t\"}"
        echo "{\"ph\":\"C\",\"pid\":1,\"ts\":$i,\"name\":\"c\",\"args\":{\"a\":$((1 + i % 4)),\"b\":$((5 - i % 2))}}"
    done
} | sed '1s/^/[/; $!s/$/,/; $s/$/]/' >marks.json
profkit timeline marks.json -o marks.svg
grep -o '<title>m and.*<.title>' marks.svg | uniq -c
sed -n '/crispEdges/,/<.svg>/p' marks.svg >areas
grep -c '<rect' areas
sed -n '2,5p' areas
