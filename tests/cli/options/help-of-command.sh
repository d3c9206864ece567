profkit merge --help
