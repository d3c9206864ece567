# The whole file, without its script; the same at every run.
cat >in.folded <<'END'
main;work;load_[k] 20
main;work;sort 30
main;idle 45
<other> 5
END
profkit flamegraph --no-javascript in.folded
profkit flamegraph in.folded >1.svg
profkit flamegraph in.folded -o 2.svg
cmp 1.svg 2.svg
