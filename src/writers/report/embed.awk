# Makes C string literals of page.html, page.css and the modules of the script. The modules become one script without "import" and
# "export", in which each stands below those that it imports: no two may have a function, class or constant of the same name.
# Indentation, empty lines, comments ("//" behind code stands between spaces) and what else a browser does not need go: of the script
# spaces beside signs and quotes, ";" and "," before a bracket that closes; "const" becomes "let", and declarations that follow
# each other become one. Texts and regular expressions stay as they are.
# Statements end with ";", so that a line break means nothing after a sign, and no statement is empty.
# A declaration is joined with the next one only if it is a line of its own.
function begin(name) {
	flush(0)
	if (open != name)
		printf "%sconst char %s[] =\n", open ? ";\n" : "", name
	open = name
}
function put(line, joins) {
	joins = joins || (held != "" || open == "pk_report_style") && line ~ /[][{}();,+&|?:=>]$/
	gsub(/[\\"]/, "\\\\&", line)
	gsub(/\?\?/, "?\\?", line) # else C takes it for the begin of a trigraph
	printf "\"%s%s\"\n", line, joins ? "" : "\\n"
}
# A line of the script waits for the next one, which may change its end.
function flush(joins) {
	if (held != "")
		put(held, joins)
	held = ""
}
function hold(line,   declares) {
	declares = line ~ /^let[[{ ]/ && !depth && line !~ /;./
	if (line ~ /^[]})]/ && held !~ /^(for|if|while)[ (]/)
		sub(/[;,]$/, "", held)
	if (line ~ /^let[[{ ]/ && declared && held ~ /;$/) {
		sub(/;$/, ",", held)
		sub(/^let ?/, "", line)
	}
	flush(line ~ /^[]})]/)
	held = line
	declared = declares
}
# Without spaces that the code between two texts does not need.
function squeezed(code) {
	gsub(/ +/, " ", code)
	while (match(code, /(^|[^A-Za-z0-9_$.])const /))
		code = substr(code, 1, RSTART + RLENGTH - 7) "let " substr(code, RSTART + RLENGTH)
	gsub(/ \+ /, "+", code); sub(/ \+$/, "+", code); gsub(/ \+=/, "+=", code); gsub(/ -=/, "-=", code)
	while (match(code, /[^-] - [^-]/))
		code = substr(code, 1, RSTART) "-" substr(code, RSTART + 4)
	while (match(code, / [][(){}<>=!?:;,&|^%*\/]/))
		code = substr(code, 1, RSTART - 1) substr(code, RSTART + 1)
	while (match(code, /[][(){}<>=!?:;,&|^%*\/] /))
		code = substr(code, 1, RSTART) substr(code, RSTART + 2)
	depth += gsub(/[[({]/, "&", code) - gsub(/[])}]/, "&", code)
	return code
}
# The length of the text or regular expression that a line begins with; 0 if the "/" divides what is before it.
function literal(line, before) {
	if (line ~ /^\//)
		return before ~ /[])A-Za-z0-9_] *$/ && before !~ /return *$/ ? 0 : match(line, /^\/([^\/\\[]|\\.|\[([^]\\]|\\.)*\])+\/[a-z]*/) ? RLENGTH : -1
	return match(line, /^('([^'\\]|\\.)*'|"([^"\\]|\\.)*")/) ? RLENGTH : -1
}
# depth: brackets that the line leaves open.
function tighten(line,   made, code, n, quoted) {
	depth = 0
	while (match(line, /['"`\/]/)) {
		code = code substr(line, 1, RSTART - 1)
		line = substr(line, RSTART)
		n = literal(line, code)
		if (n < 0) {
			print FILENAME ":" FNR ": embed.awk cannot tell where the text ends" >"/dev/stderr"
			exit failed = 1
		}
		if (!n) {
			code = code "/"
			line = substr(line, 2)
			continue
		}
		code = squeezed(code)
		sub(/ $/, "", code)
		if (quoted)
			sub(/^ /, "", code)
		made = made code substr(line, 1, n)
		quoted = line ~ /^['"]/
		line = substr(line, n + 1)
		code = ""
	}
	code = squeezed(code line)
	if (quoted)
		sub(/^ /, "", code)
	return made code
}
function tightened_style(line,   part, n, i, made) {
	n = split(line, part, "\"")
	for (i = 1; i <= n; i++) {
		if (i % 2) {
			gsub(/: /, ":", part[i]); gsub(/ \{ /, "{", part[i]); gsub(/ \{$/, "{", part[i]); gsub(/; \}/, "}", part[i])
			gsub(/; /, ";", part[i]); gsub(/, /, ",", part[i]); gsub(/ > /, ">", part[i])
		}
		made = made (i > 1 ? "\"" : "") part[i]
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
module { hold(tighten($0)); next }
open == "pk_report_style" { $0 = tightened_style($0) }
{ put($0, 0) }
END {
	if (failed)
		exit 1
	flush(0)
	print ";"
}
