# What valgrind's tools for memory write is named, with what shows it.
printf 'desc: (none)\ncmd: ./a\ntime_unit: i\n#-----------\nsnapshot=0\n' >massif.out.1
printf '{"dhatFileVersion":2\n,"mode":"heap","verb":"Allocated"\n' >dhat.out.1
status 2 profkit info massif.out.1
status 2 profkit info dhat.out.1
