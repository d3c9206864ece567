profkit formats pstats folded
profkit formats folded speedscope --format csv
profkit formats pstats chrome
