#include "tools/help/version.h"

#include "config.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <libxml/xmlversion.h>
#include <sqlite3.h>
#include <zlib.h>
#include <zstd.h>

#include "base/os/sandbox.h"

void pk_print_version(FILE *out)
{
	fprintf(out, "profkit %s\n", PACKAGE_VERSION);
	fprintf(out, "SQLite %s, libxml2 %s, zlib %s, zstd %s, PCRE2 %d.%d, Graphviz %s\n",
		sqlite3_libversion(), LIBXML_DOTTED_VERSION, zlibVersion(), ZSTD_versionString(),
		PCRE2_MAJOR, PCRE2_MINOR, GRAPHVIZ_VERSION);
	fprintf(out, "Sandbox: %s\n", pk_sandbox_of_build());
}
