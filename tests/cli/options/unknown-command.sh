profkit convrt
profkit qqqqqq
profkit no-such.prof
profkit -- no-such-file
profkit --color always hotspots x.prof
profkit hot x
profkit flame x
