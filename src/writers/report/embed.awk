# Makes C string literals of page.html, page.css and the modules of the script. The modules become one script without "import" and
# "export", in which each stands below those that it imports: no two may have a function, class or constant of the same name.
# Indentation, empty lines and comments go ("//" behind code stands between spaces), and spaces beside signs where it is certain that
# they stand in no text: outside of quotes, on lines without backticks there, and without slashes other than those of divisions.
# Statements end with ";", so that a line break means nothing after a sign.
function begin(name) {
	if (open != name)
		printf "%sconst char %s[] =\n", open ? ";\n" : "", name
	open = name
}
function put(line,   joins) {
	joins = (module || open == "pk_report_style") && line ~ /[][{}();,+&|?:=>]$/
	gsub(/[\\"]/, "\\\\&", line)
	gsub(/\?\?/, "?\\?", line) # else C takes it for the begin of a trigraph
	printf "\"%s%s\"\n", line, joins ? "" : "\\n"
}
function tighten(line,   part, n, i, made, rest) {
	n = split(line, part, "'")
	if (n % 2 == 0 || index(line, "\\'"))
		return line
	for (i = 1; i <= n; i += 2) {
		rest = part[i]
		gsub(/[a-z)\]0-9] \/ [a-zA-Z(0-9]/, "", rest)
		if (rest ~ /[\/`"\\]/)
			return line
	}
	for (i = 1; i <= n; i++) {
		if (i % 2) {
			gsub(/ +/, " ", part[i])
			gsub(/ \+ /, "+", part[i]); sub(/ \+$/, "+", part[i]); gsub(/ \+=/, "+=", part[i]); gsub(/ -=/, "-=", part[i])
			while (match(part[i], /[^-] - [^-]/))
				part[i] = substr(part[i], 1, RSTART) "-" substr(part[i], RSTART + 4)
			while (match(part[i], / [][(){}<>=!?:;,&|^%*\/]/))
				part[i] = substr(part[i], 1, RSTART - 1) substr(part[i], RSTART + 1)
			while (match(part[i], /[][(){}<>=!?:;,&|^%*\/] /))
				part[i] = substr(part[i], 1, RSTART) substr(part[i], RSTART + 2)
		}
		made = made (i > 1 ? "'" : "") part[i]
	}
	return made
}
BEGIN { print "#include \"writers/report/assets.h\"\n" }
FNR == 1 {
	begin(FILENAME ~ /\.html$/ ? "pk_report_page" : FILENAME ~ /\.css$/ ? "pk_report_style" : "pk_report_script")
	comment = 0
	module = FILENAME ~ /\.js$/
}
/^[ \t]*\/\*.*\*\/$/ { next }
/^[ \t]*\/\*/ { comment = 1 }
comment {
	if (/\*\/$/)
		comment = 0
	next
}
/^[ \t]*(\/\/.*)?$/ { next }
{ sub(/^[ \t]+/, "") }
module { sub(/[ \t]+\/\/ .*$/, "") }
module && /^import / { next }
module { sub(/^export /, "") }
open == "pk_report_style" && !/"/ {
	gsub(/: /, ":"); gsub(/ \{ /, "{"); gsub(/ \{$/, "{"); gsub(/; \}/, "}"); gsub(/; /, ";"); gsub(/, /, ",")
}
{ put(module ? tighten($0) : $0) }
END {
	print ";"
}
