status 2 profkit info
profkit hotspots
