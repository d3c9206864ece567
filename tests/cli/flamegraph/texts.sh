# Texts, colors and comments, escaped for the place where they stand.
echo 'f 1' >in.folded
profkit flamegraph --no-javascript --title 'T <&>' --subtitle '"S"' --notes 'a--b-' \
    --nametype 'N:' --countname 'c & d' --fonttype 'Mono "x"' --fontsize 10.5 --width 600 \
    --colors io --bgcolors '#102030' --uicolor white --search-color tomato \
    --stroke-color '#123' --encoding ISO-8859-1 in.folded
printf 'd\303\251j\303\240 1\n' | profkit flamegraph --encoding ISO-8859-1 - | grep -c 'd&#233;j&#224;'
