printf 'a;b 1.5\na;c 0.25\n' >half.folded
profkit hotspots half.folded
profkit hotspots --format csv half.folded
profkit tree --format json half.folded | grep total
