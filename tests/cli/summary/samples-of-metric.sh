# A sample with several values counts once: the head has the samples of the metric that is shown, and so do their threads.
profkit summary -n 1 "$TESTDATA/austin/full.austin" | head -1
profkit summary -n 1 -m cpu "$TESTDATA/austin/full.austin" | head -1
profkit info "$TESTDATA/austin/full.austin" | grep -E '^(metric|samples|thread) '
