#!/bin/bash
# Makes the fixtures of this folder: texts as perf script prints them, written by hand.
cd "$(dirname "$0")" || exit 1
mkdir -p bad

# frame ADDRESS TEXT: a frame line.
frame()
{
	printf '\t%16s %s\n' "$1" "$2"
}

{
	for i in 1 2 3; do
		echo "work  4711 [00$i]   618.65368$i:    1001001 cpu-clock: "
		frame ffffffff821f4dab 'clear_page_erms+0xb ([kernel.kallsyms])'
		frame 1204 'fib+0xc (/srv/work)'
		frame 1221 'fib+0x29 (/srv/work)'
		frame 1381 'main+0x73 (/srv/work)'
		frame 2724a '__libc_start_call_main+0x7a (/usr/lib/libc.so.6)'
		echo
		echo "work  4711 [00$i]   618.65468$i:    1001001 cpu-clock: "
		frame 1208 'fib+0x10 (/srv/work)'
		frame 1381 'main+0x73 (/srv/work)'
		frame 2724a '__libc_start_call_main+0x7a (/usr/lib/libc.so.6)'
		echo
	done
} >default.perf

{
	echo 'work  4711   620.811837:          1      page-faults: '
	frame 1204 'touch+0xc (/srv/work)'
	echo
	echo 'work  4711   620.811937:     250000 cpu-clock:uhH: '
	frame 1304 'spin+0xc (/srv/work)'
	echo
	echo 'work  4711   620.812037:          3      page-faults: '
	frame 1204 'touch+0xc (/srv/work)'
	echo
	echo 'work  4711   620.812137:     raw_syscalls:sys_enter: NR 12 (0, 7ffc2c21997c, 0, 37f, 0, 0)'
	frame ffffffff81417511 '__traceiter_sys_enter+0x31 ([kernel.kallsyms])'
	frame 1fc47 'brk+0x7 (/usr/lib/ld-linux-x86-64.so.2)'
	echo
	echo 'work  4711   620.812237: sched:sched_switch: prev_comm=work prev_pid=4711 prev_state=S ==> next_comm=sh next_pid=12'
	echo 'work  4711   620.812337:          1 cpu/event=0x3c,umask=0x0/: '
	frame 1304 'spin+0xc (/srv/work)'
	echo
} >events.perf

{
	tid=4711
	for comm in 'two words' 'x: y;z' '12345' '(paren) q' 'a 123 [001]' 'trailing ' 'a/b:c' $'tab\there' \
		'1 2.000000: x' ':4720' 'swapper/0' '[kworker]'; do
		printf '%s %5d [000]   625.226909:    5025125 cpu-clock: \n' "$comm" "$((tid++))"
		frame 1176 'burn+0x1d (/srv/comm)'
		echo
	done
} >comms.perf

{
	echo 'work  4711/4712  [000] U       618.653688123:    1001001 cpu-clock: '
	frame 1204 'fib (/srv/work)'
	echo
	echo 'work 4711/4712    [001] 2026-11-21 00:02:54.580162   618.654688:    3344481 cpu-clock: '
	frame 1204 'fib (/srv/work)'
	echo
	echo ' 4711   618.655688: cpu-clock: '
	frame 1204 'fib (/srv/work)'
	echo
	echo '  618.656688: cpu-clock: '
	frame 1204 'fib'
	echo
	echo 'work 4711   618.657688: '
	frame 1204 ''
	echo
	echo 'work 4711 [002]   618.658688:          1      page-faults:     557081f76050 __TMC_END__+0x0 (/srv/work)'
	frame 1204 'fib (/srv/work+0x1204)'
	echo
} >fields.perf

{
	echo '    work  4711   0   574.279223:          7 cycles: '
	frame 1204 'fib+0xc (/srv/work)'
	echo
	echo 'longname  4712  11 d.h1   574.279323:          7 cycles: '
	frame 1204 'fib+0xc (/srv/work)'
	echo
} >latency.perf

{
	echo '            work 14228   567.860047:    2004008 cpu-clock:      55df279781a9 cmp+0x0 (/srv/work)'
	echo '            work 14228   567.862058:    2004008 cpu-clock:  ffffffff9b201293 [unknown] ([unknown])'
	echo '           ab 12 14228   567.864066:    2004008 cpu-clock:      7f367a610bfb [unknown] (/usr/lib/libc.so.6)'
	echo '            work 14228   567.865066:          1 page-faults:     7ffc12345678 [unknown] ([stack])     55df279781d9 leaf+0x2b (/srv/work)'
	echo '            work 14228   567.866066:          1 page-faults:     563e409e3424 [unknown] (/usr/bin/env) ffffffff8175336a elf_load+0x28a ([kernel.kallsyms])'
	echo '            work 14228   567.867066:    2004008   cpu-clock:                0     7f7790c3a09d cmp+0x1d (/srv/work)'
	echo '            work 14228   567.868066:    2004008   cpu-clock:      7f7790e18b70 cmp+0x0 (/srv/work) insn: 48 89 e7'
} >no-chains.perf

{
	echo 'swapper     0     0.000000: PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x120bb08) @ 0xffffffff81000000]: x [kernel.kallsyms]_text'
	echo 'perf-exec  4711     0.000000: PERF_RECORD_COMM: perf-exec:4711/4711'
	echo 'perf-exec  4711     1.000000: PERF_RECORD_COMM exec: pool:4711/4711'
	echo 'pool  4711     1.100000: PERF_RECORD_FORK(4711:4712):(4711:4711)'
	echo 'pool  4712     1.200000:    1000000 cpu-clock: '
	frame 1204 'task+0xc (/srv/pool)'
	echo
	echo 'pool  4712     1.300000: PERF_RECORD_EXIT(4711:4712):(4711:4711)'
	echo 'pool  4711     1.400000: PERF_RECORD_FORK(4711:4712):(4711:4711)'
	echo 'pool  4712     1.500000:    1000000 cpu-clock: '
	frame 1204 'task+0xc (/srv/pool)'
	echo
	echo 'pool  4712     1.600000: PERF_RECORD_COMM: wor:ker:4711/4712'
	echo 'wor:ker  4712     1.700000:    1000000 cpu-clock: '
	frame 1204 'task+0xc (/srv/pool)'
	echo
	echo 'pool  4711     1.800000: PERF_RECORD_LOST lost 12'
} >records.perf

{
	echo 'work  4711   628.395041:    5025125 cycles: '
	frame 1553 '__invoke_impl<void, main()::<lambda(int, int)>&, int, int>+0x170 (inlined)'
	frame 1553 'std::function<void (int, int)>::operator()+0x170 (inlined)'
	frame 1553 'run+0x40 (/srv/work)'
	frame 1381 'main+0x73 (/srv/work)'
	echo
	echo 'work  4711   628.396041:    5025125 cycles: '
	frame 1390 'helper+0x73 (inlined)'
	echo
} >inlined.perf

{
	echo 'work  4711   567.860047:    2004008 cycles: '
	frame 1204 'mix+0xc'
	echo '  work.c:31 (inlined)'
	frame 1204 'fib+0xc (/srv/work)'
	echo '  dir with blank/work.c:12'
	frame 1381 'main+0x73 (/srv/work)'
	frame 2724a '__libc_start_call_main+0x7a (/usr/lib/libc.so.6)'
	echo '  libc.so.6[2724a]'
	echo
	echo '|12       static int fib(int n) { return n; }'
	echo 'work  4711   567.861047:    2004008 cycles: '
	frame 1208 'fib+0x10 (/srv/work)'
	echo '  dir with blank/work.c:13'
	frame 1381 'main+0x73 (/srv/work)'
	echo
} >lines.perf

{
	echo 'java  4711   628.395041:          1 cycles: '
	frame 7f01 'Ljava/util/A;::run->Ljava/util/B;::call->Ljava/util/C;::get (/tmp/perf-4711.map)'
	frame 7f02 'JS:*outer /tmp/j.js:4:15 (/tmp/perf-4711.map)'
	frame 7f03 'py::Pool.<lambda>:/srv/pool.py (/tmp/perf-4711.map)'
	frame 7f04 "RegExp:[&<>\"'] (a+b) (/tmp/perf-4711.map)"
	frame 7f05 'std::vector<int>::operator->+0x1d (/tmp/a b (deleted))'
	frame 7f06 'Foo::bar(int (*)(char)) (/srv/work)'
	frame 7f07 '(anonymous namespace)::Local::spin+0x18 (/srv/work)'
	frame 7f08 'net/http.(*Client).Do (/srv/work)'
	frame 7f09 '[unknown] (/usr/lib/libc.so.6)'
	frame 7f0a '[unknown] ([vdso])'
	frame ffffffff810001ff '[unknown] ([kernel.kallsyms])'
	frame ffffffff81000100 'nf_hook+0x1 ([nf_tables])'
	frame 100 'ext4_read+0x1 (/lib/modules/6.1/kernel/ext4.ko.xz)'
	frame 101 'vfs_read+0x1 (/usr/lib/debug/boot/vmlinux-6.1.0)'
	frame 0 '[unknown] ([unknown])'
	frame 12 'old ()'
	echo
} >symbols.perf

{
	echo '# ========'
	echo '# captured on    : Sat Nov 21 00:02:54 2026'
	echo '# hostname : box'
	echo '# perf version : 6.1.187 '
	echo '# nrcpus online : 4'
	echo '# cmdline : /usr/bin/perf record -g ./work '
	echo '# ========'
	echo '#'
	echo 'work  4711   567.860047:    2004008 cpu-clock: '
	frame 1204 'fib+0xc (/srv/work)'
	echo
} >header.perf

{
	echo 'java 19983 cycles:'
	echo 'ffffffff8103d0ca native_write_msr_safe ([kernel.kallsyms])'
	echo '7f72432b4e9a start_thread (/lib/libpthread-2.15.so)'
	echo
	echo 'java 19983/19984 [001] 12 cycles:u:'
	echo '            7f72432b4e9a start_thread (/lib/libpthread-2.15.so)'
	echo
	echo 'java 19983'
	frame 7f72432b4e9a 'start_thread (/lib/libpthread-2.15.so)'
	echo
	frame 7f72432b4e9a 'start_thread (/lib/libpthread-2.15.so)'
	echo
} >untimed.perf

{
	echo 'work  4711   567.860047:    2004008 cpu-clock: '
	echo
	echo 'Failed to open /tmp/perf-1.map, continuing without symbols'
	echo 'work  4711   567.861047:    2004008 cpu-clock: '
	frame 1204 'fib+0xc (/srv/work)'
	echo 'ABI:2 AX:0x0 BX:0x1'
	echo 'nobody knows what this is'
	echo
	echo 'work  4711   567.862047: 99999999999999999999 cpu-clock: '
	printf '\t%16s fib+0xc (/srv/work)' 1204
} >odd.perf

sed 's/$/\r/' default.perf >crlf.perf

echo '0x1f8 [0x68]: event: 10' >bad/raw-dump.perf
echo 'nothing of perf' >bad/no-samples.perf
: >bad/empty.perf
