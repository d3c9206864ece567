#include "base/symbols.h"

#include "config.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>
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

struct name {
	uint64_t address, size;
	uint64_t end; /* of one without a size: the end of its section */
	const char *text;
	uint32_t order; /* in the file */
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

/* Debugging information in other files is not looked for. */
static int find_none(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
		     const char *file, const char *link, GElf_Word crc, char **found)
{
	(void)module, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc;
	*found = NULL;
	return -1;
}

static const Dwfl_Callbacks callbacks = {.find_debuginfo = find_none,
					 .section_address = dwfl_offline_section_address};

static void set_build_id(struct pk_symbols *s)
{
	const unsigned char *bits;
	GElf_Addr address;
	int len = dwfl_module_build_id(s->module, &bits, &address);

	for (int i = 0; i < len && i < 64; i++)
		snprintf(s->build_id + 2 * i, 3, "%02x", bits[i]);
}

struct pk_symbols *pk_symbols_open(const char *path, struct pk_error *err)
{
	/* O_NONBLOCK: a FIFO does not wait for its writer */
	int fd = pk_open_read(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
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
	if (s->dwfl && S_ISREG(st.st_mode))
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
	pk_fail(err, PK_EFORMAT, "'%s' is no program or library (ELF)", path);
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

/* The address that elfutils gives to what is at the offset. */
static bool find_address(const struct pk_symbols *s, uint64_t offset, GElf_Addr *address)
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
		*address = offset - h.p_offset + h.p_vaddr + bias;
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

/* Where the inlined function was called. */
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

/* The functions around an address, by the debugging information. */
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

/* At an address as elfutils gave it. */
static size_t find_all(struct pk_symbols *s, GElf_Addr address, struct pk_symbol *found,
		       size_t most)
{
	const char *name;
	Dwarf_Addr bias;
	GElf_Off inside;
	GElf_Sym symbol;
	Dwarf_Die *cu;
	size_t count = 0;

	if (!most)
		return 0;
	cu = dwfl_module_addrdie(s->module, address, &bias);
	if (cu)
		count = find_scopes(cu, address - bias, found, most);
	name = dwfl_module_addrinfo(s->module, address, &inside, &symbol, NULL, NULL, NULL);
	if (!count && name)
		found[count++] = (struct pk_symbol){0};
	if (count && name && !found[count - 1].function)
		found[count - 1].function = name;
	for (size_t i = 0; i < count; i++)
		if (!found[i].function)
			return 0;
	return count;
}

size_t pk_symbols_find(struct pk_symbols *s, uint64_t offset, struct pk_symbol *found, size_t most)
{
	GElf_Addr address;

	return find_address(s, offset, &address) ? find_all(s, address, found, most) : 0;
}

size_t pk_symbols_find_at(struct pk_symbols *s, uint64_t address, struct pk_symbol *found,
			  size_t most)
{
	GElf_Addr bias;
	Dwarf_Die *cu;

	if (!most || !dwfl_module_getelf(s->module, &bias))
		return 0;
	/* without lines the answer has no use, and elfutils looks at all names of the program */
	address += bias;
	cu = dwfl_module_addrdie(s->module, address, &bias);
	return cu ? find_all(s, address, found, most) : 0;
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

bool pk_symbols_segment(const struct pk_symbols *s, size_t *next, uint64_t *address, uint64_t *size)
{
	Elf *elf = elf_of(s);
	size_t count = 0;
	GElf_Phdr h;

	if (elf_getphdrnum(elf, &count))
		return false;
	while (*next < count && *next < INT16_MAX) {
		if (!gelf_getphdr(elf, (int)(*next)++, &h) || h.p_type != PT_LOAD)
			continue;
		*address = h.p_vaddr;
		*size = h.p_memsz;
		return true;
	}
	return false;
}

PK_COMPARE(by_name, struct name,
	   PK_ORDER(a->address, b->address) ?: PK_ORDER(a->size, b->size)
						       ?: PK_ORDER(a->order, b->order))

/* What the assembler gave no size, as _init, may go on up to the end of its section. */
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

static void add_names(struct pk_symbols *s, Elf *elf, Elf_Scn *section, const GElf_Shdr *h)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t size = gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
	size_t count = data && size ? data->d_size / size : 0;
	GElf_Sym symbol;

	s->name = pk_calloc(count + 1, sizeof(*s->name));
	for (size_t i = 0; i < count && i < INT32_MAX; i++) {
		const char *text;

		if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx == SHN_UNDEF ||
		    GELF_ST_TYPE(symbol.st_info) != STT_FUNC)
			continue;
		text = elf_strptr(elf, h->sh_link, symbol.st_name);
		if (text && *text)
			s->name[s->names++] =
				(struct name){symbol.st_value, symbol.st_size, end_of(elf, &symbol),
					      text, (uint32_t)i};
	}
	pk_sort(s->name, s->names, sizeof(*s->name), by_name);
}

/* Those for the debugger if they are there, otherwise those for the linker at run time. */
static void read_names(struct pk_symbols *s)
{
	static const GElf_Word kinds[] = {SHT_SYMTAB, SHT_DYNSYM};
	Elf *elf = elf_of(s);
	GElf_Shdr h;

	s->has_names = true;
	for (int i = 0; i < 2 && !s->names; i++) {
		for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
			if (!gelf_getshdr(section, &h) || h.sh_type != kinds[i])
				continue;
			free(s->name);
			s->names = 0;
			add_names(s, elf, section, &h);
			break;
		}
	}
}

/* The name of the function that has the address. One without a size goes on up to the next, within
 * its section. */
static const char *find_name(struct pk_symbols *s, uint64_t address)
{
	size_t low = 0, high;

	if (!s->has_names)
		read_names(s);
	for (high = s->names; low < high;) {
		size_t middle = low + (high - low) / 2;

		if (s->name[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < s->name[low - 1].end ? s->name[low - 1].text : NULL;
}

size_t pk_symbols_find_named(struct pk_symbols *s, uint64_t address, struct pk_symbol *found,
			     size_t most)
{
	GElf_Addr bias;
	Dwarf_Addr of_lines;
	Dwarf_Die *cu;
	size_t count = 0;

	if (!most || !dwfl_module_getelf(s->module, &bias))
		return 0;
	cu = dwfl_module_addrdie(s->module, address + bias, &of_lines);
	if (cu)
		count = find_scopes(cu, address + bias - of_lines, found, most);
	if (!count)
		found[count++] = (struct pk_symbol){0};
	if (!found[count - 1].function)
		found[count - 1].function = find_name(s, address);
	for (size_t i = 0; i < count; i++)
		if (!found[i].function)
			return 0;
	return count;
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
			.next = name + strlen(name) + 1 < end ? name + strlen(name) + 1 : "",
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

bool pk_symbols_segment(const struct pk_symbols *s, size_t *next, uint64_t *address, uint64_t *size)
{
	(void)s, (void)next, (void)address, (void)size;
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
