# Halves are rounded to even, as by printf.
printf 'f 0.0625\ng 0.1875\n' | profkit hotspots --like pstats -f folded -
# A lone surrogate of a file name is the byte that Python could not decode.
profkit hotspots --like pstats --sort name - < "$TESTDATA/pstats/unicode-v4.prof" | grep -a bad | od -An -c
# The sum of 0 and -0.0 is 0.
profkit hotspots --like pstats - "$TESTDATA/pstats/negative-times.prof" < "$TESTDATA/pstats/names.prof" | tail -n 4
# Python loads it again, surrogates too; without -O exact they are replaced.
profkit convert -O exact --to pstats -o - "$TESTDATA/pstats/unicode-v4.prof" | profkit hotspots --like pstats - | grep -a bad | od -An -c
