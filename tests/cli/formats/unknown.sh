profkit formats nonsense
profkit formats pstats nonsense
profkit formats a b c
