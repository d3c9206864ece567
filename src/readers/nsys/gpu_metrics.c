/*
 * Metrics of GPUs that were sampled (--gpu-metrics-devices), as counters: a series for each GPU.
 *
 *	TARGET_INFO_GPU_METRICS(typeId, typeName, metricId, metricName)
 *	GPU_METRICS(timestamp, typeId, metricId, value)
 *
 *	"SMs Active [Throughput %]"  GPU 0  [0, 12, 97, 96, 0]
 *
 * The lowest byte of typeId is the number of the GPU; a further type with the same byte is a series
 * of its own, called by its number. Values are those of the table; throughputs are whole percents.
 * Samples before the begin of the session are left out, as Nsight Systems does.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/num/hash.h"
#include "model/build/near_ids.h"
#include "readers/nsys/internal.h"

/* The keys of types; no number of a GPU has this bit. */
#define TYPE (1ULL << 62)

static int64_t key_of(int64_t type, int64_t metric)
{
	return (int64_t)(pk_hash_pair((uint64_t)type, (uint64_t)metric) >> 1);
}

/* Names of metrics, by key: strings. */
static int read_names(struct nsys *n, struct pk_id_map *names)
{
	static const char *const columns[] = {"typeId", "metricId", "metricName"};
	struct nsys_rows rows;
	int status = nsys_open(n, &rows, "TARGET_INFO_GPU_METRICS", columns, 3);

	while (status > 0 && nsys_next(&rows)) {
		uint32_t name = nsys_own_text(&rows, 2);

		if (name)
			pk_id_map_put(names, key_of(nsys_int(&rows, 0), nsys_int(&rows, 1)), name);
	}
	return nsys_close(&rows) || status < 0 ? -1 : 0;
}

/* types: by number of a GPU, the first type that has it. */
static uint32_t series_of(struct nsys *n, struct pk_id_map *types, int64_t type)
{
	int64_t gpu = type & 0xFF;
	char text[40];

	if (type == PK_NULL)
		return pk_build_text(n->b, "GPU");
	if (!pk_id_map_get(types, gpu)) {
		pk_id_map_put(types, gpu, 1);
		pk_id_map_put(types, pk_id_map_key((uint64_t)type | TYPE), 1);
	}
	if (pk_id_map_get(types, pk_id_map_key((uint64_t)type | TYPE)))
		snprintf(text, sizeof(text), "GPU %" PRId64, gpu);
	else
		snprintf(text, sizeof(text), "type %" PRId64, type);
	return pk_build_text(n->b, text);
}

static int read_values(struct nsys *n, const struct pk_id_map *names, struct pk_id_map *types)
{
	static const char *const columns[] = {"timestamp", "typeId", "metricId", "value"};
	struct nsys_rows rows;
	int status = nsys_open(n, &rows, "GPU_METRICS", columns, 4), odd = 0;
	int64_t last = PK_NULL;
	uint32_t series = series_of(n, types, last);

	while (status > 0 && !odd && nsys_next(&rows)) {
		int64_t time = nsys_int(&rows, 0), type = nsys_int(&rows, 1);
		uint32_t name = pk_id_map_get(names, key_of(type, nsys_int(&rows, 2)));
		bool has_value = sqlite3_column_type(rows.stmt, 3) == SQLITE_INTEGER ||
				 sqlite3_column_type(rows.stmt, 3) == SQLITE_FLOAT;

		if (time < 0 && time >= -NSYS_MAX_TIME)
			continue;
		if (time < 0 || time > NSYS_MAX_TIME || !has_value || !name) {
			odd = nsys_repair(&rows, !name ? "value left out: its metric has no name"
						       : "value of a metric left out: it has no "
							 "time or is no number");
			continue;
		}
		if (type != last)
			series = series_of(n, types, last = type);
		pk_build_counter(n->b, time, 0, name, series, sqlite3_column_double(rows.stmt, 3));
	}
	return nsys_close(&rows) || status < 0 || odd ? -1 : 0;
}

int nsys_read_gpu_metrics(struct nsys *n)
{
	struct pk_id_map names = {.count = 0}, types = {.count = 0};
	int status = read_names(n, &names) || read_values(n, &names, &types) ? -1 : 0;

	pk_id_map_release(&types);
	pk_id_map_release(&names);
	return status;
}
