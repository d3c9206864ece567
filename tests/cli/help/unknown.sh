profkit help nothing
