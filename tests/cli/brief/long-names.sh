# The middle of long C++ names is left out, so that a small budget is spent on functions.
name='void std::__introsort_loop<__gnu_cxx::__normal_iterator<int*, std::vector<int, std::allocator<int> > >, long, main::{lambda(int, int)#1}'
printf 'main;sort;%s> 3\nmain;größe;%s, größe äöü> 2\nmain 1\n' "$name" "$name" >long.folded
profkit brief --budget 250 long.folded
# A name that would not become shorter stays as it is.
for length in 121 124; do
	printf "main;%0${length}d 3\n" 0 | tr 0 a >x.folded
	profkit brief --budget 250 x.folded | grep -o 'f[0-9] a.*' | head -n 1
done
