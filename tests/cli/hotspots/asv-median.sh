# asv keeps the median of each benchmark: where there are no values, it stands for the mean, which a line says.
profkit hotspots -q "$TESTDATA/asv/plain.json"
profkit hotspots -q "$TESTDATA/asv/samples.json" | grep -c 'is the median' || echo values
