SELECT percentile(self, 95), printf('%s%n', name), regexp('(a+)+b', name), char(27), zeroblob(1000000) FROM cost, string WHERE 1
