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
