# A block is a tuple of two to four items: one of a single item, behind a block, is none.
printf '\200\2ctracemalloc\nSnapshot\n)\201}(X\17\0\0\0traceback_limitK\1X\6\0\0\0tracesctracemalloc\n_Traces\n)\201}' >tuple.pickle
printf 'X\7\0\0\0_traces](K\0K\12X\4\0\0\0a.pyK\5\206\205\207K\7\205esbub.' >>tuple.pickle
status 2 profkit info tuple.pickle
