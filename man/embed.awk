# Makes a C file of the pages in man/: each as one string. See tools/help/manual.h.
BEGIN { print "#include \"tools/help/manual.h\"\n\nconst struct pk_page pk_pages[] = {" }
FNR == 1 {
	name = FILENAME; sub(/.*\//, "", name); sub(/\.md$/, "", name)
	section = match(name, /\.[1-9]$/) ? substr(name, RSTART + 1) : 0
	sub(/\.[1-9]$/, "", name)
	topic = name; sub(/^profkit-/, "", topic)
	printf "%s\t{\"%s\", \"%s\", %s,\n", NR == 1 ? "" : "\t},\n", name, topic, section
}
{ gsub(/[\\"?]/, "\\\\&"); print "\t \"" $0 "\\n\"" }
END { print "\t},\n\t{NULL, NULL, 0, NULL},\n};" }
