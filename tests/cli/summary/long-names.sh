# A command says the handle of a function whose name is long, and what a command shows stands near to it.
name='void std::__introsort_loop<__gnu_cxx::__normal_iterator<int*, std::vector<int, std::allocator<int> > >, long, main::{lambda(int, int)#1}>'
printf 'main;sort;%s 3\nmain 1\n' "$name" >long.folded
profkit long.folded | sed -n '/to see more/,$p'
profkit callers f3 long.folded
# Where a function has a name like a handle, the name is said.
printf 'f3;sort;%s 3\n' "$name" >handle.folded
profkit handle.folded | grep -c "callers 'void std::"
