# Several files of a side: means of files that give a mean only, also against files that give single values, whose mean counts then;
# values of all files otherwise, warm-ups left out.
means() { # FILE NAME MEAN...: as hyperfine exports CSV
    echo command,mean,stddev,median,user,system,min,max >"$1"
    for ((i = 2; i < $#; i += 2)); do
        j=$((i + 1))
        echo "${!i},${!j},0.1,${!j},1,0.5,${!j},${!j}" >>"$1"
    done
}
shown() { # TITLE, and files
    echo "== $1"
    shift
    profkit diff -q --sort name --format csv "$@" | cut -d, -f 1,5-8,14
}
means b1.csv both 1 gone 5
means b2.csv both 3
means b3.csv both 8 gone 8
means a1.csv both 4 new 2
means a2.csv both 4 new 4
shown 'three against two' b1.csv b2.csv b3.csv -- a1.csv a2.csv
cat >times.json <<'END'
{"results": [{"command": "both", "mean": 2, "stddev": 1.7, "median": 1, "user": 1, "system": 0, "min": 1, "max": 4,
 "times": [1, 1, 4], "exit_codes": [0, 0, 0]},
 {"command": "new", "mean": 6, "stddev": 1, "median": 5, "user": 1, "system": 0, "min": 5, "max": 8, "times": [5, 5, 8],
 "exit_codes": [0, 0, 0]}]}
END
shown 'a mean against single values' b1.csv times.json
shown 'single values of both' times.json times.json -- times.json
go() { # FILE VALUE...
    local file=$1 value
    shift
    for value; do echo "BenchmarkA 1 $value ns/op"; done >"$file"
}
go b1.txt 100 101 102 101 100 102 101 103
go b2.txt 110 111 112 111 110 112 111 113
go a1.txt 120 121 122 121 120 122 121 123
go a2.txt 113 114 115 114 113 115 114 116
echo '== each file is a process of its own'
profkit diff -q --format csv b1.txt b2.txt -- a1.txt a2.txt | cut -d, -f 1,5-8,11-14
cat b2.txt >>b1.txt
cat a2.txt >>a1.txt
profkit diff -q --format csv b1.txt a1.txt | cut -d, -f 1,5-8,11-14
echo '== without warm-ups'
profkit diff -q --format csv "$TESTDATA"/pyperf/suite.json "$TESTDATA"/pyperf/suite-after.json | cut -d, -f 1,5-8,11-14
