# A profile of V8 is the same when it is written and read again: functions, costs of lines, samples.
same()
{
	profkit "$@" "$TESTDATA/cpuprofile/$file.cpuprofile" >before 2>/dev/null
	profkit "$@" one.cpuprofile | diff before -
}
for file in node parents head odd; do
	profkit convert -q "$TESTDATA/cpuprofile/$file.cpuprofile" --to cpuprofile -o one.cpuprofile 2>/dev/null
	same hotspots -q --format csv
	profkit query -q "$TESTDATA/cpuprofile/$file.cpuprofile" "select time, value from sample" >before 2>/dev/null
	profkit query -q one.cpuprofile "select time, value from sample" | diff before -
	case $file in
	node | parents) same lines -q --format csv ;;
	odd) cat one.cpuprofile ;;
	esac
	rm one.cpuprofile
done
# What has no times follows one another; metrics that are no time are told by their names.
profkit convert "$TESTDATA/example/orders.folded" -o two.cpuprofile
profkit query -q two.cpuprofile "select (select text from string where id = name) as name, exactness from metric"
profkit query -q two.cpuprofile "select count(*), sum(self) from cost"
sed -n 's/^ "\(samples\|timeDeltas\|profkit[A-Za-z]*\)":/\1/p' two.cpuprofile | cut -c 1-60
# A function that is the begin of all call paths in the format.
printf '(root);main;f 5\nmain;g 3\n' >root.folded
profkit convert root.folded --to cpuprofile -o root.cpuprofile
cat root.cpuprofile
profkit convert -q root.cpuprofile --to folded
