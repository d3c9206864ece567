profkit merge x.folded
