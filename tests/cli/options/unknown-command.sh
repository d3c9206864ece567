status 2 profkit convrt
status 2 profkit qqqqqq
status 2 profkit no-such.prof
status 2 profkit -- no-such-file
status 2 profkit --color always hotspots x.prof
status 2 profkit hot x
profkit flame x
