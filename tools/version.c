#include "version.h"

#include "config.h"

#include <graphviz/gvc.h>
#include <libxml/xmlversion.h>
#include <sqlite3.h>
#include <zlib.h>
#include <zstd.h>

void pk_print_version(FILE *out)
{
	GVC_t *gvc = gvContext();

	fprintf(out, "profkit %s\n", PACKAGE_VERSION);
	fprintf(out, "SQLite %s, libxml2 %s, zlib %s, zstd %s, Graphviz %s\n", sqlite3_libversion(),
		LIBXML_DOTTED_VERSION, zlibVersion(), ZSTD_versionString(), gvcVersion(gvc));
	gvFreeContext(gvc);
}
