profkit --version --licenses | grep -E '^  (SQLite|Graphviz|libiberty)'
profkit --version --licenses | head -n 3 | cmp - <(profkit --version)
