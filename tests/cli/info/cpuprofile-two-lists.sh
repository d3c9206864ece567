# A node that has its children twice has those of the last list.
frame() { echo "\"callFrame\":{\"functionName\":\"$1\",\"url\":\"a.js\",\"lineNumber\":1}"; }
echo '{"nodes":[{"id":1,'"$(frame '(root)')"',"children":[2,3,4,5,6,7,8,9],"children":[2]},{"id":2,'"$(frame f)"',"children":[3]},
	{"id":3,'"$(frame g)"'}],"startTime":0,"endTime":20,"samples":[2,3],"timeDeltas":[0,10]}' >two.cpuprofile
profkit tree --format csv two.cpuprofile
# Times beyond what 64 bits hold in the unit of the metric
sed 's/"startTime":0/"profkitMetric":"time","profkitUnit":"s","profkitExponent":6,"startTime":-4e15/' two.cpuprofile >early.cpuprofile
profkit convert early.cpuprofile -o out.cpuprofile
grep -o '"startTime": *[^,]*' out.cpuprofile
