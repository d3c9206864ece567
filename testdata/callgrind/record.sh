#!/bin/sh
# Records parse.c with callgrind in the current folder (valgrind, gcc). The costs are those of main, or of the
# threads, and of what they call, so that the files are small.
set -e
source=$(realpath "$(dirname "$0")")
cat >parse.h <<'END'
/* Is inlined into its callers, so that callgrind.out changes the file within a function. */
static inline __attribute__((always_inline)) unsigned next_digit(const char **at)
{
	unsigned digit = (unsigned)(**at - '0');

	++*at;
	return digit;
}
END
gcc -O1 -g -I. -fdebug-prefix-map="$source"=/src -fdebug-prefix-map="$PWD"=/src -pthread "$source/parse.c" -o parse
record() {
	out=$1
	shift
	valgrind -q --tool=callgrind --callgrind-out-file="$out" "$@" ./parse
}
record plain.out --toggle-collect=main
record jumps.out --toggle-collect=work --dump-instr=yes --collect-jumps=yes
record cache.out --toggle-collect=work --cache-sim=yes --branch-sim=yes --compress-strings=no --compress-pos=no
record levels.out --toggle-collect=work --separate-recs=3 --separate-callers=2
record threads.out --toggle-collect=work --separate-threads=yes --combine-dumps=yes --dump-before=main --dump-after=work
# The same with one call of parse in fifty more.
sed 's/(i + 1) \* 50/(i + 1) * 51/' "$source/parse.c" >parse.c
gcc -O1 -g -I. -fdebug-prefix-map="$PWD"=/src -pthread parse.c -o parse
record more.out --toggle-collect=work --dump-instr=yes --collect-jumps=yes
