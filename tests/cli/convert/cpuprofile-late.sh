# A start of more than 10^18 ns does not fit the numbers of viewers: it is 0 then, and the times of samples stay.
for start in 900000000000000 4000000000000000; do
	cat >in.cpuprofile <<-END
	{"nodes":[{"id":1,"callFrame":{"functionName":"(root)","scriptId":"0","url":"","lineNumber":-1,"columnNumber":-1},"children":[2]},
	{"id":2,"callFrame":{"functionName":"f","scriptId":"1","url":"a.js","lineNumber":0,"columnNumber":0}}],
	"startTime":$start,"endTime":$((start + 100)),"samples":[2,2],"timeDeltas":[10,20]}
	END
	profkit convert in.cpuprofile out.cpuprofile --force
	tr -d ' \n' <out.cpuprofile | grep -o '"startTime":[^,]*,"endTime":[^,]*\|"timeDeltas":[^]]*]'
done
# A sample that begins before the one before it ends: its times cannot be written.
printf 'a 1/1 %s: 10000000 task-clock:\n\t1 work%s (/bin/a)\n\n' 1.000000 1 1.001000 2 1.030000 1 >overlap.txt
profkit convert -q --to cpuprofile overlap.txt - | sed -n '/startTime/,$p'
