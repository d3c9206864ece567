/*
 * Writes a snapshot of torch's memory as torch.cuda.memory._dump_snapshot does, of any size, for
 * measurements: the same bytes for the same options, on every machine. pickle.load reads it.
 *
 *	gen_torch_memory [-n EVENTS] [-d DEPTH] [-k STACKS] [-r SEED]
 *
 * Blocks are allocated and freed, about 5,000 being live at a time. As in real files, each
 * allocation has a list of its own of the frames of its stack, each of which is a dict that was
 * written before; the two events of its being freed refer to that list. The pickle is as CPython
 * writes it (protocol 4, without frames): every text, list and dict goes into the memo, and 1,000
 * items are added at once.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/generate.h"

enum { LIVE = 5000, FRAMES = 3000, BATCH = 1000, KEYS = 16 };

static uint64_t events = 7000000;
static uint32_t depth = 48, stacks = 20000, memo;
static uint32_t frame_memo[FRAMES], *stack_frames;
static const char *known[KEYS];
static uint32_t known_memo[KEYS];
static struct {
	uint64_t addr, size;
	uint32_t list;
} live[LIVE];

static uint32_t memoize(void)
{
	putchar(0x94);
	return memo++;
}

static void get(uint32_t index)
{
	putchar(index < 256 ? 'h' : 'j');
	put_bytes(index, index < 256 ? 1 : 4);
}

static void put_text(const char *text)
{
	putchar(0x8C);
	put_bytes(strlen(text), 1);
	fputs(text, stdout);
	memoize();
}

/* Texts that come again and again. */
static void put_key(const char *key)
{
	int i = 0;

	while (known[i] && known[i] != key)
		i++;
	if (known[i]) {
		get(known_memo[i]);
		return;
	}
	known[i] = key;
	known_memo[i] = memo;
	put_text(key);
}

static void put_int(uint64_t v)
{
	if (v < 256) {
		putchar('K');
		put_bytes(v, 1);
	} else if (v < 1U << 31) {
		putchar('J');
		put_bytes(v, 4);
	} else {
		putchar(0x8A);
		put_bytes(8, 1);
		put_bytes(v, 8);
	}
}

static void put_frame(uint32_t frame)
{
	char text[60];

	if (frame_memo[frame]) {
		get(frame_memo[frame]);
		return;
	}
	putchar('}');
	frame_memo[frame] = memoize();
	putchar('(');
	put_key("name");
	snprintf(text, sizeof(text), "function_%u", frame);
	put_text(text);
	put_key("filename");
	snprintf(text, sizeof(text), "/srv/venv/lib/python3.12/site-packages/part_%u.py",
		 frame / 20);
	put_text(text);
	put_key("line");
	put_int(frame % 2000 + 1);
	putchar('u');
}

static uint32_t put_stack(uint32_t stack)
{
	uint32_t list;

	putchar(']');
	list = memoize();
	putchar('(');
	for (uint32_t i = 0; i < depth; i++)
		put_frame(stack_frames[stack * depth + i]);
	putchar('e');
	return list;
}

/* list 0: a new one of this stack; returns it. */
static uint32_t put_event(const char *action, uint64_t addr, uint64_t size, uint64_t time,
			  uint32_t list, uint32_t stack)
{
	putchar('}');
	memoize();
	putchar('(');
	put_key("action");
	put_key(action);
	put_key("addr");
	put_int(addr);
	put_key("size");
	put_int(size);
	put_key("stream");
	put_int(0);
	put_key("time_us");
	put_int(time);
	put_key("frames");
	if (list)
		get(list);
	else
		list = put_stack(stack);
	putchar('u');
	return list;
}

static void put_events(void)
{
	static const char alloc[] = "alloc", requested[] = "free_requested",
			  completed[] = "free_completed";
	uint64_t time = 1760000000000000, written = 0;

	for (uint64_t i = 0; written < events; i++) {
		uint32_t n = below(LIVE);
		bool free = live[n].addr;

		for (int step = 0; step < (free ? 2 : 1); step++, written++) {
			if (written % BATCH == 0)
				fputs(written ? "e(" : "(", stdout);
			if (free) {
				put_event(step ? completed : requested, live[n].addr, live[n].size,
					  time, live[n].list, 0);
				continue;
			}
			live[n].addr = 0x7F2000000000 + (uint64_t)n * (1 << 22);
			live[n].size = 512 + below(1 << 20);
			live[n].list = put_event(alloc, live[n].addr, live[n].size, time, 0,
						 below(stacks));
		}
		if (free)
			live[n].addr = 0;
		time += below(20);
	}
	putchar('e');
}

int main(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "n:d:k:r:")) != -1) {
		if (option == 'n')
			events = parse_count(optarg);
		else if (option == 'd')
			depth = (uint32_t)parse_count(optarg);
		else if (option == 'k')
			stacks = (uint32_t)parse_count(optarg);
		else if (option == 'r')
			seed = parse_count(optarg);
		else
			return 2;
	}
	stack_frames = allocate((size_t)stacks * depth, sizeof(*stack_frames));
	for (uint64_t i = 0; i < (uint64_t)stacks * depth; i++)
		stack_frames[i] = i % depth < depth / 2 ? below(FRAMES) : (uint32_t)(i % depth);
	fputs("\x80\x04}", stdout);
	memoize();
	putchar('(');
	put_key("segments");
	putchar(']');
	memoize();
	put_key("device_traces");
	putchar(']');
	memoize();
	putchar(']');
	memoize();
	put_events();
	fputs("au.", stdout);
	free(stack_frames);
	return fflush(stdout) || ferror(stdout);
}
