/* Target of the fuzzer for SQL: statements over a small profile. */
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#include "base/alloc.h"
#include "base/io/output.h"
#include "fuzz/fuzz.h"
#include "fuzz/random_model.h"
#include "store/query.h"

#define MOST_MEMORY (128 << 20)
#define MOST_TIME 200000 /* us */

const char *fuzz_format; /* of replay; there is one alone */
static struct pk_query *query;
static struct pk_profiles list;

static void on_alarm(int number)
{
	(void)number;
	pk_query_interrupt(query);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

static void prepare(void)
{
	static const uint8_t seed[] = "any bytes will do here, and make a few rows of each table";
	struct pk_error err = PK_ERROR_INIT;

	sqlite3_hard_heap_limit64(MOST_MEMORY);
	pk_profiles_add(&list, pk_random_model(seed, sizeof(seed)));
	query = pk_query_open(&list, &err);
	if (!query) {
		fprintf(stderr, "%s\n", err.text);
		abort();
	}
	signal(SIGALRM, on_alarm);
}

static int show(struct pk_grid *grid, void *data, struct pk_error *err)
{
	struct pk_grid_frame frame = {.schema = "query"};
	struct pk_buf text = PK_BUF_INIT;
	struct pk_output *out = pk_output_to_buf(&text);
	size_t i;

	(void)data;
	pk_grid_render(grid, PK_TEXT, &frame, out);
	pk_output_commit(out, err);
	for (i = 0; i < text.len; i++) {
		if ((uint8_t)text.data[i] >= ' ' || text.data[i] == '\n')
			continue;
		fprintf(stderr, "control byte %d\n", text.data[i]);
		abort();
	}
	pk_buf_release(&text);
	return 0;
}

/* SQL over a profile: it can only read, and a wrong statement gives a message. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct itimerval timer = {.it_value = {.tv_usec = MOST_TIME}}, off = {0};
	char *sql = pk_strndup((const char *)data, size);
	struct pk_error err = PK_ERROR_INIT;

	if (!query)
		prepare();
	setitimer(ITIMER_REAL, &timer, NULL);
	if (pk_query_run(query, sql, show, NULL, &err) && (err.code == PK_OK || !err.text[0])) {
		fputs("failed without a message\n", stderr);
		abort();
	}
	setitimer(ITIMER_REAL, &off, NULL);
	free(sql);
	return 0;
}
