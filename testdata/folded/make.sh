#!/bin/bash
# Makes the fixtures of this folder: every one is written out here.
set -e
cd "$(dirname "$0")"

printf '%s\n' 'java;read;check_events_[k];hypercall_page_[k] 1' 'java;start_thread;GC::run 5' \
	'java;start_thread;Interpreter_[j];Loop:.run_[j];Loop:.step_[i] 118' \
	'java;write;sys_write_[k] 3' 'swapper;[unknown];- 2' >annotations.folded

# The same paths again and again, not sorted.
printf '%s\n' 'b;c 1' 'a;b;c 2' 'a 3' 'b;c 4' 'a;b 5' 'a;b;c 6' 'c 7' 'a;b;d 8' 'b 0' >merged.folded

printf '%s\n' 'cksum;main;cksum 31.23' 'cksum;cksum 6.' 'cksum;main 19.0' 'noploop 2.567' \
	'noploop;main 274' 'noploop;main 0.000000001' 'noploop;x 0.12345678987' >fractions.folded

# As difffolded.pl writes them.
printf '%s\n' 'dd;read;sys_read_[k] 6 4' 'dd;write 0 12' 'dd;read 11 15' 'dd;gone 7 0' \
	'dd;read 0.5 1' >two-columns.folded

# Names that end in a number: two counts in some lines only.
printf '%s\n' 'start;worker 12 400' 'start;worker 13 1' 'start;worker 12 5' 'start;main 7' \
	'start;main;f 1 2 3' >numbers.folded
printf '%s\n' 'a;b 1 2' 'a;b 3 4 5' 'a;c 6 7' >three-columns.folded

printf 'main;f 1\r\nmain;g 2\r\nmain;f\t3\nmain;g \t 4  \t\n\n  \nmain;h 5' >blanks.folded

printf '%s\n' '# made by hand 12' '#' '' 'a;b 1' '#m;x 2' '# c' 'a 3' >comments.folded

printf '%s\n' 'a;;b 1' 'a; 2' ';a 3' '; 4' ' 5' ';;a 6' 'a;;b 7' 'a;  8' >empty-frames.folded

printf '%s\n' 'a;b 9007199254740993' 'a;c 9223372036854775807' 'a;d 9223372036854775808' \
	'a;d 1' 'a;e 0000000000000000000012' >large-counts.folded

printf '%s\n' 'main 12' 'parse_[k] 3' >one-frame.folded

# async-profiler -t: threads as first frames; others that only look like one.
printf '%s\n' '[main tid=12];java/lang/Thread.run_[j];Foo.bar_[1] 3' '[pool-1 [x] tid=13];Foo.bar_[0] 4' \
	'[tid=14];Foo.bar 5' '[unknown];a 6' '[x tid=];a 7' '[main tid=12] 8' >threads.folded

printf 'a</script>;"q";\x27;<b>&amp; 1\n\x1b[31mred;\x07;\x7f 2\nd\xc3\xa9j\xc3\xa0;\xe6\xbc\xa2;\xff\xfe 3\n=1+1;-x;@y 4\n%%s%%n;C:\\a 5\n' >names.folded

# A stack of 201 frames, as recursion makes it.
{
	printf 'main'
	for ((i = 0; i < 100; i++)); do printf ';even;odd'; done
	printf ' 7\nmain;even 1\n'
} >recursion.folded

text='main;d\xc3\xa9j\xc3\xa0 1\nmain;\xe6\xbc\xa2 2\n'
printf "$text" | iconv -f UTF-8 -t UTF-16LE |
	{ printf '\xff\xfe'; cat; } >utf-16-le.txt
printf "$text" | iconv -f UTF-8 -t UTF-16BE | { printf '\xfe\xff'; cat; } >utf-16-be.txt
printf "\\xef\\xbb\\xbf$text" >utf-8-mark.txt

printf '%s\n' 'a;b 1' 'a;c 2' 'THIS IS A BAD LINE' 'a;d -3' 'a;d 1e3' 'a;d .5' 'a;d 4' 'a;e 5' \
	'a;f 6' 'a;g 7' 'a;h 8' >bad-lines.folded

cd bad
: >empty.folded
printf '# nothing 1\n\n' >comments.folded
printf 'a\nb;c\n' >no-counts.folded
printf 'a;b\0c 1\na;b 2\nx\n' >zero-byte.folded
printf 'a;b 99999999999999999999\na;b 0.0000000001\nx\n' >repairs.folded
