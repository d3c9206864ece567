# After "--" nothing is an option: this is a file that does not exist.
profkit info -- --help
