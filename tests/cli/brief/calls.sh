# The recursive function with the largest total is named, if that is at least 5 % and the function calls itself; and that with
# most self of those with 10,000 calls of less than 10 us, if it is at least 2 %.
graph() { # NAME SECONDS CALLED...
    cat <<'END'
granularity: each sample hit covers 2 byte(s) for 1.00% of 1.00 seconds

index % time    self  children    called     name
                                                 <spontaneous>
[1]    100.0    0.01    0.99                 main [1]
END
    local i=2 functions=
    while [ $# -gt 0 ]; do
        echo "                $2    0.00       1/1           $1 [$i]"
        functions+="
-----------------------------------------------
                $2    0.00       1/1           main [1]
[$i]     10.0    $2    0.00       $3      $1 [$i]"
        [[ $3 != *+* ]] || functions+="
                                  ${3#*+}             $1 [$i]"
        ((++i))
        shift 3
    done
    echo "$functions
-----------------------------------------------"
}
graph walk 0.30 1+90 visit 0.40 1+9 small 0.04 1+9 plain 0.25 1 >some.txt
graph visit 0.40 1+9 walk 0.30 1+90 plain 0.29 1 >order.txt
graph small 0.05 1+9 plain 0.94 1 >least.txt
graph small 0.04 1+9 plain 0.95 1 >less.txt
for file in some order least less; do
    echo "== $file"
    profkit brief $file.txt | grep recursive || true
done
graph few 0.02 9999 rest 0.97 1 >few.txt
graph enough 0.02 10000 rest 0.97 1 >enough.txt
graph small 0.01 10000 rest 0.98 1 >small.txt
graph long 0.10 10000 rest 0.89 1 >long.txt
graph short 0.10 10001 rest 0.89 1 >short.txt
graph second 0.05 20000 first 0.06 20000 rest 0.88 1 >two.txt
graph first 0.06 20000 second 0.05 20000 rest 0.88 1 >order.txt
for file in few enough small long short two order; do
    echo "== $file"
    profkit brief $file.txt | grep 'on average' || true
done
