/* What profkit-workers(1) says beside its options: one program, told by what is wrong with it.
 * tests/house/tutorial.sh runs its commands and compares what they print. */
#include "doc.h"

#include "manual.h"

static void write_program(struct pk_doc *d)
{
	pk_doc_section(d, "TUTORIAL");
	pk_doc_paragraph(d, "A program has a pool of four processes do its tasks. Four ways to "
			    "hand them out, of which one is good:");
	pk_doc_literal(d, "def burn(seconds):     # keeps a processor busy for that long\n"
			  "def small(n):          # math.factorial(n)\n"
			  "\n"
			  "SCENARIOS = {  # function, its argument for each task, chunk size\n"
			  "    \"good\": (burn, [0.04] * 160, 4),\n"
			  "    \"tiny\": (small, [300] * 80_000, 1),\n"
			  "    \"tail\": (burn, [0.02] * 80 + [1.5], 1),\n"
			  "    \"chunks\": (burn, [0.02] * 108 + [0.06] * 36, 36),\n"
			  "}\n"
			  "\n"
			  "pool = Pool(4)\n"
			  "pool.map(function, tasks, chunksize=chunk)");
	pk_doc_paragraph(d, "Each was recorded:");
	pk_doc_literal(d,
		       "$ viztracer --min_duration 20us -o good.viztracer.json -- spread.py good");
	pk_doc_paragraph(
		d, "The program, the script that records it with viztracer, py-spy and perf, and "
		   "the recordings shown here are in `testdata/workers` of the source. The machine "
		   "had other things to do as well; yours will have other numbers.");
}

static void write_good(struct pk_doc *d)
{
	pk_doc_subsection(d, "Balanced");
	pk_doc_literal(
		d,
		"$ profkit workers good.viztracer.json.gz\n"
		"good.viztracer.json.gz (chrome, viztracer 1.1.1): 4 workers (by processes), "
		"window 2.043 s\n"
		"\n"
		"worker                    useful (s)  overhead  start-up   tail  waiting  tasks  "
		"share of the time\n"
		"ForkPoolWorker-3 (18560)       1.909     0.102     0.018  0.014    0.000     44  "
		"█████████████▓\n"
		"ForkPoolWorker-4 (18561)       1.822     0.003     0.018  0.200    0.000     44  "
		"█████████████·\n"
		"ForkPoolWorker-2 (18559)       1.753     0.100     0.018  0.172    0.000     28  "
		"████████████▓·\n"
		"ForkPoolWorker-1 (18558)       1.818     0.003     0.018  0.204    0.000     44  "
		"█████████████·\n"
		"all of their time: █ useful 89.4%  ▓ overhead 2.5%  ░ start-up 0.9%  · tail 7.2%  "
		"· waiting 0.0%\n"
		"load balance 0.956 x communication efficiency 0.934 = parallel efficiency 0.894\n"
		"the busiest has 4.6 % more to do than average; 3.57 of 4 busy on average\n"
		"tasks: 160 in 40 chunks, 40.00 ms to 192.20 ms, median 40.19 ms; 1.298 ms of "
		"overhead for each\n"
		"\n"
		"good: the work is well shared\n"
		"    89.4% of the workers' time is useful, and the busiest worker has 4.6 % more "
		"to do than the\n"
		"    average.");
	pk_doc_paragraph(
		d, "The bars are full of work: all workers began together, were busy all the time, "
		   "and ended nearly together. 160 tasks in 40 chunks are ten chunks for each "
		   "worker, so that the one that another program held up (28 tasks, some of them "
		   "three times as long) took fewer, and nobody waited long for it.");
	pk_doc_paragraph(
		d, "Load balance is how much the average worker had to do, compared with the "
		   "busiest. Communication efficiency is how much of the time the busiest was at "
		   "work. Their product, the parallel efficiency, is how much of the processors "
		   "that were paid for did something useful: 0.8 or more is good.");
}

static void write_tiny(struct pk_doc *d)
{
	pk_doc_subsection(d, "Tiny tasks");
	pk_doc_literal(
		d,
		"$ profkit workers tiny.viztracer.json.gz\n"
		"tiny.viztracer.json.gz (chrome, viztracer 1.1.1): 4 workers (by processes), "
		"window 61.84 ms\n"
		"\n"
		"worker                    useful (ms)  overhead  start-up   tail  waiting  tasks  "
		"share of the time\n"
		"ForkPoolWorker-3 (18479)         0.69      4.20     14.96  20.31    21.69     94  "
		"░░░█··········\n"
		"ForkPoolWorker-1 (18477)         0.96      4.58     11.79  20.11    24.39    113  "
		"░░░▓··········\n"
		"ForkPoolWorker-2 (18478)         0.75      4.22     13.73  20.34    22.80    104  "
		"░░░▓··········\n"
		"ForkPoolWorker-4 (18480)         0.79      3.99     15.25  20.20    21.62    109  "
		"░░░█▓·········\n"
		"all of their time: █ useful 1.3%  ▓ overhead 6.9%  ░ start-up 22.5%  · tail 32.7% "
		" · waiting 36.6%\n"
		"load balance 0.827 x communication efficiency 0.016 = parallel efficiency 0.013\n"
		"the busiest has 20.9 % more to do than average; 0.05 of 4 busy on average\n"
		"tasks: 420 in 420 chunks, 3.900 us to 49.20 us, median 5.300 us; 40.42 us of "
		"overhead for each\n"
		"\n"
		"overhead_tiny_tasks: tasks are too small\n"
		"    Passing tasks and results takes 84.2% of the time in which workers do "
		"anything: 40.42 us for\n"
		"    each of 420 tasks, while the work of one takes 5.300 us (median).\n"
		"    → pass several tasks at a time: chunksize=26 takes about 81 % less time for "
		"all tasks (an\n"
		"      estimate); or do more in one task");
	pk_doc_paragraph(
		d, "Of this program 420 tasks were recorded, calls from 2 us on. Hardly any of the "
		   "time is useful. A task takes 5 us, but it takes a worker 40 us to take it from "
		   "the queue, unpickle it, pickle its result and put it into another queue; and "
		   "while one worker does, others wait for the queues. More workers would make it "
		   "worse. The advised chunk size is where the cost model, which is explained "
		   "above, has its minimum: try it, record again.");
}

static void write_tail(struct pk_doc *d)
{
	pk_doc_subsection(d, "One long task last");
	pk_doc_literal(
		d,
		"$ profkit workers tail.viztracer.json.gz\n"
		"tail.viztracer.json.gz (chrome, viztracer 1.1.1): 4 workers (by processes), "
		"window 2.147 s\n"
		"\n"
		"worker                    useful (s)  overhead  start-up   tail  waiting  tasks  "
		"share of the time\n"
		"ForkPoolWorker-2 (18753)       0.504     0.003     0.026  1.613    0.000     11  "
		"███···········\n"
		"ForkPoolWorker-1 (18752)       0.498     0.003     0.035  1.610    0.000     24  "
		"███···········\n"
		"ForkPoolWorker-3 (18754)       0.497     0.005     0.036  1.608    0.001     21  "
		"███▓··········\n"
		"ForkPoolWorker-4 (18755)       2.097     0.006     0.035  0.008    0.001     25  "
		"██████████████\n"
		"all of their time: █ useful 41.9%  ▓ overhead 0.2%  ░ start-up 1.5%  · tail 56.4% "
		" · waiting 0.0%\n"
		"load balance 0.429 x communication efficiency 0.977 = parallel efficiency 0.419\n"
		"the busiest has 133.2 % more to do than average; 1.68 of 4 busy on average\n"
		"tasks: 81 in 81 chunks, 20.02 ms to 1.612 s, median 20.22 ms; 211.67 us of "
		"overhead for each\n"
		"\n"
		"tail_long_task: a long task comes last\n"
		"    ForkPoolWorker-4 (18755) works for 1.605 s more after the first worker has "
		"nothing left to do.\n"
		"    In all, 56.4% of the workers' time is lost at the end. Its longest task takes "
		"1.612 s; the\n"
		"    median of all is 20.22 ms.\n"
		"    → put long tasks first (sort them by how long they will take), or divide this "
		"one; all tasks\n"
		"      could be done in about 1.612 s instead of 2.112 s");
	pk_doc_paragraph(
		d, "Three bars end after a quarter of the time. All workers had as good as the "
		   "same to do until one began the task of 1.6 s when the others had nothing left: "
		   "that is lost, and no chunk size helps. What takes longest must begin first.");
}

static void write_chunks(struct pk_doc *d)
{
	pk_doc_subsection(d, "Chunks too large");
	pk_doc_literal(
		d,
		"$ profkit workers chunks.viztracer.json.gz\n"
		"chunks.viztracer.json.gz (chrome, viztracer 1.1.1): 4 workers (by processes), "
		"window 2.297 s\n"
		"\n"
		"worker                    useful (s)  overhead  start-up   tail  waiting  tasks  "
		"share of the time\n"
		"ForkPoolWorker-3 (18985)       0.726     0.001     0.020  1.550    0.000     36  "
		"█████·········\n"
		"ForkPoolWorker-4 (18986)       2.271     0.000     0.020  0.005    0.000     36  "
		"██████████████\n"
		"ForkPoolWorker-1 (18983)       0.728     0.000     0.020  1.549    0.000     36  "
		"█████·········\n"
		"ForkPoolWorker-2 (18984)       0.736     0.001     0.020  1.540    0.000     36  "
		"█████·········\n"
		"all of their time: █ useful 48.6%  ▓ overhead 0.0%  ░ start-up 0.9%  · tail 50.5% "
		" · waiting 0.0%\n"
		"load balance 0.491 x communication efficiency 0.989 = parallel efficiency 0.486\n"
		"the busiest has 103.6 % more to do than average; 1.94 of 4 busy on average\n"
		"tasks: 144 in 4 chunks, 20.00 ms to 111.00 ms, median 20.24 ms; 16.25 us of "
		"overhead for each\n"
		"\n"
		"tail_chunks: chunks are too large\n"
		"    ForkPoolWorker-4 (18986) works for 1.545 s more after the first worker has "
		"nothing left to do.\n"
		"    In all, 50.5% of the workers' time is lost at the end. There are 144 tasks in "
		"4 chunks of up to\n"
		"    36, for 4 workers.\n"
		"    → make chunks smaller, so that each worker gets about ten, and who is done "
		"early gets another:\n"
		"      chunksize=3; put long tasks first");
	pk_doc_paragraph(d, "It looks like the last one, but no task takes longer than 111 ms. "
			    "Four chunks were made for four workers, and one of them has all the "
			    "long tasks. Smaller chunks would have spread them.");
}

static void write_others(struct pk_doc *d)
{
	pk_doc_subsection(d, "With other recorders");
	pk_doc_paragraph(d, "py-spy, with the last task long:");
	pk_doc_literal(
		d, "$ py-spy record -s -r 200 -f raw -o tail.py-spy.txt -- python3 spread.py tail");
	pk_doc_literal(d, "$ profkit workers tail.py-spy.txt.gz\n"
			  "tail.py-spy.txt.gz (py-spy): 4 workers (by processes), window at least "
			  "636 samples\n"
			  "\n"
			  "worker                         useful  overhead  start-up  waiting  "
			  "share of the time\n"
			  "python3 spread.py tail (8731)     151         6         0      479  "
			  "████············\n"
			  "python3 spread.py tail (8733)     635         0         0        1  "
			  "████████████████\n"
			  "python3 spread.py tail (8730)     151         6         0      479  "
			  "████············\n"
			  "python3 spread.py tail (8729)     155         8         0      473  "
			  "████············\n"
			  "all of their time: █ useful 42.9%  ▓ overhead 0.8%  ░ start-up 0.0%  · "
			  "waiting 56.3%\n"
			  "load balance 0.430\n"
			  "the busiest has 132.6 ± 11.9 % more to do than average\n"
			  "\n"
			  "static_imbalance: the work is shared unevenly\n"
			  "    python3 spread.py tail (8733) has the most to do: 635 samples, "
			  "132.6 % more than the average.\n"
			  "    Perfect balance would save up to 362 samples.\n"
			  "    → give out work in smaller parts while it runs (a smaller "
			  "chunksize, imap_unordered, a queue)\n"
			  "      instead of dividing it beforehand; begin with the long parts\n"
			  "\n"
			  "no times in this profile: only sums are compared. The window is at "
			  "least the largest sum; how long\n"
			  "  it really was, start-up, tail and when workers waited are not known\n"
			  "tasks are not known: that needs every call of a known pool's tasks "
			  "(viztracer has them)");
	pk_doc_paragraph(d, "The same, as far as samples can tell: who had more to do, and that "
			    "this is not chance. What else can be known:");
	pk_doc_item(d, "viztracer",
		    "Everything: tasks, chunks, when. With a `--min_duration` above the length of "
		    "tasks these are not in the trace, which is said. It makes short calls slower, "
		    "and so overhead larger than it is.");
	pk_doc_item(d, "py-spy -s -f chrometrace",
		    "When, and what workers did, within the interval of samples. No tasks: a long "
		    "task, large chunks and a fixed division are all static_imbalance.");
	pk_doc_item(d, "py-spy -s -f raw, -f speedscope",
		    "What workers did, in all. Not when: no start-up, tail, gaps or efficiency; "
		    "who has fewer samples than the busiest is said to wait.");
	pk_doc_item(d, "perf record -g, perf script --show-task-events",
		    "When workers were on a processor. Not what Python did there, unless it runs "
		    "with -X perf: passing tasks looks like work but for its part in the kernel, "
		    "which is enough to tell tiny tasks.");
	pk_doc_paragraph(d, "A picture of workers over time, and what the busiest one did more "
			    "than the others:");
	pk_doc_literal(d, "$ profkit workers -o tail.svg tail.viztracer.json.gz\n"
			  "$ profkit workers --functions tail.viztracer.json.gz\n"
			  "ForkPoolWorker-4 (18755) worked most of 4 workers: 1.198 s more than "
			  "they did on average, in\n"
			  "\n"
			  "its own (s)   mean    more  share  function\n"
			  "      1.990  0.872  +1.117  93.3%  burn (spread.py:9)\n"
			  "      0.107  0.027  +0.080   6.7%  time.process_time\n"
			  "      0.000  0.000  +0.000   0.0%  mapstar (pool.py:47)");
}

void pk_manual_workers(struct pk_doc *d)
{
	write_program(d);
	write_good(d);
	write_tiny(d);
	write_tail(d);
	write_chunks(d);
	write_others(d);
}
