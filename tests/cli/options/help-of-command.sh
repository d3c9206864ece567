profkit merge --help
profkit memory --help | sed -n "/^examples/,\$p"
