# Two recordings: 153 calls of parse instead of 150, which is 2 % more of its instructions and none of fib.
# callgrind_annotate has 5,400 and 5,508 of parse itself, 1,360 of fib on both sides, 9,534 and 9,696 in all.
set -- -q -b "$TESTDATA/callgrind/jumps.out" "$TESTDATA/callgrind/more.out"
status 1 profkit check "$@" --fail 'Ir(parse)>0.5%' --fail 'Ir(fib)>0' --fail 'Ir>0.5%'
profkit check "$@" --fail 'Ir(parse)>2.1%' --fail 'Ir>1.7%'
status 1 profkit check "$@" --fail 'Ir(parse)>1.9%' --fail 'calls(parse)>2' --format csv
status 1 profkit check "$@" --fail 'Ir>1.6%' --format csv
