cat >x.folded <<'FOLDED'
std::vector<int, std::allocator<int> >::push_back(int const&);ns::f<a>(int) const;operator()(long) 3
std::vector<int, std::allocator<int> >::push_back(int const&);<module>;(anonymous namespace)::g(x) 1
FOLDED
labels() { profkit callgraph --no-legend "$@" x.folded | grep -v -e '->' | sed -n 's/.* label=\("[^"]*"\).*/\1/p'; }
labels --strip
labels --wrap
labels --show-samples --node-label total-time --node-label self-time --time-format '%.1f hits \N %%'
