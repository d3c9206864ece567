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
