#include "tools/help/version.h"

#include "config.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <expat.h>
#include <pcre2.h>
#include <sqlite3.h>
#include <zlib.h>
#include <zstd.h>

#include "base/os/sandbox.h"

void pk_print_version(FILE *out)
{
	fprintf(out, "profkit %s\n", PACKAGE_VERSION);
	fprintf(out, "SQLite %s, expat %d.%d.%d, zlib %s, zstd %s, PCRE2 %d.%d, Graphviz %s\n",
		sqlite3_libversion(), XML_MAJOR_VERSION, XML_MINOR_VERSION, XML_MICRO_VERSION,
		zlibVersion(), ZSTD_versionString(), PCRE2_MAJOR, PCRE2_MINOR, GRAPHVIZ_VERSION);
	fprintf(out, "Sandbox: %s\n", pk_sandbox_of_build());
}
