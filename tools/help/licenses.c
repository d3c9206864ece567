/* What profkit is made of, for those who hand it on: profkit --version --licenses. */
#include "tools/help/version.h"

#include "config.h"

#include <stdbool.h>
#include <stddef.h>

static const struct part {
	const char *name, *license, *holder;
	bool only_static; /* comes with the others where everything is in one file */
} parts[] = {
	{"profkit", "MIT", "the authors of profkit", false},
	{"SQLite", "public domain", NULL, false},
	{"expat", "MIT",
	 "1998-2022 Thai Open Source Software Center Ltd, Clark Cooper, Expat maintainers", false},
	{"zlib", "Zlib", "1995-2022 Jean-loup Gailly and Mark Adler", false},
	{"zstd", "BSD-3-Clause", "Meta Platforms, Inc. and affiliates", false},
	{"lz4", "BSD-2-Clause", "2011-2020 Yann Collet", false},
	{"PCRE2", "BSD-3-Clause", "1997-2022 University of Cambridge; 2009-2022 Zoltan Herczeg",
	 false},
	{"Graphviz", "EPL-1.0", "AT&T Intellectual Property and the authors of Graphviz", false},
	{"libedit", "BSD-3-Clause", "1992, 1993 The Regents of the University of California",
	 false},
	{"libiberty", "LGPL-2.1-or-later, parts GPL-2.0-or-later with exception",
	 "1987-2023 Free Software Foundation, Inc.", false},
#ifdef HAVE_LIBDW
	{"elfutils (libdw, libelf)", "LGPL-3.0-or-later or GPL-2.0-or-later",
	 "Red Hat, Inc. and the authors of elfutils", false},
	{"bzip2", "bzip2-1.0.6", "1996-2019 Julian R Seward", true},
	{"liblzma", "public domain", NULL, true},
#endif
	{"ncurses (terminfo)", "X11",
	 "1998-2022 Thomas E. Dickey and Free Software Foundation, Inc.", true},
	{"libbsd, libmd", "BSD-3-Clause, ISC", "Todd C. Miller, Guillem Jover and others", true},
	{"GNU C library", "LGPL-2.1-or-later", "1991-2022 Free Software Foundation, Inc.", true},
	{"libgcc", "GPL-3.0-or-later with GCC exception 3.1",
	 "1989-2022 Free Software Foundation, Inc.", true},
};

void pk_print_licenses(FILE *out)
{
#ifdef PK_STATIC_PROGRAM
	const bool all = true;
	const char *how = "All of this is in the program";
#else
	const bool all = false;
	const char *how = "profkit, and the libraries that it is linked with";
#endif

	fprintf(out, "%s:\n", how);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (all || !parts[i].only_static)
			fprintf(out, "  %-24s  %s%s%s\n", parts[i].name, parts[i].license,
				parts[i].holder ? ", (c) " : "",
				parts[i].holder ? parts[i].holder : "");
	}
	if (all)
		fprintf(out, "The texts are in the file LICENSES that comes with the program.\n");
}
