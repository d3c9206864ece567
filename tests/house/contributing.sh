#!/bin/bash
# The reader that CONTRIBUTING.md shows compiles as it stands there, and reads its sample.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
set -e

sed -n '/^```c$/,/^```$/p' "$srcdir/CONTRIBUTING.md" | grep -v '^```' >"$work/flat.c"
# A program in place of the list of readers: this reader alone, and the dump of what it read.
cat >"$work/main.c" <<'END'
#include "tests/dump.h"
#include "readers/reader.h"

extern const struct pk_reader pk_reader_flat;

int main(void)
{
	static const char sample[] = "1.25 parse\nodd\n0.5 write_all";
	struct pk_input *in = pk_input_from_memory(sample, sizeof(sample) - 1, "sample");
	struct pk_probe probe = {(const uint8_t *)sample, sizeof(sample) - 1, true};
	struct pk_builder *b = pk_builder_new();
	struct pk_error err = PK_ERROR_INIT;
	struct pk_output *out = pk_output_open(NULL, &err);
	struct pk_profile *p;

	if (pk_reader_flat.probe(&probe) == PK_NO || pk_reader_flat.read(in, NULL, b, &err))
		return 1;
	p = pk_builder_finish(b);
	pk_profile_dump(p, out);
	pk_profile_free(p);
	pk_input_close(in);
	return pk_output_commit(out, &err) != 0;
}
END
$COMPILE -I"$srcdir/src" -I"$srcdir" -Werror -o "$work/flat" "$work/main.c" "$work/flat.c" libprofkit.a $LINK
"$work/flat" >"$work/dump"
cat "$work/dump"
grep -q '"parse"' "$work/dump"
grep -q 1250000000 "$work/dump"
grep -q '"line without a time ignored"' "$work/dump"
