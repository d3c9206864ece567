/*
 * What planes say of the program and the machine.
 *
 *	name: "Task Environment" stats { "profile_start_time": 1757516928109201518 }
 *	name: "/host:metadata"   stats { "jax_version": "0.10.2" }
 *	name: "/device:GPU:0"    stats { "core_count": 304 }
 */
#include <string.h>

#include "readers/xplane/internal.h"

static void add_value(struct pk_buf *text, const struct xplane *x, const struct xplane_arg *arg)
{
	struct xplane_bytes words = xplane_text(x, arg);
	uint64_t number;
	double real;

	if (words.data) {
		pk_buf_add(text, words.data, words.len);
	} else if (xplane_number(arg, &number)) {
		pk_buf_addi(text, (int64_t)number);
	} else if (arg->has_value && arg->value.wire == PK_PROTO_FIXED64) {
		memcpy(&real, &arg->value.value, sizeof(real));
		pk_buf_addf(text, "%.17g", real);
	}
}

void xplane_read_about(struct xplane *x, struct xplane_bytes message)
{
	PK_BUF_AUTO key = PK_BUF_INIT;
	PK_BUF_AUTO value = PK_BUF_INIT;
	struct xplane_bytes name;
	struct xplane_arg arg;
	uint64_t number;

	if (!xplane_parse_stat(x, message, &arg))
		return;
	name = x->stats[arg.stat].name;
	if (XPLANE_IS(name, "profile_start_time") && xplane_number(&arg, &number) &&
	    number <= (uint64_t)XPLANE_MAX_TIME)
		x->profile_start = (int64_t)number;
	/* several planes may name one long text */
	if (!xplane_afford(x, x->name.len + name.len + xplane_text(x, &arg).len))
		return;
	if (x->device) {
		pk_buf_add(&key, x->name.data, x->name.len);
		pk_buf_addc(&key, ' ');
	}
	pk_buf_add(&key, name.data, name.len);
	add_value(&value, x, &arg);
	if (value.len)
		pk_build_meta(x->b, key.data, value.data);
}
