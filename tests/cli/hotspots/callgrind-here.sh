# callgrind_annotate leaves out the current folder of files, and only as a whole.
sed "s:HERE:$(pwd -P):" >a.out <<'END'
# callgrind format
events: Ir
fl=HERE/a.c
fn=main
1 100
fl=HERE/sub/b.c
fn=g
5 40
fl=HERE2/c.c
fn=top
1 5
END
profkit hotspots --like callgrind_annotate a.out | sed -n '/file:function/,$p' | sed "s:$(pwd -P):HERE:"
profkit hotspots --like callgrind_annotate --inclusive a.out | sed -n '/file:function/,$p' | sed "s:$(pwd -P):HERE:"
