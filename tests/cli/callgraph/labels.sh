cat >x.folded <<'FOLDED'
std::vector<int, std::allocator<int> >::push_back(int const&);ns::f<a>(int) const;operator()(long) 3
std::vector<int, std::allocator<int> >::push_back(int const&);<module>;(anonymous namespace)::g(x) 1
FOLDED
labels() { profkit callgraph --no-legend "$@" x.folded | grep -v -e '->' | sed -n 's/.* label=\("[^"]*"\).*/\1/p'; }
labels --strip
labels --wrap
labels --show-samples --node-label total-time --node-label self-time --time-format '%.1f hits \N %%'
# Where no file is known, the library stands above the function.
printf 'w 1/1 [000] 1.0: 5 cycles:\n\t55 f+0x1 (/usr/lib/libw.so.1)\n\t77 main+0x1 (/srv/w)\n' |
    profkit callgraph --no-legend -f perf-script - | sed -n 's/.* label=\("[^"]*"\).* tooltip.*/\1/p' | grep -v '^"100.00%"'
