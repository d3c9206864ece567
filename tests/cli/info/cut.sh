# Compressed data that is cut off is read as far as it goes, which is said; not with --strict, and not of a format that is
# meaningless without its end.
make() { # BYTES FILE: those of FILE packed by gzip, without compression
    python3 -c 'import gzip, sys
sys.stdout.buffer.write(gzip.compress(open(sys.argv[2], "rb").read(), 0, mtime=0)[:int(sys.argv[1])])' "$@"
}
printf 'main;a 7\nmain;b 8\n' >stacks.folded
make -8 stacks.folded >stacks.folded.gz
profkit hotspots stacks.folded.gz
status 2 profkit hotspots --strict stacks.folded.gz
make -100 "$TESTDATA/example/before.prof" >half.prof.gz
status 2 profkit hotspots half.prof.gz
make 12 stacks.folded >nothing.gz
status 2 profkit hotspots nothing.gz
