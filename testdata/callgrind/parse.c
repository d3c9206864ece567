/* What the fixtures of this folder are recordings of; parse.h is in record.sh. */
#include <pthread.h>

#include "parse.h"

__attribute__((noinline)) unsigned is_odd(unsigned n);

__attribute__((noinline)) unsigned is_even(unsigned n)
{
	return n == 0 ? 1 : is_odd(n - 1) + (n == 2);
}

__attribute__((noinline)) unsigned is_odd(unsigned n)
{
	return n == 0 ? 0 : is_even(n - 1) - (n == 1);
}

__attribute__((noinline)) unsigned fib(unsigned n)
{
	if (n < 2)
		return n;
	return fib(n - 1) + fib(n - 2);
}

__attribute__((noinline)) unsigned parse(const char *text)
{
	unsigned sum = 0;

	while (*text)
		sum = sum * 10 + next_digit(&text);
	return sum;
}

static void *work(void *times)
{
	unsigned sum = 0;

	for (long i = 0; i < (long)times; i++)
		sum += parse("271828");
	return (void *)(long)(sum + fib(8));
}

int main(void)
{
	pthread_t thread[2];
	unsigned sum = fib(10) + is_even(8) + is_odd(3);
	void *result;

	for (long i = 0; i < 2; i++)
		pthread_create(&thread[i], 0, work, (void *)((i + 1) * 50));
	for (int i = 0; i < 2; i++) {
		pthread_join(thread[i], &result);
		sum += (unsigned)(long)result;
	}
	for (int i = 0; i < 100; i++)
		sum += parse("31415926");
	return sum == 0;
}
