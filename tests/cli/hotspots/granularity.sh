# What is one row: of main, load, parse, work and memcpy, two are in run.py, which calls itself
# and everything else; memcpy has no file.
cat >stacks.txt <<'END'
main (/home/u/app/run.py:1);load (/home/u/app/io/read.py:5) 3
main (/home/u/app/run.py:1);load (/home/u/app/io/read.py:5);parse (/home/u/app/io/text.py:9) 5
main (/home/u/app/run.py:1);work (/home/u/app/run.py:20) 2
main (/home/u/app/run.py:1);work (/home/u/app/run.py:20);memcpy 7
END
for what in function line file module; do
    echo "$what"
    profkit hotspots -f py-spy --granularity $what --format csv stacks.txt | cut -d, -f1-4,8,9
done
echo "paths of files without /home/u/app/"
profkit convert -q -f py-spy --granularity file --trim-path /home/u/app/ --to folded stacks.txt -
# Of a profile that knows callers only: all is in one file, which takes what main does, 135.287 ms.
profkit hotspots --granularity file --trim-path /home/u/ --format csv "$TESTDATA/diff/before.prof" | cut -d, -f1,3,8,9
