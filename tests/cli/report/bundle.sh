# A recording of Instruments is a folder: it is no folder of profiles, but one file that cannot be read, and the advice says why.
mkdir -p runs/x.trace runs/y.trace
touch runs/x.trace/form.template runs/x.trace/open.creq
echo 'main;work 3' >runs/a.folded
cp runs/a.folded runs/y.trace
status 2 profkit report runs/x.trace
status 2 profkit merge runs/x.trace/ -o sum.db
profkit report runs/y.trace | grep -o '^<title>.*'
profkit report runs -o page.html
grep -o '^<title>.*' page.html
