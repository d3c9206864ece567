# The busiest worker took 100: 40 more than the mean of 60. Of these 30 - 20 are load, 70 - 40 work. The
# parent counts for nothing.
cat >two.json <<'END'
[{"name":"process_name","ph":"M","pid":1,"tid":1,"args":{"name":"MainProcess"}},
{"name":"process_name","ph":"M","pid":2,"tid":2,"args":{"name":"ForkPoolWorker-1"}},
{"name":"process_name","ph":"M","pid":3,"tid":3,"args":{"name":"ForkPoolWorker-2"}},
{"name":"main","ph":"X","pid":1,"tid":1,"ts":0,"dur":100},
{"name":"work","ph":"X","pid":2,"tid":2,"ts":0,"dur":100},
{"name":"load","ph":"X","pid":2,"tid":2,"ts":10,"dur":30},
{"name":"work","ph":"X","pid":3,"tid":3,"ts":0,"dur":20},
{"name":"load","ph":"X","pid":3,"tid":3,"ts":5,"dur":10}]
END
profkit workers --functions two.json
profkit workers --functions --format csv two.json
profkit workers --functions --format json -n 1 two.json
echo == ranks without threads
printf 'main;a 50\nmain;b 30\n' >one.folded
printf 'main;a 10\nmain;b 30\n' >two.folded
profkit workers --functions one.folded two.folded
