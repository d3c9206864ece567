# A function that is new with less than 0.1 % of the whole is left out of the table, unless counts are exact.
printf 'main 1000000\n' >before.folded
printf 'main 1000000\nmain;f 900\nmain;g 1100\n' >after.folded
profkit diff -q before.folded after.folded | tail -n +4
program() { printf 'events: Ir\nfn=main\n1 1000000\n' && if [ $# -gt 0 ]; then printf 'fn=f\n1 900\n'; fi; }
program >before.out
program f >after.out
profkit diff -q before.out after.out
