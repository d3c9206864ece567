profkit formats pstats folded
profkit formats folded speedscope --format csv
