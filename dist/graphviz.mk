# The parts of Graphviz that draw a call graph as SVG, as one static library without plugins to load:
#
#     make -f dist/graphviz.mk SOURCE=graphviz-2.42.2 PREFIX=/tmp/static VERSION=2.42.2
#
# Graphviz's own build wants libtool, and makes shared plugins that are looked for when it runs. Here are the
# libraries below the layout "dot", that layout, and the plugin "core", which writes SVG. HTML labels
# (expat), other layouts and pictures of other formats are not in it. Run it in an empty folder.

CFLAGS = -O2 -g
AR = ar
have = FCNTL_H SYS_STAT_H SYS_TIME_H SYS_TYPES_H UNISTD_H STRINGS_H SYS_MMAN_H SYS_IOCTL_H SEARCH_H DRAND48 CBRT \
	GETENV LRAND48 SETENV SRAND48 STRCASECMP STRNCASECMP VSNPRINTF SSIZE_T INTPTR_T SINCOS
folders = lib/cdt lib/cgraph lib/pathplan lib/xdot lib/pack lib/label lib/ortho lib/common lib/gvc lib/dotgen \
	plugin/core plugin/dot_layout
# Programs, tests, and what Graphviz does not build any more.
unused = $(addprefix lib/cgraph/,cmpnd.c main.c main1.c main2.c main3.c tester.c) \
	$(addprefix lib/common/,strcasecmp.c strncasecmp.c diagen.c hpglgen.c mifgen.c mpgen.c picgen.c vtxgen.c) \
	lib/pack/ptest.c lib/label/nrtmain.c lib/gvc/gvbuffstderr.c \
	$(addprefix plugin/core/gvrender_core_,dia.c hpgl.c mif.c vtx.c)

found := $(foreach f,$(folders),$(wildcard $(SOURCE)/$(f)/*.c))
sources := $(filter-out $(addprefix $(SOURCE)/,$(unused)),$(found))
made = grammar.o scan.o htmlparse.o
compiled := $(patsubst $(SOURCE)/%.c,%.o,$(sources))
objects := $(compiled) $(made)
headers = config.h builddate.h grammar.h htmlparse.h colortbl.h ps.h ps_font_equiv.h
FLAGS = -DHAVE_CONFIG_H -I. $(addprefix -I$(SOURCE)/,$(folders)) -I$(SOURCE)/lib/fdpgen -I$(SOURCE) -w

libgraphviz.a: $(objects)
	rm -f $@
	$(AR) cr $@ $(objects)

$(objects): $(headers)
$(compiled): %.o: $(SOURCE)/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(FLAGS) -c -o $@ $<
$(made): %.o: %.c
	$(CC) $(CFLAGS) $(FLAGS) -c -o $@ $<

config.h:
	printf '#define HAVE_%s\n' $(have) >$@
	printf '#define DEFAULT_DPI 96\n#define PACKAGE_VERSION "$(VERSION)"\n' >>$@
builddate.h:
	echo '#define BUILDDATE "$(VERSION)"' >$@

# Names that bison and flex give are those of Graphviz instead of yy, as in its own makefiles.
renamed = sed 's/yy/$(1)/g; s/unsigned long int/uint64_t/g; s/unsigned long/uint64_t/g'
grammar.c grammar.h &: $(SOURCE)/lib/cgraph/grammar.y
	bison -d -o grammar.tab.c $<
	$(call renamed,aag) <grammar.tab.c | sed 's/grammar\.tab\.h/grammar.h/' >grammar.c
	$(call renamed,aag) <grammar.tab.h >grammar.h
htmlparse.c htmlparse.h &: $(SOURCE)/lib/common/htmlparse.y
	bison -d -o htmlparse.tab.c $<
	$(call renamed,html) <htmlparse.tab.c | sed 's/htmlparse\.tab\.h/htmlparse.h/' >htmlparse.c
	$(call renamed,html) <htmlparse.tab.h >htmlparse.h
scan.c: $(SOURCE)/lib/cgraph/scan.l
	flex -i -t $< | sed 's/yy/aag/g; /extern.*isatty/d' >$@

# Tables of colors and fonts; both are searched, so that they are sorted.
colortbl.h: $(SOURCE)/lib/common/brewer_colors
	(awk -f $(SOURCE)/awk/brewer.awk $<; awk -f $(SOURCE)/awk/svgcolor.awk $(SOURCE)/lib/common/svgcolor_names; \
		cat $(SOURCE)/lib/common/color_names) | LC_ALL=C sort >color_lib
	awk -f $(SOURCE)/awk/colortbl.awk color_lib >$@
ps_font_equiv.h: $(SOURCE)/lib/common/ps_fontmap.txt
	cp $< $@
	cd $(SOURCE)/lib/common && perl mksvgfonts.pl fontmap.cfg ps_font_equiv.txt | LC_ALL=C sort >>$(CURDIR)/$@
ps.h: $(SOURCE)/plugin/core/ps.txt
	awk -f $(SOURCE)/awk/stringize.awk $< >$@

install: libgraphviz.a
	mkdir -p $(PREFIX)/include/graphviz $(PREFIX)/lib/pkgconfig
	cp $(SOURCE)/lib/gvc/*.h $(SOURCE)/lib/cgraph/cgraph.h $(SOURCE)/lib/cdt/cdt.h $(SOURCE)/lib/pathplan/pathgeom.h \
		$(SOURCE)/lib/common/types.h $(SOURCE)/lib/common/geom.h $(SOURCE)/lib/common/color.h \
		$(SOURCE)/lib/common/arith.h $(SOURCE)/lib/common/textspan.h $(SOURCE)/lib/common/usershape.h \
		$(PREFIX)/include/graphviz
	cp libgraphviz.a $(PREFIX)/lib
	for name in libcgraph libgvc; do \
		printf 'Name: %s\nDescription: Graphviz without loaded plugins\nVersion: %s\nCflags: %s\nLibs: %s\n' \
			"$$name" '$(VERSION)' '-I$(PREFIX)/include -I$(PREFIX)/include/graphviz' \
			'-L$(PREFIX)/lib -lgraphviz -lz -lm' >$(PREFIX)/lib/pkgconfig/$$name.pc; \
	done
.PHONY: install
