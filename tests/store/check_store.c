/* Stores: saving, loading, queries, damage, crashes. */
#include "tests/check_util.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/fixtures.h"
#include "model/build/builder.h"
#include "model/part/part.h"
#include "tests/dump.h"
#include "readers/reader.h"
#include "base/sqlite/db.h"
#include "store/query.h"
#include "store/save.h"
#include "store/schema_sql.h"
#include "store/store.h"
#include "writers/writer.h"

static char folder[200];

/* Every test has an empty folder of its own to work in. */
static void enter_folder(void)
{
	ck_assert_ptr_nonnull(mkdtemp(temporary(folder, sizeof(folder), "check_store")));
	ck_assert_int_eq(chdir(folder), 0);
}

static void leave_folder(void)
{
	char command[220];

	ck_assert_int_eq(chdir("/"), 0);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	ck_assert_int_eq(system(command), 0);
}

/* SQLite keeps whole reals as integers, which have no negative zero. */
static void drop_zero_signs(struct pk_buf *text)
{
	char *at = text->len ? text->data : "";

	while ((at = strstr(at, " -0"))) {
		if (at[3] == ' ' || at[3] == '\n') {
			memmove(at + 1, at + 2, strlen(at + 2) + 1);
			text->len--;
		}
		at++;
	}
}

static struct pk_buf dump(const struct pk_profiles *list)
{
	struct pk_buf text = PK_BUF_INIT;
	struct pk_output *out = pk_output_to_buf(&text);
	struct pk_error err = PK_ERROR_INIT;

	for (size_t i = 0; i < list->count; i++) {
		if (pk_profile_check(list->item[i], &err))
			ck_abort_msg("%s", err.text);
		pk_profile_dump(list->item[i], out);
	}
	ck_assert_int_eq(pk_output_commit(out, &err), 0);
	drop_zero_signs(&text);
	return text;
}

static void save(const struct pk_profiles *list, const char *path)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_output *out = pk_output_open(path, &err);

	if (!out || pk_write(pk_writer_find("store"), list, NULL, out, &err) ||
	    pk_output_commit(out, &err))
		ck_abort_msg("saving: %s", err.text);
}

static void load(const char *path, struct pk_profiles *list)
{
	struct pk_error err = PK_ERROR_INIT;

	*list = (struct pk_profiles){0};
	if (pk_read_file(path, NULL, list, &err))
		ck_abort_msg("%s", err.text);
}

static void assert_same(const struct pk_profiles *a, const struct pk_profiles *b, const char *what)
{
	struct pk_buf x = dump(a), y = dump(b);
	size_t i = 0, line;

	ck_assert_uint_eq(a->count, b->count);
	while (i < x.len && i < y.len && x.data[i] == y.data[i])
		i++;
	for (line = i; line && x.data[line - 1] != '\n'; line--)
		;
	if (x.len != y.len || i < x.len)
		ck_abort_msg("%s: saved %.60s, loaded %.60s", what, x.data + line, y.data + line);
	pk_buf_release(&x);
	pk_buf_release(&y);
}

static void round_trip(const struct pk_profiles *list, const char *path, const char *what)
{
	struct pk_profiles back;

	save(list, path);
	load(path, &back);
	assert_same(list, &back, what);
	pk_profiles_release(&back);
}

struct seen {
	int count;
	char format[64]; /* of the runs */
	struct pk_profiles runs;
};

/* All of a format in one store: a store for each takes twice the time. */
static void save_format(struct seen *seen)
{
	struct pk_profiles first = {seen->runs.item, 1, 1};

	if (!seen->runs.count)
		return;
	round_trip(&seen->runs, "plain.db", seen->format);
	/* Compressed, by way of memory in both directions: one of each format will do. */
	round_trip(&first, "packed.db.gz", seen->format);
	pk_profiles_release(&seen->runs);
	seen->runs = (struct pk_profiles){0};
}

static void save_fixture(const struct fixture *f, void *data)
{
	struct pk_read_options options = {.format = f->bad ? f->format : NULL, .wanted = ~0U};
	struct pk_profiles list = {0};
	struct pk_error err = PK_ERROR_INIT;
	struct seen *seen = data;

	if (strcmp(seen->format, f->format) != 0) {
		save_format(seen);
		snprintf(seen->format, sizeof(seen->format), "%s", f->format);
	}
	if (pk_read_file(f->path, &options, &list, &err) || !list.count)
		return;
	for (size_t i = 0; i < list.count; i++)
		pk_profiles_add(&seen->runs, list.item[i]);
	list.count = 0;
	pk_profiles_release(&list);
	seen->count++;
}

START_TEST(fixtures_are_saved_and_loaded)
{
	struct seen seen = {0};

	enter_folder();
	walk_fixtures(save_fixture, &seen);
	save_format(&seen);
	ck_assert_int_gt(seen.count, 20);
	leave_folder();
}
END_TEST

/* Something in every table and column, the ends of every range. */
static struct pk_profile *make_profile(const char *label)
{
	struct pk_builder *b = pk_builder_new();
	struct pk_function frame = {.name = pk_build_text(b, "f"), .line = UINT32_MAX};
	struct pk_location place = {.line = 12, .column = UINT32_MAX, .address = UINT64_MAX};
	struct pk_thread thread = {.tid = INT64_MAX, .incarnation = 3, .role = PK_ROLE_RANK};
	uint32_t time = pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_SAMPLED);
	uint32_t odd = pk_build_metric(b, "odd", "furlongs", 3, PK_METRIC_COUNT, PK_ROUNDED);
	uint32_t f, g, root, leaf, t, span, set, row;
	struct pk_mapping mapping = {.start = UINT64_MAX - 1, .limit = UINT64_MAX, .offset = 7};
	struct pk_label labels[2];

	pk_build_run_text(b, PK_RUN_LABEL, label);
	pk_build_run_text(b, PK_RUN_COMMAND, "");
	pk_build_set(b, run, start, 1, INT64_MAX);
	pk_build_period(b, -1);
	pk_build_meta(b, "key", "value");
	pk_build_meta(b, "key", "value");
	pk_build_repair(b, NULL, "mended", "line %d", 3);
	frame.file = pk_build_string(b, "nul\0inside", 10);
	frame.module = pk_build_string(b, "not \xff\xfe utf-8", 11);
	frame.system_name = pk_build_text(b, "_Zf");
	frame.kind = PK_KIND_GPU;
	f = pk_build_function(b, &frame);
	g = pk_build_label(b, "g;';--\n", 7);
	place.function = pk_builder_profile(b)->location.function[g];
	place.inlined = true;
	mapping.build_id = pk_build_text(b, "abc");
	place.mapping = pk_build_mapping(b, &mapping);
	thread.process = pk_build_process(b, -1, pk_build_text(b, "\xe2\x82\xac"), 7);
	t = pk_build_thread(b, &thread);
	root = pk_build_node(b, 0, pk_build_place(b, f, 0));
	leaf = pk_build_node(b, pk_build_node(b, root, pk_build_location(b, &place)),
			     pk_build_place(b, f, 0));
	pk_build_node_estimated(b, leaf);
	pk_build_cost(b, 0, root, time, INT64_MAX, PK_NULL);
	pk_build_cost(b, t, leaf, time, -5, 7);
	pk_build_cost(b, t, leaf, odd, 1, PK_NULL);
	labels[0] = (struct pk_label){.key = pk_build_text(b, "user"),
				      .text = pk_build_text(b, "\xff"),
				      .number = PK_NULL};
	labels[1] = (struct pk_label){
		.key = pk_build_text(b, "size"), .number = -1, .unit = pk_build_text(b, "bytes")};
	set = pk_build_label_set(b, labels, 2);
	pk_build_cost_of(b, &(struct pk_cost){t, leaf, odd, set, 3, PK_NULL, false});
	pk_build_set(b, metric, aggregate, odd, PK_AGGREGATE_LAST);
	pk_build_set(b, metric, counts, time, odd);
	row = pk_build_sample(b, 0, t, leaf, time, 1);
	pk_build_set(b, sample, labels, row, set);
	pk_build_set(b, sample, event, row, UINT32_MAX);
	pk_build_sample(b, PK_NULL, 0, root, odd, PK_NULL);
	pk_build_value(b, &(struct pk_value){root, time, 0, 0.1, 3, true});
	pk_build_value(b, &(struct pk_value){root, time, t, 1e-300, PK_NULL, false});
	span = pk_build_span(b, 5, 0, t, leaf, pk_build_text(b, "category"));
	pk_build_instant(b, 9, t, pk_build_text(b, "instant"), 0);
	pk_build_counter(b, 1, thread.process, pk_build_text(b, "c"), 0, -INFINITY);
	pk_build_counter(b, 2, 0, pk_build_text(b, "c"), pk_build_text(b, "s"), 1e-300);
	pk_build_counter(b, 3, 0, pk_build_text(b, "c"), 0, NAN);
	pk_build_flow(b, span, pk_build_span(b, 6, 1, 0, root, 0), 0);
	pk_build_arg(b, PK_TABLE_SPAN, span, pk_build_text(b, "a"), pk_build_text(b, "b"));
	pk_build_arg_object(b, PK_TABLE_SPAN, span, "{\"a\": -5, \"b\": [1]}", 19);
	pk_build_set(b, span, labels, span, set);
	pk_build_source(b, pk_build_text(b, "a.c"), pk_build_text(b, "int a;"));
	return pk_builder_finish(b);
}

static struct pk_profile *make_edges(void)
{
	struct pk_builder *b = pk_builder_new();
	uint32_t time = pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_EXACT);
	uint32_t f = pk_build_function(b, &(struct pk_function){.name = pk_build_text(b, "f")});
	uint32_t g = pk_build_function(b, &(struct pk_function){.name = pk_build_text(b, "g")});
	struct pk_edge edges[] = {
		{0, f, time, 1, 1, 10, 30, NAN, 3e-8, 0},
		{0, g, time, 5, 2, 20, 20, 2e-8, NAN, 0},
		{f, g, time, 2, 2, 20, 20, 0.5, 0.5, 0},
		{g, g, time, 3, PK_NULL, PK_NULL, PK_NULL, NAN, NAN, 7},
	};

	for (size_t i = 0; i < sizeof(edges) / sizeof(*edges); i++)
		pk_build_edge(b, &edges[i]);
	return pk_builder_finish(b);
}

/* A step of a GPU, a worker and a collective, whose numbers all differ. */
static void describe(struct pk_reduction *part, const struct pk_profile *p, uint32_t member)
{
	uint32_t name = pk_build_text(part->b, "name");
	struct pk_part_collective c = {.communicator = pk_build_text(part->b, "group"),
				       .name = name,
				       .type = pk_build_text(part->b, "Float"),
				       .guessed = true,
				       .place = 1,
				       .size = 2,
				       .bytes = PK_NULL,
				       .ranks = 3,
				       .time = 4,
				       .exposed = 5,
				       .shortest = 6,
				       .longest = 7,
				       .shortest_in = member,
				       .shortest_gpu = 1};
	uint64_t step[] = {member, 1, name, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

	uint64_t worker[] = {member, PK_BY_RANK, 2, 3,  4,  name, 5,  6,  name, 1,
			     7,      8,          9, 10, 11, 12,   13, 14, 15};

	(void)p;
	ck_assert_int_eq(sizeof(worker) / sizeof(*worker), pk_tables[PK_TABLE_WORKER].column_count);
	pk_part_put(part, PK_TABLE_WORKER, worker, sizeof(worker) / sizeof(*worker));
	ck_assert_int_eq(sizeof(step) / sizeof(*step), pk_tables[PK_TABLE_GPU_STEP].column_count);
	pk_part_put(part, PK_TABLE_GPU_STEP, step, sizeof(step) / sizeof(*step));
	pk_part_add_collective(part, &c);
}

static struct pk_profile *make_part(void)
{
	struct pk_merging *m = pk_merge_begin_part();
	struct pk_profile *p = make_profile("in a part");
	struct pk_error err = PK_ERROR_INIT;

	pk_merge_describe(m, describe);
	ck_assert_msg(!pk_merge_add(m, p, 0, &err), "%s", err.text);
	pk_profile_free(p);
	return pk_merge_end(m);
}

static void make_list(struct pk_profiles *list)
{
	*list = (struct pk_profiles){0};
	pk_profiles_add(list, make_profile("one"));
	pk_profiles_add(list, make_edges());
	pk_profiles_add(list, make_profile("three"));
	pk_profiles_add(list, pk_builder_finish(pk_builder_new()));
	pk_profiles_add(list, make_part());
}

START_TEST(every_value_survives)
{
	struct pk_profiles list, one;

	enter_folder();
	make_list(&list);
	round_trip(&list, "plain.db", "several runs");
	round_trip(&list, "packed.db.gz", "several runs");
	for (size_t i = 0; i < list.count; i++) {
		one = (struct pk_profiles){&list.item[i], 1, 1};
		round_trip(&one, "plain.db", "one run");
		round_trip(&one, "packed.db.gz", "one run");
	}
	for (int i = 0; i < PK_TABLE_COUNT; i++) /* the test would miss an empty table */
		ck_assert_msg(pk_table_rows(list.item[i == PK_TABLE_EDGE     ? 1
						      : i >= PK_TABLE_MEMBER ? 4
									     : 0],
					    &pk_tables[i]) > 1,
			      "%s is empty", pk_tables[i].name);
	pk_profiles_release(&list);
	leave_folder();
}
END_TEST

/* The rows of a query as text: type and value of every cell. */
static char *rows_of(sqlite3 *db, const char *sql)
{
	struct pk_buf text = PK_BUF_INIT;
	sqlite3_stmt *stmt;
	int rc;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
		ck_abort_msg("%s: %s", sql, sqlite3_errmsg(db));
	while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) {
		for (int i = 0; i < sqlite3_column_count(stmt); i++) {
			const char *value = (const char *)sqlite3_column_text(stmt, i);

			pk_buf_addf(&text, "%d %s|", sqlite3_column_type(stmt, i),
				    value ? value : "");
		}
		pk_buf_addc(&text, '\n');
	}
	if (rc != SQLITE_DONE)
		ck_abort_msg("%s: %s", sql, sqlite3_errmsg(db));
	sqlite3_finalize(stmt);
	return pk_buf_detach(&text);
}

/* Conditions that the virtual tables answer themselves, and how they may be asked. */
static const char *const queries[] = {
	"SELECT * FROM %sfunction WHERE run = 1",
	"SELECT * FROM %sfunction WHERE run = '1' AND id = 2.0",
	"SELECT * FROM %sfunction WHERE id = 1.5",
	"SELECT * FROM %sfunction WHERE id = NULL",
	"SELECT * FROM %sfunction WHERE id = 'x'",
	"SELECT * FROM %sfunction WHERE run = x'31'",
	"SELECT * FROM %snode WHERE id > 1 ORDER BY run, id",
	"SELECT * FROM %snode WHERE id >= 2 AND id < 3",
	"SELECT * FROM %snode WHERE id > 1.5 AND id <= 2.5",
	"SELECT * FROM %snode WHERE id < 'x' AND run < 2",
	"SELECT * FROM %snode WHERE id > 9223372036854775807",
	"SELECT * FROM %snode WHERE id < -9223372036854775808",
	"SELECT * FROM %snode WHERE id <= 0 OR id >= 3",
	"SELECT * FROM %snode WHERE run IN (1, 3, 7) AND id IN (1, 3)",
	"SELECT * FROM %snode WHERE run > 1 ORDER BY id DESC, run DESC",
	"SELECT * FROM %snode WHERE parent = 1 AND run = 3",
	"SELECT * FROM %snode WHERE parent = 0",
	"SELECT * FROM %snode WHERE parent IS NULL",
	"SELECT * FROM %snode WHERE parent = 4294967297",
	"SELECT * FROM %snode WHERE parent = -1",
	"SELECT * FROM %slocation WHERE line = 0",
	"SELECT * FROM %slocation WHERE line = 12 AND id > 1 AND id < 9",
	"SELECT * FROM %snode WHERE location = 1 AND parent = 2",
	"SELECT * FROM %scost WHERE metric = 1 ORDER BY run",
	"SELECT * FROM %scost WHERE metric = 2",
	"SELECT * FROM %scost WHERE thread = 1",
	"SELECT * FROM %scost WHERE run >= 2 AND run <= 3",
	"SELECT * FROM %sarg WHERE owner = 'span' AND row = 1",
	"SELECT * FROM %srun WHERE run = 2",
	"SELECT * FROM %sstring WHERE text = 'f'",
	"SELECT * FROM %scounter ORDER BY time",
	"SELECT * FROM %sedge WHERE caller IS NULL AND callee = 2",
	"SELECT * FROM %sfunctions WHERE line IS NOT NULL",
	"SELECT * FROM %sfunction_cost ORDER BY run, function, module, metric",
	"SELECT * FROM %spath ORDER BY run, node",
	"SELECT * FROM %spath WHERE run = 3 AND node = 3",
	"SELECT n.run, n.id, c.self FROM %snode n LEFT JOIN %scost c ON c.run = n.run AND "
	"c.node = n.id AND c.metric = 1",
	"SELECT s.id, a.value FROM %sspan s LEFT JOIN %sarg a ON a.run = s.run AND a.row = s.id",
	"SELECT count(*), sum(c.self) FROM %scost c JOIN %snode n USING (run) WHERE n.id = c.node "
	"AND c.metric = 2",
};

/* Rows of virtual tables equal those of tables. */
START_TEST(conditions_find_the_same_rows)
{
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profiles list;
	sqlite3 *virtual, *stored;

	enter_folder();
	make_list(&list);
	save(&list, "a.db");
	ck_assert_int_eq(sqlite3_open("a.db", &stored), SQLITE_OK);
	ck_assert_int_eq(sqlite3_open(":memory:", &virtual), SQLITE_OK);
	ck_assert_ptr_nonnull(pk_catalog_attach(virtual, &list, &err));
	for (int i = 0; i < PK_SQL_VIEW_COUNT; i++) {
		struct pk_buf sql = PK_BUF_INIT;

		pk_sql_create_view(&sql, "main", i, true);
		ck_assert_int_eq(pk_db_exec(virtual, &err, "%s", sql.data), 0);
		pk_buf_release(&sql);
	}
	for (size_t i = 0; i < sizeof(queries) / sizeof(*queries); i++) {
		char *sql = sqlite3_mprintf(queries[i], "main.", "main.");
		char *a = rows_of(virtual, sql), *b = rows_of(stored, sql);

		if (strcmp(a, b))
			ck_abort_msg("%s\nvirtual:\n%sstored:\n%s", sql, a, b);
		free(a);
		free(b);
		sqlite3_free(sql);
	}
	sqlite3_close(virtual);
	sqlite3_close(stored);
	pk_profiles_release(&list);
	leave_folder();
}
END_TEST

/* rowid is run * 2^32 + id; a lookup by it needs no scan. */
START_TEST(rowids_find_rows)
{
	static const char *const by_rowid[] = {"rowid = %lld", "rowid >= %lld AND rowid < %lld + 1",
					       "rowid > %lld - 1 AND rowid <= %lld"};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profiles list;
	sqlite3 *db;

	make_list(&list);
	ck_assert_int_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
	ck_assert_ptr_nonnull(pk_catalog_attach(db, &list, &err));
	for (size_t i = 0; i < 3; i++) {
		long long rowid = (3LL << 32) + 2;
		char *where = sqlite3_mprintf(by_rowid[i], rowid, rowid);
		int64_t count, id;

		ck_assert_int_eq(
			pk_db_value(db, &count, &err, "SELECT count(*) FROM node WHERE %s", where),
			0);
		ck_assert_int_eq(count, 1);
		ck_assert_int_eq(pk_db_value(db, &id, &err,
					     "SELECT run * 10 + id FROM node WHERE %s", where),
				 0);
		ck_assert_int_eq(id, 32);
		sqlite3_free(where);
	}
	sqlite3_close(db);
	pk_profiles_release(&list);
}
END_TEST

static void add(const char *path, struct pk_profile *p, const char *label, const char *meta,
		int64_t expected)
{
	struct pk_profiles one = {&p, 1, 1};
	struct pk_store_notes notes = {label, &meta, meta ? 1 : 0};
	struct pk_error err = PK_ERROR_INIT;
	int64_t run;

	if (pk_store_add(path, &one, &notes, &run, &err))
		ck_abort_msg("%s", err.text);
	if (expected)
		ck_assert_int_eq(run, expected);
}

static void remove_run(const char *path, const char *label, size_t expected)
{
	struct pk_error err = PK_ERROR_INIT;
	size_t count;

	if (pk_store_remove(path, label, &count, &err))
		ck_abort_msg("%s", err.text);
	ck_assert_uint_eq(count, expected);
}

/* "1 one, 2 -, ..." */
static char *listed(const char *path)
{
	struct pk_buf text = PK_BUF_INIT;
	struct pk_error err = PK_ERROR_INIT;
	struct pk_store_list list;

	if (pk_store_list(path, &list, &err))
		ck_abort_msg("%s", err.text);
	pk_buf_adds(&text, "");
	for (size_t i = 0; i < list.count; i++)
		pk_buf_addf(&text, "%s%lld %s", i ? ", " : "", (long long)list.item[i].run,
			    list.item[i].label ? list.item[i].label : "-");
	pk_store_list_release(&list);
	return pk_buf_detach(&text);
}

static void assert_listed(const char *path, const char *expected)
{
	char *text = listed(path);

	ck_assert_str_eq(text, expected);
	free(text);
}

static void assert_sound(const char *path)
{
	struct pk_error err = PK_ERROR_INIT;
	char *text;
	sqlite3 *db;

	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	ck_assert_int_eq(pk_db_exec(db, &err, "PRAGMA foreign_keys = ON"), 0);
	text = rows_of(db, "PRAGMA integrity_check");
	ck_assert_str_eq(text, "3 ok|\n");
	free(text);
	text = rows_of(db, "PRAGMA foreign_key_check");
	ck_assert_str_eq(text, "");
	free(text);
	sqlite3_close(db);
}

START_TEST(runs_come_and_go)
{
	struct pk_profile *p = make_profile(NULL), *q = make_profile("mine");
	struct pk_profiles list, back;
	struct pk_error err = PK_ERROR_INIT;
	size_t count;

	enter_folder();
	add("a.db", p, NULL, NULL, 1);
	add("a.db", p, "x", "commit=1f3=c", 2);
	add("a.db", q, NULL, NULL, 3);
	add("a.db", p, "x", NULL, 4);
	assert_listed("a.db", "1 -, 2 x, 3 mine, 4 x");
	load("a.db@x", &back);
	ck_assert_uint_eq(back.count, 2);
	ck_assert_str_eq(pk_text(back.item[0], back.item[0]->meta.value[3]), "1f3=c");
	pk_profiles_release(&back);
	load("a.db@3", &back);
	list = (struct pk_profiles){&q, 1, 1};
	assert_same(&list, &back, "the third run");
	pk_profiles_release(&back);
	remove_run("a.db", "x", 2);
	remove_run("a.db", "3", 1);
	ck_assert_int_eq(pk_store_remove("a.db", "x", &count, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "no run 'x'"));
	add("a.db", q, NULL, NULL, 5);
	assert_listed("a.db", "1 -, 5 mine");
	assert_sound("a.db");
	pk_profile_free(p);
	pk_profile_free(q);
	leave_folder();
}
END_TEST

START_TEST(many_may_add_at_once)
{
	enum { PROCESSES = 50 };
	struct pk_profiles back;
	pid_t child[PROCESSES];
	int status;

	enter_folder();
	for (int i = 0; i < PROCESSES; i++) {
		child[i] = fork();
		if (!child[i]) {
			char label[20];

			snprintf(label, sizeof(label), "p%d", i);
			add("a.db", make_profile(label), NULL, NULL, 0);
			_exit(0);
		}
	}
	for (int i = 0; i < PROCESSES; i++) {
		ck_assert_int_eq(waitpid(child[i], &status, 0), child[i]);
		ck_assert_int_eq(status, 0);
	}
	load("a.db", &back);
	ck_assert_uint_eq(back.count, PROCESSES);
	pk_profiles_release(&back);
	for (int i = 0; i < PROCESSES; i++) {
		char path[20];

		snprintf(path, sizeof(path), "a.db@p%d", i);
		load(path, &back);
		ck_assert_uint_eq(back.count, 1);
		pk_profiles_release(&back);
	}
	assert_sound("a.db");
	leave_folder();
}
END_TEST

static struct pk_profile *make_large(void)
{
	struct pk_builder *b = pk_builder_new();
	uint32_t time = pk_build_metric(b, "time", "ns", 0, PK_METRIC_TIME, PK_SAMPLED);
	uint32_t node = pk_build_node(b, 0, pk_build_label(b, "f", 1));

	for (int i = 0; i < 400000; i++)
		pk_build_sample(b, i, 0, node, time, i);
	return pk_builder_finish(b);
}

/* Killed in the middle, whenever that is: what was there before is there after. */
START_TEST(a_killed_process_leaves_the_store_as_it_was)
{
	struct pk_profile *p = make_profile("first"), *large = make_large();
	struct stat st;
	off_t before;

	enter_folder();
	add("a.db", p, NULL, NULL, 1);
	stat("a.db", &st);
	before = st.st_size;
	for (int attempt = 0; attempt < 5; attempt++) {
		pid_t child = fork();
		char *text;
		int status;

		if (!child) {
			add("a.db", large, "large", NULL, 0);
			_exit(0);
		}
		do { /* until rows reach the file, long before the commit */
			ck_assert_int_eq(stat("a.db", &st), 0);
		} while (st.st_size <= before && !waitpid(child, &status, WNOHANG));
		kill(child, SIGKILL);
		waitpid(child, &status, 0);
		text = listed("a.db");
		ck_assert_msg(pk_starts_with(text, "1 first"), "%s", text);
		if (strcmp(text, "1 first") == 0 && attempt == 4)
			add("a.db", p, "after", NULL, 0);
		free(text);
		assert_sound("a.db");
	}
	pk_profile_free(p);
	pk_profile_free(large);
	leave_folder();
}
END_TEST

/* Changes of a good store, and the message that reading it must give. */
static const struct {
	const char *sql, *message;
} hostile[] = {
	{"PRAGMA application_id = 5", "not a profkit store"},
	{"PRAGMA user_version = 8", "newer profkit"},
	{"PRAGMA user_version = 0", "version 0"},
	{"DROP TABLE cost", "no table 'cost'"},
	{"DROP TABLE function_total", "no table 'function_total'"},
	{"DROP VIEW path; ALTER TABLE cost RENAME TO c; CREATE VIEW cost AS SELECT * FROM c",
	 "no table 'cost'"},
	{"DROP TABLE meta; CREATE VIRTUAL TABLE meta USING fts5(run, key, value)",
	 "no such module: fts5"},
	{"DROP TABLE meta; CREATE TABLE meta(run, key, value AS (printf('%.*c', 100000000, 'x')))",
	 "computed columns"},
	{"DROP TABLE meta; CREATE TABLE meta(run, key)", "no such column"},
	{"UPDATE cost SET self = 'much'", "'self' is not a whole number"},
	{"UPDATE cost SET self = 0.5", "'self' is not a whole number"},
	{"UPDATE cost SET node = -1", "'node' is out of range"},
	{"UPDATE cost SET node = 4294967296", "'node' is out of range"},
	{"UPDATE cost SET node = 4294967295", "refers to node"},
	{"UPDATE cost SET node = NULL", "lacks node"},
	{"UPDATE cost SET metric = 7", "cost"},
	{"UPDATE node SET parent = id", "before its parent"},
	{"UPDATE node SET location = NULL", "no location"},
	{"UPDATE location SET function = NULL", "no function"},
	{"UPDATE node SET estimated = 256", "out of range"},
	{"UPDATE function SET kind = 'cobol'", "none of its values"},
	{"UPDATE function SET kind = NULL", "none of its values"},
	{"UPDATE function SET kind = 1", "none of its values"},
	{"UPDATE function SET name = 99", "refers to string 99"},
	{"UPDATE arg SET owner = 'nobody'", "none of its values"},
	{"UPDATE metric SET exponent = 19", "exponent"},
	{"UPDATE counter SET value = 'x'", "'value' is not a number"},
	{"UPDATE string SET text = 5 WHERE id = 1; UPDATE string SET text = NULL", "is not a text"},
	{"DELETE FROM function WHERE id = 1", "not 1, 2, 3"},
	{"UPDATE function SET id = id + 1000", "not 1, 2, 3"},
	{"UPDATE string SET id = -id", "not 1, 2, 3"},
	{"DELETE FROM string", "refers to string"},
};

/* Harmless changes: reading must give the saved profile. */
static const char *const harmless[] = {
	"CREATE TABLE other(x); CREATE VIEW mine AS SELECT * FROM other",
	"CREATE TRIGGER t BEFORE INSERT ON run BEGIN SELECT RAISE(ABORT, 'no'); END",
	"CREATE INDEX cost_node ON cost(run, node); ANALYZE; VACUUM",
	"UPDATE function_total SET self = 'x'", /* is computed again */
	"PRAGMA journal_mode = WAL",
	"ALTER TABLE cost ADD COLUMN mine TEXT DEFAULT 'x'",
};

static void change(const char *path, const char *sql)
{
	char *message = NULL;
	sqlite3 *db;

	ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
		ck_abort_msg("%s: %s", sql, message);
	sqlite3_close(db);
}

static void assert_refused(const char *path, const char *sql, const char *expected)
{
	struct pk_profiles back = {0};
	struct pk_error err = PK_ERROR_INIT;

	if (!pk_read_file(path, NULL, &back, &err))
		ck_abort_msg("was read after: %s", sql);
	ck_assert_uint_eq(back.count, 0);
	if (!strstr(err.text, expected))
		ck_abort_msg("%s\nsays: %s\nnot: %s", sql, err.text, expected);
}

START_TEST(hostile_stores_are_refused)
{
	struct pk_profile *p = make_profile("one");
	struct pk_profiles list = {&p, 1, 1}, back;

	enter_folder();
	for (size_t i = 0; i < sizeof(hostile) / sizeof(*hostile); i++) {
		save(&list, "a.db");
		change("a.db", hostile[i].sql);
		assert_refused("a.db", hostile[i].sql, hostile[i].message);
		ck_assert_int_eq(system("gzip -f a.db"), 0);
		assert_refused("a.db.gz", hostile[i].sql, hostile[i].message);
	}
	for (size_t i = 0; i < sizeof(harmless) / sizeof(*harmless); i++) {
		save(&list, "a.db");
		change("a.db", harmless[i]);
		load("a.db", &back);
		assert_same(&list, &back, harmless[i]);
		pk_profiles_release(&back);
		ck_assert_int_eq(system("gzip -f a.db"), 0);
		load("a.db.gz", &back);
		assert_same(&list, &back, harmless[i]);
		pk_profiles_release(&back);
	}
	pk_profile_free(p);
	leave_folder();
}
END_TEST

/* Rows of a crafted file may share their pages, and stand for more than it holds. */
START_TEST(what_a_file_costs_is_bounded)
{
	struct pk_profile *p = make_profile("one");
	struct pk_profiles list = {&p, 1, 1};

	enter_folder();
	save(&list, "a.db");
	change("a.db",
	       "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = (SELECT "
	       "rootpage FROM sqlite_master WHERE name = 'string') WHERE name = 'function'");
	assert_refused("a.db", "function is string", "function");
	pk_profile_free(p);
	leave_folder();
}
END_TEST

static int ignore_result(struct pk_grid *grid, void *data, struct pk_error *err)
{
	(void)err;
	*(size_t *)data += grid->rows;
	return 0;
}

START_TEST(queries_only_read)
{
	static const struct {
		const char *sql, *message;
	} wrong[] = {
		{"CREATE TABLE x(a)", "only reading"},
		{"CREATE TEMP TABLE x(a)", "only reading"},
		{"CREATE VIEW x AS SELECT 1", "only reading"},
		{"INSERT INTO run(run) VALUES (1)", "only reading"},
		{"DELETE FROM run", "may not be modified"},
		{"DROP TABLE run", "only reading"},
		{"DROP VIEW path", "only reading"},
		{"ATTACH 'x.db' AS x", "only reading"},
		{"VACUUM INTO 'x.db'", "only reading"},
		{"BEGIN", "only reading"},
		{"SAVEPOINT a", "only reading"},
		{"ANALYZE", "only reading"},
		{"PRAGMA journal_mode = OFF", "only reading"},
		{"PRAGMA writable_schema = ON", "only reading"},
		{"SELECT load_extension('x')", "load_extension"},
		{"SELECT fts3_tokenizer('simple')", "fts3_tokenizer"},
		{"SELECT readfile('x.db')", "readfile"},
#if SQLITE_VERSION_NUMBER >= 3038000 /* before, it did not say where */
		{"SELECT 1;\nSELECT\n\tnope", "line 3, column 2 ('nope')"},
#endif
		{"SELECT (1", "incomplete"},
		{"SELECT regexp('(', 'x')", "missing closing parenthesis"},
		{"SELECT percentile(1, 101)", "0 to 100"},
		{"SELECT percentile(x, x) FROM (SELECT 1 AS x UNION SELECT 2)", "0 to 100"},
	};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_profiles list;
	struct pk_query *q;
	size_t rows = 0;

	make_list(&list);
	q = pk_query_open(&list, &err);
	ck_assert_ptr_nonnull(q);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		ck_assert_msg(pk_query_run(q, wrong[i].sql, ignore_result, &rows, &err), "%s",
			      wrong[i].sql);
		ck_assert_msg(strstr(err.text, wrong[i].message), "%s: %s", wrong[i].sql, err.text);
	}
	ck_assert_int_ne(access("x.db", F_OK), 0);
	rows = 0;
	ck_assert_int_eq(pk_query_run(q, "-- none\n; VALUES (1), (2); PRAGMA table_list;",
				      ignore_result, &rows, &err),
			 0);
	ck_assert_uint_gt(rows, 20);
	ck_assert_int_eq(pk_query_count(q, "; SELECT 1; ;-- x\nSELECT 2", &err), 2);
	pk_query_close(q);
	pk_profiles_release(&list);
}
END_TEST

START_TEST(a_statement_that_takes_too_much_memory)
{
#define COUNT \
	"WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 300000) SELECT "
	static const char *const greedy[] = {
		"SELECT zeroblob(100000000)",
		"SELECT length(printf('%.*c', 100000000, 'x'))",
		COUNT "x FROM c",
		COUNT "median(x) FROM c",
		COUNT "length(group_concat(x || 'and some more')) FROM c",
	};
	struct pk_error err;
	struct pk_profiles list;
	struct pk_query *q;
	size_t rows = 0;

	make_list(&list);
	q = pk_query_open(&list, &err);
	ck_assert_ptr_nonnull(q);
	pk_query_limit_memory(q, 2 << 20);
	for (size_t i = 0; i < sizeof(greedy) / sizeof(*greedy); i++) {
		err = (struct pk_error)PK_ERROR_INIT;
		ck_assert_msg(pk_query_run(q, greedy[i], ignore_result, &rows, &err), "%s",
			      greedy[i]);
		ck_assert_int_eq(err.code, PK_ELIMIT);
		ck_assert_msg(strstr(err.text, "may take 2 MB"), "%s: %s", greedy[i], err.text);
	}
	ck_assert_int_eq(pk_query_run(q, COUNT "max(x) FROM c", ignore_result, &rows, &err), 0);
	pk_query_close(q);
	pk_profiles_release(&list);
#undef COUNT
}
END_TEST

static int first_cell(struct pk_grid *grid, void *data, struct pk_error *err)
{
	const struct pk_cell *cell = grid->cells;
	struct pk_buf *text = data;

	(void)err;
	text->len = 0;
	if (cell->null)
		pk_buf_adds(text, "null");
	else if (grid->columns[0].type == PK_CELL_TEXT)
		pk_buf_add(text, cell->text, cell->len);
	else if (grid->columns[0].type == PK_CELL_REAL)
		pk_buf_addf(text, "%g", cell->real);
	else
		pk_buf_addf(text, "%lld", (long long)cell->integer);
	return 0;
}

START_TEST(functions_give_what_they_say)
{
	static const struct {
		const char *sql, *value;
	} cases[] = {
		{"SELECT 'abc' REGEXP '^a.c$'", "1"},
		{"SELECT 'abc' REGEXP 'b{2}'", "0"},
		{"SELECT NULL REGEXP 'b'", "null"},
		{"SELECT 'a1ä' REGEXP '^\\w\\d(?!b)\\w$'", "1"},
		{"SELECT printf('%.*c', 2000, 'a') REGEXP '^(a+)+(.*)\\1\\2b$'", "0"},
		{"SELECT sum(function REGEXP '^f$') FROM function_cost WHERE run = 2", "1"},
		{"SELECT basename('/a/b.py')", "b.py"},
		{"SELECT basename('')", ""},
		{"SELECT median(column1) FROM (VALUES (1), (NULL), (10), (2), ('x'))", "2"},
		{"SELECT median(column1) FROM (VALUES (1), (2))", "1.5"},
		{"SELECT median(1) WHERE 0", "null"},
		{"SELECT percentile(column1, 0) FROM (VALUES (3), (1), (2))", "1"},
		{"SELECT percentile(column1, 100) FROM (VALUES (3), (1), (2))", "3"},
		{"SELECT percentile(column1, 75) FROM (VALUES (3), (1), (2))", "2.5"},
		{"SELECT format_value(1500, 'ns')", "1.500 us"},
		{"SELECT format_value(1500.4, 'ns')", "1.500 us"},
		{"SELECT format_value(1234567, 'count')", "1,234,567"},
		{"SELECT format_value(NULL, 'ns')", "null"},
		{"SELECT path FROM path WHERE run = 1 AND node = 3", "f;g;';--\n;f"},
		{"SELECT depth FROM path WHERE run = 1 AND node = 3", "3"},
		{"SELECT node_path(9, 1)", "null"},
		{"SELECT node_path(1, 99)", "null"},
		{"SELECT total FROM function_cost WHERE run = 2 AND function = 'f'", "30"},
		{"SELECT self FROM function_cost WHERE run = 1 AND metric = 'odd' AND self > 0",
		 "0.004"},
		{"SELECT * FROM (VALUES (1), ('a'), (2.5)) WHERE column1 = 'a'", "a"},
	};
	struct pk_error err = PK_ERROR_INIT;
	struct pk_buf text = PK_BUF_INIT;
	struct pk_profiles list;
	struct pk_query *q;

	make_list(&list);
	q = pk_query_open(&list, &err);
	ck_assert_ptr_nonnull(q);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		pk_buf_addc(&text, '?');
		if (pk_query_run(q, cases[i].sql, first_cell, &text, &err))
			ck_abort_msg("%s: %s", cases[i].sql, err.text);
		ck_assert_msg(text.len == strlen(cases[i].value) &&
				      !memcmp(text.data, cases[i].value, text.len),
			      "%s gives '%.*s', not '%s'", cases[i].sql, (int)text.len, text.data,
			      cases[i].value);
	}
	pk_buf_release(&text);
	pk_query_close(q);
	pk_profiles_release(&list);
}
END_TEST

CHECK_MAIN("store", fixtures_are_saved_and_loaded, every_value_survives,
	   conditions_find_the_same_rows, rowids_find_rows, runs_come_and_go, many_may_add_at_once,
	   a_killed_process_leaves_the_store_as_it_was, hostile_stores_are_refused,
	   what_a_file_costs_is_bounded, queries_only_read, a_statement_that_takes_too_much_memory,
	   functions_give_what_they_say)
