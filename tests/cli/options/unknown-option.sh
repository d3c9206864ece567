status 2 profkit convert --focsu x a b
status 2 profkit convert --qqqqqqq a b
status 2 profkit info -Q a
status 2 profkit info --no-format a
status 2 profkit --hlep
status 2 profkit info --versoin a
profkit hotspots --lim 3 a
