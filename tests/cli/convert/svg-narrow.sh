# A picture leaves out boxes that are too narrow: a conversion says so in a message, the commands say it in the picture.
awk 'BEGIN { print "main;a 100000"; print "main;b 1"; print "main;c;d 1" }' >x.folded
profkit convert x.folded x.svg
grep -o '>[0-9]* frames too narrow.*<' x.svg
profkit convert -O minwidth=1% x.folded wide.svg
profkit convert -O minwidth=0 x.folded all.svg
profkit flamegraph x.folded -o y.svg
profkit convert "$TESTDATA/otlp/everything.otlp" negative.svg
