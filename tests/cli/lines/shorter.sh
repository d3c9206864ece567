# The source after is shorter than what was executed: lines are matched by their distance from the begin, not by text.
mkdir old new
printf 'a = 1\nb = 2\nc = 3\nd = 4\n' >old/app.py
printf 'import sys\na = 1\nb = 2\n' >new/app.py
printf '<module> (app.py:%d) %d\n' 1 10 2 20 3 30 >before.txt
printf '<module> (app.py:%d) %d\n' 1 11 2 22 3 33 9 44 >after.txt
profkit lines -f py-spy --source-before old --source new before.txt -- after.txt
