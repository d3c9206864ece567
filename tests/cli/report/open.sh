# --open starts a program, which gets the whole path as one argument, whatever is in the name; not if there is no page.
echo 'main;a 5' >work.folded
mkdir bin 'a b$(touch evil)'
printf '#!/bin/sh\nfor word; do echo "$word"; done >>"%s/opened"\n' "$PWD" >bin/show-page
chmod +x bin/show-page
seen() {
    for i in {1..300}; do
        [ -s opened ] && break
        sleep 0.1
    done
    sed "s:^$(pwd -P)/::" opened
    rm -f opened
}
export PATH="$PWD/bin:$PATH"
BROWSER=no-such-program:show-page profkit report --open work.folded -o -page.html
seen
BROWSER='show-page' profkit report --open work.folded -o 'a b$(touch evil)/x;y&.html'
seen
ls -A
echo == no page, no browser
export BROWSER=show-page
status 2 profkit report --open missing.folded -o x.html
status 2 profkit report --open work.folded
test -e opened && echo opened
BROWSER='show-page x'
PATH="$PWD/none"
status 2 profkit report --open work.folded -o x.html
test -s x.html && echo the page is there
