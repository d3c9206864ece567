# Files that cannot become a part are refused before anything is read: the second file is not there.
printf 'main;a 1\n' >x.folded
status 2 profkit merge x.folded missing.folded -o sum.part
status 2 profkit convert x.folded y.part
profkit reduce -q x.folded -o x.part
# Which one it is, is said; what is wrong with a file that cannot be read, too.
status 2 profkit merge x.part x.folded -o sum.part
: >empty
status 2 profkit merge x.part empty -o sum.part
profkit merge -q x.part -o sum.part
profkit hotspots -q sum.part
