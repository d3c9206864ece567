status 2 profkit formats nonsense
status 2 profkit formats pstats nonsense
profkit formats a b c
