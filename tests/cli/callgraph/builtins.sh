# Functions of C are named as programs name them, and found by each of their names.
printf '%s\n' "main;<built-in method builtins.exec>;<method 'append' of 'list' objects> 1" \
    'main;<built-in method __new__ of type object at 0x95d0> 1' 'main;{built-in method time.sleep} 1' \
    'main;<method-wrapper> 1' 'main;<built-in method> 1' >x.folded
profkit callgraph --list-functions '*' x.folded --format csv | cut -d, -f1
for name in builtins.exec '~:0:<built-in method builtins.exec>' '<built-in method builtins.exec>' '{built-in method builtins.exec}'; do
    profkit callgraph --depth 0 --root "$name" "$TESTDATA/example/before.prof" | grep -c 'label="builtins.exec'
done
profkit callgraph x.folded --no-javascript --to svg | grep -c '<script' || true
