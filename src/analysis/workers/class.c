/*
 * The class of each call path, by a table of functions of pools, threads, OpenMP, MPI and torch. A
 * path begins with the class of its parent; a function in the table changes it if its class is
 * finer.
 *
 *	worker (multiprocessing/pool.py)        dispatch
 *	  SimpleQueue.get (.../queues.py)       wait
 *	  mapstar (multiprocessing/pool.py)     useful, a chunk
 *	    burn (spread.py)                    useful, a task
 */
#include "analysis/workers/class.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text/regex.h"
#include "base/text/str.h"
#include "model/transform/transform.h"

const char *const pk_work_classes[] = {"useful",  "dispatch", "transfer", "serialise",  "lock",
				       "startup", "shutdown", "wait",     "collective", NULL};

/* Nothing is inherited from the functions above: they belong to another process, or to the pool. */
#define FRESH (1 << 7)
#define SENDS (1 << 9) /* sends data to another process */
/* Functions that are not Python's, whose names are compared as plain_name makes them. */
#define BINARY (1 << 10)

struct rule {
	const char *names; /* "Class.method|module.builtin"; "name*": names that begin so;
			    * "*name*": names that contain it */
	const char *file;  /* end of the name of the file; NULL = any file */
	enum pk_work_class class;
	unsigned marks; /* enum pk_class_mark, FRESH, SENDS, BINARY */
};

#define QUEUES "multiprocessing/queues.py"
#define CONNECTION "multiprocessing/connection.py"
#define POOL "multiprocessing/pool.py"
#define PROCESS "multiprocessing/process.py"
#define FUTURES "concurrent/futures/"
#define SELECTORS "selectors.py"

/* The first rule that fits a function is taken. */
static const struct rule table[] = {
	/* Where workers begin. */
	{"BaseProcess.run|Process.run", PROCESS, PK_CLASS_DISPATCH, FRESH | PK_MARK_CHILD},
	{"Thread.run", "threading.py", PK_CLASS_DISPATCH, FRESH},
	{"worker", POOL, PK_CLASS_DISPATCH, FRESH | PK_MARK_WORKER},
	{"_process_worker", "process.py", PK_CLASS_DISPATCH, FRESH | PK_MARK_WORKER},
	{"_process_worker", "process_executor.py", PK_CLASS_DISPATCH, FRESH | PK_MARK_WORKER},
	/* It waits for a task in a C function, which samplers do not show. */
	{"_worker", FUTURES "thread.py", PK_CLASS_WAIT, FRESH | PK_MARK_WORKER},
	{"ThreadPoolExecutor._work", NULL, PK_CLASS_DISPATCH, FRESH | PK_MARK_WORKER},
	{"_worker", "distributed/threadpoolexecutor.py", PK_CLASS_DISPATCH, FRESH | PK_MARK_WORKER},
	{"_worker_loop", "utils/worker.py", PK_CLASS_USEFUL, FRESH | PK_MARK_WORKER},
	/* Calls that run several tasks, or one. */
	{"mapstar|starmapstar|_helper_reraises_exception", POOL, PK_CLASS_USEFUL, PK_MARK_CHUNK},
	{"_process_chunk", FUTURES "process.py", PK_CLASS_USEFUL, PK_MARK_CHUNK},
	{"BatchedCalls.__call__", "joblib/parallel.py", PK_CLASS_USEFUL, PK_MARK_CHUNK},
	{"batch_execute_tasks", "dask/local.py", PK_CLASS_USEFUL, PK_MARK_CHUNK},
	{"apply_function_simple|_run_task_simple", "distributed/worker.py", PK_CLASS_USEFUL,
	 PK_MARK_CHUNK},
	{"_WorkItem.run", "distributed/_concurrent_futures_thread.py", PK_CLASS_USEFUL,
	 PK_MARK_CHUNK},
	{"_WorkItem.run", FUTURES "thread.py", PK_CLASS_USEFUL, PK_MARK_CHUNK},
	{"_CallItem.__call__", NULL, PK_CLASS_USEFUL, PK_MARK_CHUNK},
	/* Internal threads of pools. */
	{"Pool._handle_workers", POOL, PK_CLASS_DISPATCH, PK_MARK_HELPER},
	{"Pool._handle_tasks|Pool._handle_results", POOL, PK_CLASS_WAIT, PK_MARK_HELPER},
	{"Queue._feed", QUEUES, PK_CLASS_WAIT, PK_MARK_HELPER},
	{"_ExecutorManagerThread.run|_queue_management_worker", NULL, PK_CLASS_DISPATCH,
	 FRESH | PK_MARK_HELPER},
	{"ResourceTracker*", NULL, PK_CLASS_DISPATCH, PK_MARK_HELPER},
	/* Waiting for a task. */
	{"SimpleQueue.get|Queue.get|JoinableQueue.join", QUEUES, PK_CLASS_WAIT, 0},
	{"Queue.get", "queue.py", PK_CLASS_WAIT, 0},
	{"CustomizablePicklingQueue._make_methods.<locals>.get", "joblib/pool.py", PK_CLASS_WAIT,
	 0},
	{"SimpleQueue.get|_queue_SimpleQueue_get*", NULL, PK_CLASS_WAIT, BINARY},
	{"_ConnectionBase.poll|wait", CONNECTION, PK_CLASS_WAIT, 0},
	/* Parents that wait for results. */
	{"ApplyResult.get|ApplyResult.wait|IMapIterator.next|IMapIterator.__next__", POOL,
	 PK_CLASS_WAIT, PK_MARK_PARENT},
	{"Future.result|as_completed|wait", FUTURES "_base.py", PK_CLASS_WAIT, PK_MARK_PARENT},
	{"Parallel.retrieve|Parallel._retrieve", "joblib/parallel.py", PK_CLASS_WAIT,
	 PK_MARK_PARENT},
	{"BaseProcess.join", PROCESS, PK_CLASS_WAIT, PK_MARK_PARENT},
	{"Thread.join", "threading.py", PK_CLASS_WAIT, PK_MARK_PARENT},
	{"Thread._wait_for_tstate_lock", "threading.py", PK_CLASS_WAIT, 0},
	/* Starting up. */
	{"Pool.__init__|Pool._repopulate_pool*", POOL, PK_CLASS_STARTUP, PK_MARK_PARENT},
	{"BaseContext.Pool", "multiprocessing/context.py", PK_CLASS_STARTUP, PK_MARK_PARENT},
	{"BaseProcess.start", PROCESS, PK_CLASS_STARTUP, PK_MARK_PARENT},
	{"Thread.start", "threading.py", PK_CLASS_STARTUP, PK_MARK_PARENT},
	{"ProcessPoolExecutor.__init__", NULL, PK_CLASS_STARTUP, PK_MARK_PARENT},
	{"Popen._launch|_find_and_load|_handle_fromlist|posix.fork", NULL, PK_CLASS_STARTUP, 0},
	{"BaseProcess._bootstrap", PROCESS, PK_CLASS_STARTUP, 0},
	{"spawn_main", "multiprocessing/spawn.py", PK_CLASS_STARTUP, PK_MARK_CHILD},
	/* Shutting down. */
	{"Pool.__exit__|Pool.terminate|Pool.join|Pool.close", POOL, PK_CLASS_SHUTDOWN,
	 PK_MARK_PARENT},
	{"Pool._terminate_pool", POOL, PK_CLASS_SHUTDOWN, 0},
	{"Executor.__exit__", FUTURES "_base.py", PK_CLASS_SHUTDOWN, PK_MARK_PARENT},
	{"Popen.wait|Popen._wait|Popen._try_wait|Popen._communicate", "subprocess.py",
	 PK_CLASS_WAIT, 0},
	{"Popen.wait", NULL, PK_CLASS_SHUTDOWN, 0},
	{"_exit_function", "multiprocessing/util.py", PK_CLASS_SHUTDOWN, 0},
	{"_shutdown", "threading.py", PK_CLASS_SHUTDOWN, 0},
	/* Pickling. */
	{"ForkingPickler.*", "multiprocessing/reduction.py", PK_CLASS_SERIALISE, 0},
	{"_pickle.*|pickle.dumps|pickle.loads|CloudPickler.*|_reconstruct", NULL,
	 PK_CLASS_SERIALISE, 0},
	{"dumps|loads", "pickle.py", PK_CLASS_SERIALISE, 0},
	/* Passing tasks and results. */
	{"SimpleQueue.put|Queue.put", QUEUES, PK_CLASS_TRANSFER, SENDS},
	{"CustomizablePicklingQueue._make_methods.<locals>.put", "joblib/pool.py",
	 PK_CLASS_TRANSFER, SENDS},
	{"Future.set_result|Future.set_exception", FUTURES "_base.py", PK_CLASS_TRANSFER, 0},
	{"_ConnectionBase.send*|Connection._send*", CONNECTION, PK_CLASS_TRANSFER, SENDS},
	{"_ConnectionBase.recv*|Connection._recv*", CONNECTION, PK_CLASS_TRANSFER, 0},
	{"pipe_write|pipe_read|ksys_write|ksys_read|unix_stream_*", NULL, PK_CLASS_TRANSFER, 0},
	/* Locks. */
	{"SemLock.acquire|SemLock.__enter__|SemLock.__exit__", "multiprocessing/synchronize.py",
	 PK_CLASS_LOCK, 0},
	{"_RLock.acquire|_RLock.__enter__", "threading.py", PK_CLASS_LOCK, 0},
	{"lock.acquire|lock.acquire_lock|lock.__enter__|RLock.acquire|RLock.__enter__|"
	 "SemLock.acquire|SemLock.__enter__|fcntl.flock|fcntl.lockf",
	 NULL, PK_CLASS_LOCK, BINARY},
	{"lock_PyThread_acquire_lock|PyThread_acquire_lock*|rlock_acquire|take_gil|PyMutex_Lock*|"
	 "pthread_mutex_lock|pthread_rwlock_rdlock|pthread_rwlock_wrlock|lll_lock_wait*|sem_wait|"
	 "sem_timedwait|sem_clockwait|futex|futex_wait*|do_futex*|flock",
	 NULL, PK_CLASS_LOCK, BINARY},
	/* Blocked. */
	{"Condition.wait|Event.wait|Barrier.wait", "threading.py", PK_CLASS_WAIT, 0},
	{"_PollLikeSelector.select|EpollSelector.select|KqueueSelector.select|SelectSelector."
	 "select|SelectSelector._select",
	 SELECTORS, PK_CLASS_WAIT, 0},
	{"socket.accept|SocketIO.readinto|create_connection", "/socket.py", PK_CLASS_WAIT, 0},
	{"SSLSocket.read|SSLSocket.do_handshake", "/ssl.py", PK_CLASS_WAIT, 0},
	{"time.sleep|select.select|epoll.poll|poll.poll|kqueue.control|socket._accept|socket.recv|"
	 "socket.recv_into|"
	 "socket.recvfrom|socket.recvmsg|socket.connect|_SSLSocket.read|_SSLSocket.do_handshake|"
	 "posix.wait*|signal.sigwait*|signal.sigtimedwait|signal.pause",
	 NULL, PK_CLASS_WAIT, BINARY},
	/* The same in CPython, the C library and the kernel. */
	{"time_sleep|pysleep|select_select*|select_poll_poll*|select_epoll_poll*|sock_accept*|"
	 "sock_recv*|os_wait*|sleep|usleep|nanosleep|clock_nanosleep*|select|pselect*|poll|ppoll*|"
	 "epoll_wait|epoll_pwait*|accept|accept4|recv|recvfrom|recvmsg|connect|sigwait*|pause|"
	 "waitpid|wait4|waitid|pthread_cond_wait|pthread_cond_timedwait|pthread_cond_clockwait|"
	 "pthread_join*|hrtimer_nanosleep|do_nanosleep|do_sys_poll|do_select|core_sys_select|"
	 "do_epoll_wait|do_wait",
	 NULL, PK_CLASS_WAIT, BINARY},
	/* uftrace: off the processor, and not because another thread wanted it. */
	{"linux:schedule", NULL, PK_CLASS_WAIT, 0},
	/* Functions that compilers make from parallel regions are work, whatever function of the
	 * runtime calls them. */
	{"*._omp_fn.*|*.omp_outlined*|__kmp_invoke_microtask", NULL, PK_CLASS_USEFUL,
	 FRESH | PK_MARK_WORKER},
	{"gomp_thread_start|__kmp_launch_worker", NULL, PK_CLASS_WAIT, PK_MARK_WORKER},
	/* Runtimes without symbols: nearly all of their own time is waiting. */
	{"[libgomp*|[libomp*|[libiomp*", NULL, PK_CLASS_WAIT, PK_MARK_WORKER},
	/* OpenMP and MPI: spinning at a barrier is waiting, although it keeps a processor busy. */
	{"gomp_barrier_wait*|gomp_team_barrier_wait*|gomp_simple_barrier*|__kmp_wait*|__kmp_"
	 "barrier*|__kmp_join_barrier*|__kmp_fork_barrier*|__kmp_hyper_barrier*",
	 NULL, PK_CLASS_WAIT, 0},
	{"MPI_*|PMPI_*|opal_progress|ucp_worker_progress", NULL, PK_CLASS_COLLECTIVE, 0},
	/* Copying on a device. */
	{"Memcpy *|Memset *", NULL, PK_CLASS_TRANSFER, 0},
	/* Collectives of torch. */
	{"nccl*|c10d::*|gloo:*|nccl:*|mpi:*", NULL, PK_CLASS_COLLECTIVE, 0},
};

enum { RULES = sizeof(table) / sizeof(*table) };
typedef unsigned __int128 rule_set; /* a bit for each */

/* Values by function: 0, the index of a rule + 1, or USER + the class that the user gave. */
enum { NO_RULE = 0, USER = 1000 };

/* BARE: a method without its class fits. BINARY: a pattern without a dot is a whole name. */
enum { BARE = 1 };

/* The patterns of all rules, by the byte that a name must have: "name*" by its first, "name" by its
 * last. Names are many, and fit few of them. */
struct patterns {
	struct pattern {
		const char *text;
		uint16_t len, rule, next; /* next of the same byte; 0 = none */
	} * item;                         /* from 1 */
	size_t alloc;
	uint16_t count, within, begins[256], ends[256];
};

static void add_pattern(struct patterns *p, const char *text, size_t len, uint16_t rule)
{
	uint16_t *list = *text == '*'           ? &p->within
			 : text[len - 1] == '*' ? &p->begins[(unsigned char)*text]
						: &p->ends[(unsigned char)text[len - 1]];

	PK_GROW(p->item, (size_t)p->count + 1, p->alloc);
	p->item[p->count] = (struct pattern){text, (uint16_t)len, rule, *list};
	*list = p->count++;
}

static void list_patterns(struct patterns *p)
{
	*p = (struct patterns){.count = 1};
	for (uint16_t rule = 0; rule < RULES; rule++) {
		const char *names = table[rule].names;

		for (size_t len; *names; names += len + (names[len] == '|')) {
			len = strcspn(names, "|");
			add_pattern(p, names, len, rule);
		}
	}
}

static bool name_fits(const struct pattern *p, const char *name, size_t n, unsigned how)
{
	const char *dot;

	if (*p->text == '*')
		return memmem(name, n, p->text + 1, p->len - 2U) != NULL;
	if (p->text[p->len - 1] == '*')
		return strncmp(name, p->text, p->len - 1U) == 0;
	dot = memrchr(p->text, '.', p->len);
	if (n >= p->len && memcmp(name + n - p->len, p->text, p->len) == 0 &&
	    (n == p->len || (name[n - p->len - 1] == '.' && (dot || !(how & BINARY)))))
		return true;
	/* Before Python 3.11 names do not contain the class: the file and the method decide. */
	return how & BARE && dot && n == (size_t)(p->text + p->len - dot - 1) &&
	       memcmp(name, dot + 1, n) == 0;
}

/* The rules that a name is compared with: those that are BINARY, or those of its file and of any
 * file. */
struct compared {
	const char *name;
	size_t len;
	rule_set files;
	bool binary;
};

static bool rule_fits(const struct pattern *p, const struct compared *c)
{
	const struct rule *r = &table[p->rule];
	bool here = c->files >> p->rule & 1;

	if (!(r->marks & BINARY) == c->binary || (!c->binary && r->file && !here))
		return false;
	return name_fits(p, c->name, c->len, c->binary ? BINARY : here ? BARE : 0);
}

/* The first rule of a list that fits, if it is before `best`. */
static uint16_t best_of(const struct patterns *p, uint16_t list, const struct compared *c,
			uint16_t best)
{
	for (; list; list = p->item[list].next)
		if (p->item[list].rule < best && rule_fits(&p->item[list], c))
			best = p->item[list].rule;
	return best;
}

static uint16_t first_rule(const struct patterns *p, const struct compared *c, uint16_t best)
{
	best = best_of(p, p->within, c, best);
	if (!c->len)
		return best;
	best = best_of(p, p->begins[(unsigned char)*c->name], c, best);
	return best_of(p, p->ends[(unsigned char)c->name[c->len - 1]], c, best);
}

/*
 * The name of a function that is not Python's as all recorders would write it:
 *
 *	<built-in method time.sleep>                      time.sleep
 *	<method 'acquire' of '_thread.lock' objects>      _thread.lock.acquire
 *	__GI___poll, __x64_sys_poll, poll@@GLIBC_2.2.5    poll
 *	do_nanosleep_[k]                                  do_nanosleep
 */
static void plain_name(struct pk_buf *buf, const char *name)
{
	static const char *const before[] = {"__GI_",     "__libc_",      "__x64_sys_", "__se_sys_",
					     "__do_sys_", "__arm64_sys_", "ksys_",      NULL};
	const char *of = strstr(name, "' of '");

	buf->len = 0;
	if (pk_starts_with(name, "<built-in method ")) {
		name += strlen("<built-in method ");
		pk_buf_add(buf, name, strcspn(name, ">"));
		return;
	}
	if (pk_starts_with(name, "<method '") && of) {
		name += strlen("<method '");
		pk_buf_addf(buf, "%.*s.%.*s", (int)strcspn(of + 6, "'"), of + 6, (int)(of - name),
			    name);
		return;
	}
	for (const char *const *prefix = before; *prefix; prefix++)
		if (pk_starts_with(name, *prefix))
			name += strlen(*prefix);
	if (pk_starts_with(name, "__") && !strchr(name, '.'))
		name += strspn(name, "_");
	pk_buf_add(buf, name, strcspn(name, "@"));
	if (buf->len && pk_ends_with(buf->data, "_[k]"))
		buf->data[buf->len -= 4] = 0;
}

static bool is_binary(const struct pk_profile *p, uint32_t function)
{
	unsigned kind = p->function.kind[function];

	return kind == PK_KIND_NATIVE || kind == PK_KIND_KERNEL || kind == PK_KIND_BUILTIN ||
	       kind == PK_KIND_RUNTIME;
}

/* The rules whose file this is. Many functions have one file, so it is found once for each: of_text
 * is by string, 0 = not known yet. */
static rule_set rules_of_file(const struct pk_profile *p, uint32_t text, rule_set *of_text)
{
	_Static_assert(RULES < 127, "a rule is a bit");
	const rule_set known = (rule_set)1 << 127;

	if (of_text[text])
		return of_text[text];
	of_text[text] = known;
	for (int i = 0; i < RULES; i++)
		if (table[i].file && pk_ends_with(pk_text(p, text), table[i].file))
			of_text[text] |= (rule_set)1 << i;
	return of_text[text];
}

static uint16_t rule_of(const struct pk_profile *p, uint32_t function,
			const struct patterns *patterns, rule_set *of_text, struct pk_buf *plain)
{
	const char *name = pk_text(p, p->function.name[function]);
	struct compared c = {.name = name,
			     .len = strlen(name),
			     .files = rules_of_file(p, p->function.file[function], of_text) |
				      rules_of_file(p, p->function.module[function], of_text)};
	uint16_t rule = first_rule(patterns, &c, RULES);

	if (is_binary(p, function)) {
		plain_name(plain, name);
		c = (struct compared){.name = plain->data, .len = plain->len, .binary = true};
		rule = first_rule(patterns, &c, rule);
	}
	return rule < RULES ? (uint16_t)(rule + 1) : NO_RULE;
}

/* The class named by "RE=CLASS", and where RE ends. */
static int parse_rule(const char *rule, enum pk_work_class *class, size_t *len,
		      struct pk_error *err)
{
	const char *equals = strrchr(rule, '=');
	int i;

	if (!equals)
		return pk_fail(err, PK_EUSAGE, "--classify '%s': not RE=CLASS", rule);
	for (i = 0; i < PK_CLASS_COUNT; i++) {
		if (strcmp(equals + 1, pk_work_classes[i]) == 0) {
			*class = (enum pk_work_class)i;
			*len = (size_t)(equals - rule);
			return 0;
		}
	}
	return pk_fail(err, PK_EUSAGE,
		       "--classify '%s': there is no class '%s' (useful, dispatch, transfer, "
		       "serialise, lock, startup, shutdown, wait, collective)",
		       rule, equals + 1);
}

static int user_rule(const struct pk_profile *p, const char *rule, uint16_t *of_function,
		     struct pk_error *err)
{
	struct pk_buf place = PK_BUF_INIT;
	enum pk_work_class class = PK_CLASS_USEFUL;
	struct pk_regex *re;
	size_t len = 0;
	char *pattern;

	if (parse_rule(rule, &class, &len, err))
		return -1;
	pattern = pk_strndup(rule, len);
	re = pk_regex_new(pattern, err);
	free(pattern);
	if (!re)
		return pk_fail_context(err, "--classify");
	for (uint32_t i = 1; i < p->function.count; i++)
		if (of_function[i] < USER && pk_function_matches(re, p, i, &place))
			of_function[i] = (uint16_t)(USER + class);
	pk_buf_release(&place);
	pk_regex_free(re);
	return 0;
}

#define CLASS(name) (1U << PK_CLASS_##name)

/* For each class, the classes that replace it below. */
static const unsigned finer[PK_CLASS_COUNT] = {
	[PK_CLASS_USEFUL] = UINT_MAX,
	[PK_CLASS_DISPATCH] = UINT_MAX,
	[PK_CLASS_WAIT] = CLASS(SERIALISE),
	[PK_CLASS_TRANSFER] = CLASS(SERIALISE) | CLASS(LOCK),
};
static const unsigned finer_in_task = CLASS(WAIT) | CLASS(LOCK) | CLASS(COLLECTIVE);

static bool refines(enum pk_work_class outer, bool in_task, enum pk_work_class inner)
{
	unsigned classes = outer == PK_CLASS_USEFUL && in_task ? finer_in_task : finer[outer];

	return classes >> inner & 1;
}

#define IN_TASK (1 << 5)
#define OUTSIDE                                                                                   \
	(1 << 6) /* at the start of a thread or process, before the first function of the program \
		  */
#define INHERITED \
	(PK_MARK_PARENT | PK_MARK_WORKER | PK_MARK_HELPER | PK_MARK_OWN_LOCK | IN_TASK | OUTSIDE)

/* Code of Python and of pools around tasks. */
static bool is_library(const struct pk_profile *p, uint32_t function)
{
	static const char *const folders[] = {
		"multiprocessing/", "concurrent/futures/",    "/loky/", "-packages/joblib/",
		"-packages/dask/",  "-packages/distributed/", NULL};
	const char *file = pk_text(p, p->function.file[function]);
	const char *name = pk_text(p, p->function.name[function]);

	if (!*file)
		file = pk_text(p, p->function.module[function]);
	if (!*file || *name == '<' || pk_ends_with(file, "threading.py") ||
	    pk_ends_with(file, "weakref.py"))
		return true;
	for (const char *const *folder = folders; *folder; folder++)
		if (strstr(file, *folder))
			return true;
	return false;
}

/* Internal threads of a pool wait, except while they send. */
static bool sends(const struct pk_classes *c, uint32_t parent, const struct rule *r)
{
	return c->marks[parent] & PK_MARK_HELPER && c->of_node[parent] == PK_CLASS_WAIT &&
	       r->marks & SENDS;
}

static void by_rule(struct pk_classes *c, uint32_t node, uint32_t parent, const struct rule *r)
{
	bool in_task = c->marks[parent] & IN_TASK;
	bool in_chunk = c->marks[parent] &
			PK_MARK_CHUNK; /* the loop over a chunk calls that of another one */
	unsigned marks = c->marks[parent] & INHERITED;

	c->of_node[node] = c->of_node[parent];
	if (r->marks & FRESH) {
		c->of_node[node] = (uint8_t)r->class;
		marks = (r->marks & ~(unsigned)FRESH) | OUTSIDE;
	} else if (r->marks & PK_MARK_CHUNK && (!in_task || in_chunk)) {
		c->of_node[node] = PK_CLASS_USEFUL;
		marks |= PK_MARK_CHUNK | IN_TASK;
	} else if (refines(c->of_node[parent], in_task && !in_chunk, r->class) ||
		   sends(c, parent, r)) {
		c->of_node[node] = (uint8_t)r->class;
		marks |= in_task ? 0 : r->marks;
		if (r->class == PK_CLASS_LOCK && c->of_node[parent] == PK_CLASS_USEFUL)
			marks |= PK_MARK_OWN_LOCK;
	}
	c->marks[node] = (uint16_t)marks;
}

/* A function without a rule. */
static void inherit(struct pk_classes *c, const struct pk_profile *p, uint32_t node,
		    uint32_t parent)
{
	unsigned marks = c->marks[parent] & INHERITED;

	c->of_node[node] = c->of_node[parent];
	if (c->marks[parent] & PK_MARK_CHUNK) {
		marks |= is_library(p, pk_node_function(p, node)) ? PK_MARK_CHUNK : PK_MARK_TASK;
	} else if (c->of_node[parent] == PK_CLASS_DISPATCH && marks & OUTSIDE &&
		   !(marks & PK_MARK_HELPER) && !is_library(p, pk_node_function(p, node))) {
		c->of_node[node] = PK_CLASS_USEFUL;
		marks &= ~(unsigned)OUTSIDE;
		marks |= marks & PK_MARK_WORKER ? PK_MARK_TASK | IN_TASK : 0;
	}
	c->marks[node] = (uint16_t)marks;
}

static void classify(struct pk_classes *c, const struct pk_profile *p, const uint16_t *of_function)
{
	const struct pk_node_table *t = &p->node;

	for (uint32_t i = 1; i < t->count; i++) {
		uint16_t rule = of_function[pk_node_function(p, i)];

		if (rule >= USER) {
			c->of_node[i] = (uint8_t)(rule - USER);
			c->marks[i] = c->marks[t->parent[i]] & INHERITED;
		} else if (rule != NO_RULE) {
			by_rule(c, i, t->parent[i], &table[rule - 1]);
		} else {
			inherit(c, p, i, t->parent[i]);
		}
	}
}

int pk_classes_init(struct pk_classes *c, const struct pk_profile *p, const char *const *rules,
		    size_t rule_count, struct pk_error *err)
{
	uint16_t *of_function = pk_calloc(p->function.count, sizeof(*of_function));
	rule_set *of_text = pk_calloc(p->string.count, sizeof(*of_text));
	struct pk_buf plain = PK_BUF_INIT;
	struct patterns patterns;

	*c = (struct pk_classes){.of_node = NULL};
	for (size_t k = 0; k < rule_count; k++) {
		if (user_rule(p, rules[k], of_function, err)) {
			free(of_function);
			free(of_text);
			return -1;
		}
	}
	list_patterns(&patterns);
	for (uint32_t i = 1; i < p->function.count; i++)
		if (of_function[i] == NO_RULE)
			of_function[i] = rule_of(p, i, &patterns, of_text, &plain);
	free(of_text);
	free(patterns.item);
	pk_buf_release(&plain);
	c->of_function = pk_calloc(p->function.count, 1);
	for (uint32_t i = 1; i < p->function.count; i++) {
		if (of_function[i] >= USER)
			c->of_function[i] = (uint8_t)(of_function[i] - USER);
		else if (of_function[i] != NO_RULE)
			c->of_function[i] = (uint8_t)table[of_function[i] - 1].class;
	}
	c->of_node = pk_calloc(p->node.count, 1);
	c->marks = pk_calloc(p->node.count, sizeof(*c->marks));
	classify(c, p, of_function);
	free(of_function);
	return 0;
}

void pk_classes_release(struct pk_classes *c)
{
	free(c->of_node);
	free(c->of_function);
	free(c->marks);
}
