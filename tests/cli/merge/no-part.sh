# Files that cannot become a part are refused before anything is read: the second file is not there.
printf 'main;a 1\n' >x.folded
status 2 profkit merge x.folded missing.folded -o sum.part
status 2 profkit convert x.folded y.part
profkit reduce -q x.folded -o x.part
# Which one it is, is said; what is wrong with a file that cannot be read, too.
status 2 profkit merge x.part x.folded -o sum.part
: >empty
status 2 profkit merge x.part empty -o sum.part
# In a folder, what is no profile is left out, and a profile is not.
mkdir parts
cp x.part parts/a.part
echo 'made by hand' >parts/README
profkit merge parts -o all.part
cp x.folded parts
status 2 profkit merge parts -o all.part
profkit merge -q x.part -o sum.part
profkit hotspots -q sum.part
