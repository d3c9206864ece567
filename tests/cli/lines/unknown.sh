# perf writes ??:0 where addr2line knows no file: that is no source.
printf 'work 1 [000] 5.000001: 10 cycles: \n\t 1204 mix+0xc (/srv/work)\n  work.c:31\n\t 10e5 _start+0x25 (/srv/work)\n  ??:0\n\n' >a.perf
profkit hotspots --format csv a.perf | cut -d, -f1,3
profkit lines a.perf | tail -n +3
