# work is called 20 times, then 40 times: 80 of 90, then 160 of 170. Shares change by 160/170 - 80/90 = 5.23 %.
costs() { # CALLS COST
	printf 'events: Ir\nfn=main\n1 10\ncfn=work\ncalls=%d 5\n2 %d\nfn=work\n5 %d\n' "$1" "$2" "$2"
}
costs 20 80 >before.callgrind
costs 40 160 >after.callgrind
for more in "" --compare-color-by-difference; do
	echo "== $more"
	profkit callgraph -q --to dot $more --diff before.callgrind after.callgrind | grep -E 'legend|work|->' | grep -oE 'fillcolor="[^"]*"|label="[^"]*"'
done
# Calls over functions that are left out are no calls of a side: only those between functions that are shown are compared.
printf 'main;a;b 70\nmain;m1;x 10\nmain;m2;x 10\nmain;m3;x 10\n' >before.folded
printf 'main;a;b 70\nmain;m1;x 20\nmain;m2;x 20\nmain;m3;x 20\n' >after.folded
profkit callgraph -q --to dot --no-legend --node-thres 20 --residual --diff before.folded after.folded |
	grep -e '->' | grep -oE '^.[0-9]+ -> [0-9]+|label="[^"]*"'
