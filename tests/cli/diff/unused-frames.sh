# One function has several frames (addresses), and no sample is in the functions u0 to u9.
for side in before after; do
	frames=$(for i in 0 1 2 3 4 5 6 7 8 9; do printf '{"name":"u%d","file":"a.py"},' $i; done)
	frames="$frames"'{"name":"g at 0x1","file":"a.py"},{"name":"g at 0x2","file":"a.py"}'
	frames="$frames"',{"name":"main","file":"a.py"},{"name":"'$side'","file":"a.py"}'
	weights=30,20,50
	[ $side = before ] || weights=50,60,50
	cat >$side.json <<-END
	{"\$schema": "https://www.speedscope.app/file-format-schema.json", "shared": {"frames": [$frames]},
	 "profiles": [{"type": "sampled", "name": "p", "unit": "milliseconds", "startValue": 0,
	  "endValue": 160, "samples": [[12, 10], [12, 11], [12, 13]], "weights": [$weights]}]}
	END
done
profkit diff --no-changed --format csv before.json after.json | cut -d, -f1-4
profkit diff --no-changed --format json before.json after.json | grep -o '"function": "[^"]*'
profkit diff --view tree --format csv before.json after.json | cut -d, -f1-6
profkit flamegraph --diff before.json after.json -o x.svg && grep -o '<title>[^(]*' x.svg
profkit callgraph -t dot -n 0 --diff before.json after.json | grep -o 'label="a:[^\\]*'
