# Of names as C++ has them, the middle is left out: the functions are what a small budget is spent for.
name='void std::__introsort_loop<__gnu_cxx::__normal_iterator<int*, std::vector<int, std::allocator<int> > >, long, main::{lambda(int, int)#1}'
printf 'main;sort;%s> 3\nmain;größe;%s, größe äöü> 2\nmain 1\n' "$name" "$name" >long.folded
profkit brief --budget 250 long.folded
