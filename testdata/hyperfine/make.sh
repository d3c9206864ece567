#!/bin/sh
# Writes odd.json, odd-table.csv and bad/, which hyperfine did not: ./make.sh
mkdir -p bad
cat > odd.json <<'JSON'
{"version": 2, "results": [
  {"command": "same", "mean": 2.0, "stddev": 1.0, "median": 2.0, "user": 0.5, "system": 0.25, "min": 1.0, "max": 3.0,
   "times": [1.0, 2.0, 3.0], "memory_usage_byte": [1048576, 2097152, 1048576], "exit_codes": [0, 3, null],
   "more": {"times": [9]}},
  {"command": "same", "mean": 1.5, "stddev": null, "median": 1.5, "user": 1e-3, "system": null, "min": 1.5, "max": 1.5,
   "times": [1.5]},
  {"command": "sort {n} \u00fc", "mean": 0.0, "stddev": 0.0, "median": 0.0, "user": NaN, "system": -1, "min": 0.0, "max": 0.0,
   "times": [0.0, NaN, -0.5, "1", 0.0], "parameters": {"n": "1", "a \"b\"": "x"}},
  {"command": "sort {n} \u00fc", "mean": 0.125, "times": [], "parameters": {"n": "2"}}
]}
JSON
printf '%s\r\n' 'command,mean,stddev,median,user,system,min,max,later,parameter_n,parameter_x y' \
    '"a ""quoted"", b",1.5,0.5,1.25,1,0.5,1,2,7,1,"' '"' 'c,0.5,,0.5,,0,0.5,0.5,,2,' > odd-table.csv
printf '{"results": []}\n' > bad/none.json
printf '{"results": [{"command": "x", "stddev": null, "user": 1, "system": 1, "exit_codes": [0]}]}\n' > bad/no-times.json
printf '{"results": [{"command": "x", "mean": 1, "user": 1, "system": 1, "times": [1, 2' > bad/cut.json
printf 'command,mean,stddev,median,user,system,min,max\nx,1,0,1,0,0,1\n' > bad/short-row.csv
printf 'command,mean,stddev,median,user,system,min,max\nx,nan,0,1,0,0,1,1\n' > bad/no-number.csv
printf 'command,mean,stddev,median,user,system,min,max\n"x,1,0,1,0,0,1,1\n' > bad/open-quote.csv
