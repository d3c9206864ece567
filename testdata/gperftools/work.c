/* What cpu.prof and alloc.heap are of: see record.sh. */
#include <stdio.h>
#include <stdlib.h>

static inline __attribute__((always_inline)) unsigned mix(unsigned sum, unsigned i)
{
	return sum * 31 + (sum >> 3) + i;
}

__attribute__((noinline)) unsigned leaf(unsigned n)
{
	unsigned sum = n;

	for (unsigned i = 0; i < 200000; i++)
		sum = mix(sum, i);
	return sum;
}

__attribute__((noinline)) unsigned fib(unsigned n)
{
	if (n < 2)
		return n;
	return fib(n - 1) + fib(n - 2) + 1;
}

__attribute__((noinline)) char *keep(size_t size)
{
	return malloc(size);
}

__attribute__((noinline)) unsigned churn(unsigned n)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < n; i++) {
		char *block = keep(100);

		block[i % 100] = (char)i;
		sum += (unsigned)block[i % 100];
		free(block);
	}
	return sum;
}

int main(int argc, char **argv)
{
	unsigned sum = argc > 1 ? (unsigned)atoi(argv[1]) : 200, rounds = sum;
	char *kept = keep(5000);

	for (unsigned i = 0; i < rounds; i++)
		sum += leaf(i) + (i % 20 ? 0 : fib(22));
	sum += churn(1000);
	for (unsigned i = 0; i < 30; i++)
		kept = keep(1000 + sum % 2);
	return printf("%u %p\n", sum, (void *)kept) < 0;
}
