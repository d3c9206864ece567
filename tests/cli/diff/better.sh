# Rates are better when they are larger, and units of which the file says so.
results() { # NAME of a file, and its values of score and MB/s
    for i in 1 2 3 4; do echo "BenchmarkA $i ${2}$i score ${3}$i MB/s"; done > "$1"
}
results low 5. 100.
results high 7. 150.
echo 'Unit score better=higher' | tee -a low >> high
profkit diff -m score --fail-on regressed low high
status 1 profkit diff -m score --fail-on regressed high low
profkit diff -m B/s --fail-on regressed low high
status 1 profkit diff -m B/s --fail-on regressed high low
sed -i s/higher/lower/ low high
status 1 profkit diff -m score --fail-on regressed low high
