profkit merge x.folded y.folded
