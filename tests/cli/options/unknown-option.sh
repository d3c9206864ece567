profkit convert --focsu x a b
profkit convert --qqqqqqq a b
profkit info -Q a
profkit info --no-format a
profkit --hlep
profkit info --versoin a
profkit hotspots --lim 3 a
