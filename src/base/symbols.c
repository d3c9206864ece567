/*
 * Functions, source lines and inlined calls at addresses of a native program or library, by
 * elfutils.
 */
#include "base/symbols.h"

#include "config.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/num/compare.h"
#include "base/os/beneath.h"
#include "base/text/str.h"

#define DEBUG_FILES "/usr/lib/debug/.build-id"
/* O_NONBLOCK: a FIFO does not wait for its writer */
#define OPEN_FLAGS (O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

struct name {
	uint64_t address, size;
	uint64_t end; /* the end of its section if the symbol has no size */
	const char *text;
	uint32_t order; /* in the file */
	bool global;
};

struct pk_symbols {
	Dwfl *dwfl;
	Dwfl_Module *module;
	char build_id[2 * 64 + 1];
	int64_t changed;
	struct name *name; /* of functions by address, once asked for */
	size_t names;
	bool has_names;
};

static bool has_build_id(int fd, const void *id, int len)
{
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	const void *own;
	bool same =
		elf && dwelf_elf_gnu_build_id(elf, &own) == len && !memcmp(own, id, (size_t)len);

	elf_end(elf);
	return same;
}

/* Opens the debug file with this build id in the folders where systems install it. */
static int find_debug(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
		      const char *file, const char *link, GElf_Word crc, char **found)
{
	PK_BUF_AUTO path = PK_BUF_INIT;
	const unsigned char *id;
	GElf_Addr address;
	struct stat st;
	int fd, len = dwfl_module_build_id(module, &id, &address);

	(void)data, (void)name, (void)base, (void)file, (void)link, (void)crc;
	*found = NULL;
	if (len < 2)
		return -1;
	pk_buf_addf(&path, "%s/%02x/", DEBUG_FILES, id[0]);
	for (int i = 1; i < len; i++)
		pk_buf_addf(&path, "%02x", id[i]);
	pk_buf_adds(&path, ".debug");
	fd = pk_open_read(path.data, OPEN_FLAGS);
	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && has_build_id(fd, id, len))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static const Dwfl_Callbacks callbacks = {.find_debuginfo = find_debug,
					 .section_address = dwfl_offline_section_address};

static void set_build_id(struct pk_symbols *s)
{
	const unsigned char *bits;
	GElf_Addr address;
	int len = dwfl_module_build_id(s->module, &bits, &address);

	for (int i = 0; i < len && i < 64; i++)
		snprintf(s->build_id + 2 * i, 3, "%02x", bits[i]);
}

/* True for a plain ELF file. elfutils would unpack compressed files of any size, and read the first
 * member of an archive. */
static bool is_elf(int fd)
{
	char magic[SELFMAG];

	return pread(fd, magic, SELFMAG, 0) == SELFMAG && !memcmp(magic, ELFMAG, SELFMAG);
}

struct pk_symbols *pk_symbols_open(const char *path, struct pk_error *err)
{
	int fd = pk_open_read(path, OPEN_FLAGS);
	struct pk_symbols *s;
	struct stat st;
	GElf_Addr bias;

	if (fd < 0 || fstat(fd, &st)) {
		pk_fail(err, PK_EIO, "%s: %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	s = pk_calloc(1, sizeof(*s));
	s->dwfl = dwfl_begin(&callbacks);
	if (s->dwfl && S_ISREG(st.st_mode) && is_elf(fd))
		s->module = dwfl_report_offline(s->dwfl, "", path, fd);
	if (!s->module)
		close(fd);
	if (s->module && !dwfl_report_end(s->dwfl, NULL, NULL) &&
	    dwfl_module_getelf(s->module, &bias)) {
		set_build_id(s);
		s->changed = (int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000;
		return s;
	}
	pk_symbols_free(s);
	pk_fail(err, PK_EFORMAT, "'%s' is not a program or library (ELF)", path);
	return NULL;
}

void pk_symbols_free(struct pk_symbols *s)
{
	if (s && s->dwfl)
		dwfl_end(s->dwfl);
	if (s)
		free(s->name);
	free(s);
}

const char *pk_symbols_build_id(const struct pk_symbols *s)
{
	return s->build_id;
}

/* Finds the linked address of a file offset. */
static bool find_address(const struct pk_symbols *s, uint64_t offset, uint64_t *address)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(s->module, &bias);
	size_t count = 0;
	GElf_Phdr h;

	if (!elf || elf_getphdrnum(elf, &count))
		return false;
	for (size_t i = 0; i < count && i < INT16_MAX; i++) {
		if (!gelf_getphdr(elf, (int)i, &h) || h.p_type != PT_LOAD || !(h.p_flags & PF_X) ||
		    offset < h.p_offset || offset - h.p_offset >= h.p_filesz)
			continue;
		*address = offset - h.p_offset + h.p_vaddr;
		return true;
	}
	return false;
}

static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const char *name =
		dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));

	return name ? name : dwarf_diename(die);
}

/* Finds the place where the inlined function was called. */
static void find_call(Dwarf_Die *cu, Dwarf_Die *die, struct pk_symbol *caller)
{
	Dwarf_Attribute attribute;
	Dwarf_Word file, line;
	Dwarf_Files *files;
	size_t count;

	if (!dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attribute), &line))
		caller->line = line < UINT32_MAX ? (uint32_t)line : 0;
	if (!dwarf_getsrcfiles(cu, &files, &count) &&
	    !dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attribute), &file) && file < count)
		caller->file = dwarf_filesrc(files, file, NULL, NULL);
}

/* Finds the functions around an address in the debugging information. */
static size_t find_scopes(Dwarf_Die *cu, Dwarf_Addr pc, struct pk_symbol *found, size_t most)
{
	Dwarf_Die *inner = NULL, *scopes = NULL;
	struct pk_symbol next = {0};
	size_t count = 0;
	int number, line;
	Dwarf_Line *at = dwarf_getsrc_die(cu, pc);

	if (at && !dwarf_lineno(at, &line) && line > 0) {
		next.line = (uint32_t)line;
		next.file = dwarf_linesrc(at, NULL, NULL);
	}
	number = dwarf_getscopes(cu, pc, &inner) > 0 ? dwarf_getscopes_die(inner, &scopes) : 0;
	for (int i = 0; i < number && count < most; i++) {
		int tag = dwarf_tag(&scopes[i]);

		if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
			continue;
		next.function = name_of(&scopes[i]);
		found[count++] = next;
		if (tag == DW_TAG_subprogram)
			break;
		next = (struct pk_symbol){0};
		find_call(cu, &scopes[i], &next);
	}
	if (!number)
		found[count++] = next;
	free(inner);
	free(scopes);
	return count;
}

static Elf *elf_of(const struct pk_symbols *s)
{
	GElf_Addr bias;

	return dwfl_module_getelf(s->module, &bias);
}

int pk_symbols_word(const struct pk_symbols *s)
{
	return gelf_getclass(elf_of(s)) == ELFCLASS32 ? 4 : 8;
}

int64_t pk_symbols_changed(const struct pk_symbols *s)
{
	return s->changed;
}

bool pk_symbols_segment(const struct pk_symbols *s, size_t *next, struct pk_segment *segment)
{
	Elf *elf = elf_of(s);
	size_t count = 0;
	GElf_Phdr h;

	if (elf_getphdrnum(elf, &count))
		return false;
	while (*next < count && *next < INT16_MAX) {
		if (!gelf_getphdr(elf, (int)(*next)++, &h) || h.p_type != PT_LOAD)
			continue;
		*segment = (struct pk_segment){.address = h.p_vaddr,
					       .size = h.p_memsz,
					       .offset = h.p_offset,
					       .stored = h.p_filesz,
					       .code = h.p_flags & PF_X};
		return true;
	}
	return false;
}

static size_t underscores(const struct name *name)
{
	return strspn(name->text, "_");
}

static size_t length(const struct name *name)
{
	return pk_symbol_length(name->text);
}

/* Of several names of one function, the one for users sorts last: exp, not __GI___exp. */
PK_COMPARE(by_name, struct name,
	   PK_ORDER(a->address, b->address) ?: PK_ORDER(a->size, b->size)
		?: PK_ORDER(a->global, b->global)
		?: PK_ORDER(underscores(b), underscores(a))
		?: PK_ORDER(length(b), length(a))
		?: PK_ORDER(a->order, b->order))

/* A symbol to which the assembler gave no size, such as _init, may extend to the end of its
 * section. */
static uint64_t end_of(Elf *elf, const GElf_Sym *symbol)
{
	Elf_Scn *section = symbol->st_size ? NULL : elf_getscn(elf, symbol->st_shndx);
	GElf_Shdr h;
	uint64_t end;

	if (symbol->st_size)
		return __builtin_add_overflow(symbol->st_value, symbol->st_size, &end) ? UINT64_MAX
										       : end;
	if (!section || !gelf_getshdr(section, &h) || symbol->st_value < h.sh_addr ||
	    symbol->st_value - h.sh_addr >= h.sh_size)
		return symbol->st_value;
	return __builtin_add_overflow(h.sh_addr, h.sh_size, &end) ? UINT64_MAX : end;
}

/* Reads the names of the file and of its debug file: the names for the debugger if there are any,
 * otherwise those for the dynamic linker. */
static void read_names(struct pk_symbols *s)
{
	int count = dwfl_module_getsymtab(s->module);
	GElf_Addr bias, address;
	GElf_Word section;
	GElf_Sym symbol;
	Elf *elf;

	s->has_names = true;
	dwfl_module_getelf(s->module, &bias);
	s->name = pk_calloc(count > 0 ? (size_t)count : 1, sizeof(*s->name));
	for (int i = 1; i < count; i++) {
		GElf_Addr unused;
		const char *text = dwfl_module_getsym_info(s->module, i, &symbol, &address,
							   &section, &elf, &unused);

		if (!text || !*text || !elf || symbol.st_shndx == SHN_UNDEF ||
		    GELF_ST_TYPE(symbol.st_info) != STT_FUNC)
			continue;
		s->name[s->names++] = (struct name){
			symbol.st_value,      symbol.st_size,
			end_of(elf, &symbol), text,
			(uint32_t)i,          GELF_ST_BIND(symbol.st_info) != STB_LOCAL};
	}
	pk_sort(s->name, s->names, sizeof(*s->name), by_name);
}

/* The name of the function at an address. A function without a size extends to the next name in its
 * section. */
static const struct name *find_name(struct pk_symbols *s, uint64_t address)
{
	size_t low;

	if (!s->has_names)
		read_names(s);
	low = PK_BISECT(i, 0, s->names, s->name[i].address <= address);
	return low && address < s->name[low - 1].end ? &s->name[low - 1] : NULL;
}

/* Sets the name: an exported function has its exported name, not its name inside the library. A
 * part of a function (f.cold) has the name of the function. */
static void set_name(struct pk_symbols *s, uint64_t address, struct pk_symbol *outermost)
{
	const struct name *name = find_name(s, address);

	if (name && (!memchr(name->text, '.', length(name)) || !outermost->function))
		outermost->function = name->text;
}

static size_t find_all(struct pk_symbols *s, uint64_t address, struct pk_symbol *found, size_t most,
		       bool of_lines)
{
	GElf_Addr bias;
	Dwarf_Addr debug_bias;
	Dwarf_Die *cu;
	size_t count = 0;

	if (!most || !dwfl_module_getelf(s->module, &bias))
		return 0;
	cu = dwfl_module_addrdie(s->module, address + bias, &debug_bias);
	if (cu)
		count = find_scopes(cu, address + bias - debug_bias, found, most);
	else if (of_lines)
		return 0;
	if (!count)
		found[count++] = (struct pk_symbol){0};
	set_name(s, address, &found[count - 1]);
	for (size_t i = 0; i < count; i++)
		if (!found[i].function)
			return 0;
	return count;
}

size_t pk_symbols_find_named(struct pk_symbols *s, uint64_t address, struct pk_symbol *found,
			     size_t most)
{
	return find_all(s, address, found, most, false);
}

size_t pk_symbols_find_at(struct pk_symbols *s, uint64_t address, struct pk_symbol *found,
			  size_t most)
{
	return find_all(s, address, found, most, true);
}

size_t pk_symbols_find(struct pk_symbols *s, uint64_t offset, struct pk_symbol *found, size_t most)
{
	uint64_t address;

	return find_address(s, offset, &address) ? find_all(s, address, found, most, false) : 0;
}

static bool is_code(Elf *elf, const GElf_Sym *symbol)
{
	GElf_Shdr h;
	Elf_Scn *section = symbol->st_shndx && symbol->st_shndx < SHN_LORESERVE
				   ? elf_getscn(elf, symbol->st_shndx)
				   : NULL;
	int type = GELF_ST_TYPE(symbol->st_info), bind = GELF_ST_BIND(symbol->st_info);

	if (!section || !gelf_getshdr(section, &h) || type == STT_SECTION || type == STT_FILE ||
	    type == STT_GNU_IFUNC || type == STT_TLS)
		return false;
	if (bind == STB_WEAK)
		return type != STT_OBJECT;
	return (bind == STB_GLOBAL || bind == STB_LOCAL) && h.sh_flags & SHF_EXECINSTR;
}

static void add_table(Elf *elf, Elf_Scn *section, const GElf_Shdr *h, struct pk_code *code)
{
	Elf_Data *data = elf_getdata(section, NULL);
	Elf_Scn *text = elf_getscn(elf, h->sh_link);
	Elf_Data *names = text ? elf_getdata(text, NULL) : NULL;
	size_t size = gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
	size_t count = data && size ? data->d_size / size : 0;
	GElf_Sym symbol;

	/* a section that takes no room in the file has a size, but no bytes */
	if (!names || !names->d_buf || !names->d_size ||
	    ((const char *)names->d_buf)[names->d_size - 1])
		return;
	code->symbol = pk_calloc(count + 1, sizeof(*code->symbol));
	for (size_t i = 0; i < count && i < INT32_MAX; i++) {
		const char *name, *end = (const char *)names->d_buf + names->d_size;

		if (!gelf_getsym(data, (int)i, &symbol) || !is_code(elf, &symbol) ||
		    symbol.st_name >= names->d_size)
			continue;
		name = (const char *)names->d_buf + symbol.st_name;
		if (!*name)
			continue;
		code->symbol[code->count++] = (struct pk_code_symbol){
			.name = name,
			.names_end = end,
			.address = symbol.st_value,
			.order = (uint32_t)i,
			.is_function = GELF_ST_TYPE(symbol.st_info) == STT_FUNC,
			.is_local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL};
	}
}

void pk_symbols_code(const struct pk_symbols *s, struct pk_code *code)
{
	Elf *elf = elf_of(s);
	Elf_Scn *section = NULL;
	size_t names = 0;
	GElf_Shdr h;

	*code = (struct pk_code){0};
	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((section = elf_nextscn(elf, section))) {
		const char *name;

		if (!gelf_getshdr(section, &h))
			continue;
		name = elf_strptr(elf, names, h.sh_name);
		if (name && !strcmp(name, ".text"))
			code->text_end = h.sh_addr + h.sh_size;
		if (h.sh_flags & SHF_EXECINSTR && h.sh_addr + h.sh_size > code->end)
			code->end = h.sh_addr + h.sh_size;
		if (h.sh_type == SHT_SYMTAB && !code->symbol)
			add_table(elf, section, &h, code);
	}
}

#else

struct pk_symbols *pk_symbols_open(const char *path, struct pk_error *err)
{
	pk_fail(err, PK_EUSAGE, "profkit was built without elfutils (libdw), which reads '%s'",
		path);
	return NULL;
}

void pk_symbols_free(struct pk_symbols *s)
{
	(void)s;
}

size_t pk_symbols_find(struct pk_symbols *s, uint64_t offset, struct pk_symbol *found, size_t most)
{
	(void)s, (void)offset, (void)found, (void)most;
	return 0;
}

size_t pk_symbols_find_at(struct pk_symbols *s, uint64_t address, struct pk_symbol *found,
			  size_t most)
{
	return pk_symbols_find(s, address, found, most);
}

size_t pk_symbols_find_named(struct pk_symbols *s, uint64_t address, struct pk_symbol *found,
			     size_t most)
{
	return pk_symbols_find(s, address, found, most);
}

int64_t pk_symbols_changed(const struct pk_symbols *s)
{
	(void)s;
	return 0;
}

bool pk_symbols_segment(const struct pk_symbols *s, size_t *next, struct pk_segment *segment)
{
	(void)s, (void)next, (void)segment;
	return false;
}

int pk_symbols_word(const struct pk_symbols *s)
{
	(void)s;
	return 8;
}

void pk_symbols_code(const struct pk_symbols *s, struct pk_code *code)
{
	(void)s;
	*code = (struct pk_code){0};
}

const char *pk_symbols_build_id(const struct pk_symbols *s)
{
	(void)s;
	return "";
}

#endif
