# The buffer of viztracer was full: what was lost is no time of `serve`, which had called it.
event() { # TIME DURATION NAME
    printf '{"ph":"X","cat":"fee","pid":1,"tid":1,"ts":%s,"dur":%s,"name":"%s"},\n' "$@"
}
{
    echo '{"traceEvents":['
    event 800 50 'work (app.py:3)'
    event 860 40 'work (app.py:3)'
    event 100 890 'serve (app.py:9)'
    event 0 1000 '<module> (app.py:1)'
    echo '{"ph":"M","pid":1,"tid":1,"name":"process_name","args":{"name":"MainProcess"}}],'
    echo '"viztracer_metadata":{"version":"1.1.1","overflow":true}}'
} >t.json
profkit hotspots t.json
