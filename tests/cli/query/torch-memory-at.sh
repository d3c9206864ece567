# what was live at a moment; of what was allocated after the first, at the second or at the end
sum="select sum(self) as live from cost join metric on metric.id = metric and metric.name = (select id from string where text = 'leaked')"
for range in at=25us at=45us between=35us..60us between=35us..; do
	profkit query -q -O "$range" --format csv "$TESTDATA/torch-memory/protocol4.pickle" "$sum"
done
status 2 profkit info -O at=25us -O between=1us..2us "$TESTDATA/torch-memory/protocol4.pickle"
