/* What the tables of this folder were made of: see record.sh. */
__attribute__((noinline)) unsigned leaf(unsigned n)
{
	unsigned sum = n;

	for (unsigned i = 0; i < 20000; i++)
		sum = sum * 31 + i;
	return sum;
}

__attribute__((noinline)) unsigned is_even(unsigned n);

__attribute__((noinline)) unsigned is_odd(unsigned n)
{
	return n == 0 ? 0 : is_even(n - 1) + (leaf(n) & 1);
}

__attribute__((noinline)) unsigned is_even(unsigned n)
{
	return n == 0 ? 1 : is_odd(n - 1) + (n & 1);
}

__attribute__((noinline)) unsigned fib(unsigned n)
{
	if (n < 2)
		return n;
	return fib(n - 1) + fib(n - 2) + 1;
}

static __attribute__((noinline)) unsigned middle(unsigned n)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < 3; i++)
		sum += leaf(n + i);
	return sum;
}

__attribute__((noinline)) unsigned never(unsigned n)
{
	return n ? middle(n) : 0;
}

int main(int argc, char **argv)
{
	unsigned sum = argc > 9 ? never((unsigned)argc) : 0;

	(void)argv;
	for (unsigned i = 0; i < 2000; i++)
		sum += middle(i) + (i % 50 ? 0 : is_even(40)) + (i % 200 ? 0 : fib(24));
	return sum == 1;
}
