# A first line that is longer than what a probe sees is recognised by a few frames: names of C++ templates are long.
awk 'BEGIN { for (name = "std::vector<"; length(name) < 2000;) name = name "std::vector<"
	for (i = 0; i < 40; i++) printf "%s%d%s", name, i, i < 39 ? ";" : " 3\n"
	print "main;read 2" }' >long.folded
profkit info long.folded | grep -E '^(format|functions)'
