# The unit of the counts: what is read is in ns, and so is what is written.
printf 'a;b 1.5\na;c 0.000002\n' >in.folded
profkit convert -O unit=ms -O name=wait --to folded in.folded -
profkit info -O unit=ms -O name=wait in.folded
profkit info -O unit=hours in.folded
