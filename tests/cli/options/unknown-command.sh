profkit convrt
profkit qqqqqq
profkit no-such.prof
profkit -- x
