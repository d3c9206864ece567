# Several files may be runs of one program, one after the other: nothing is said about sharing work unless they name
# their ranks. What made them is named if it was the same for all. A function without a name is shown as such.
cd "$TESTDATA/example"
profkit -n 1 before.prof after.prof | head -n 4
cd - >/dev/null
printf '# austin: 3.7.0\n# interval: 100\n\nP1;T0:1;/a.py:main:1;/a.py::2 300\n# duration: 300\n' >a.austin
profkit -n 1 -m time "$TESTDATA/example/before.prof" a.austin | head -n 2
profkit hotspots -n 1 a.austin
