# Hints quote what a shell would take apart, and leave out what a terminal would obey.
cp "$TESTDATA/example/before.prof" "it's a file.prof"
profkit summary "it's a file.prof" -n 0 | grep '^  profkit' | sed 's/   .*//'
cp "$TESTDATA/example/before.prof" $'bell\a.prof'
profkit summary $'bell\a.prof' | grep '^  profkit'
