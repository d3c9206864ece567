# On a terminal of 80 columns lines are no longer than that: some columns are left out, which is said.
command -v python3 >/dev/null || { echo "python3 is not there"; exit 77; }
echo '[' >pool.json
for thread in 1 2 3; do
    echo "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":$thread,\"args\":{\"name\":\"ThreadPoolExecutor-0_$thread\"}},"
    echo "{\"name\":\"work\",\"ph\":\"X\",\"pid\":1,\"tid\":$thread,\"ts\":0,\"dur\":${thread}0000.5},"
done >>pool.json
echo '{"name":"a function with quite a long name","ph":"X","pid":1,"tid":1,"ts":20000,"dur":7}]' >>pool.json
for width in 80 160; do
    in_terminal $width hotspots --color never --by-worker pool.json | tr -d '\r'
    in_terminal $width hotspots --color never --stats pool.json | tr -d '\r'
done
in_terminal 80 formats --color never | tr -d '\r' | sed -n 1,4p # which reads all of it
in_terminal 80 formats --color never | tr -d '\r' | awk 'length > 100' # bytes
