profkit info
profkit hotspots
