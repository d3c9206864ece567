# Formats are recognised by the first 64 KB, which may be a part of one line.
long=$(printf '%080000d' 0)
formats() { profkit info --format json "$1" | grep -o '"format": "[a-z]*"' | head -1; }
printf 'main;%s;f 3\nmain 2\n' "$long" >name.folded
formats name.folded
printf 'cmd: sh -c "a;%s"\nevents: time\nfn=main\n1 3\n' "$long" >command.txt
formats command.txt
printf 'version: 1\ncmd: %s\nevents: time\nfn=main\n1 3\n' "$long" >later.txt
formats later.txt
printf 'events: time\nfn=%s\n1 3\n' "$long" >function.txt
formats function.txt
# Other text is none.
printf 'text %s\nmore text\n' "$long" >other.txt
status 2 profkit info other.txt
