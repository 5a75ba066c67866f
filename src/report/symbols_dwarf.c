/* SPDX-License-Identifier: MIT
 *
 * Symbols with libdw (elfutils). Debug information in a file of its own is found as gdb finds it.
 *
 * Compilation units are searched one by one rather than through .debug_aranges, which clang does not write. Variables
 * are indexed once, when the first object is asked for: all that have a fixed address, wherever they are declared.
 */
#include "base/alloc.h"
#include "base/array.h"
#include "report/dwarf_type.h"
#include "report/dwarf_value.h"
#include "report/frame.h"
#include "report/symbols.h"
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DIE_DEPTH_MAX = 100 };

struct variable {
	uint64_t start;
	uint64_t size; /* at least 1 */
	Dwarf_Die die;
	const char *function; /* the function whose static variable this is, else NULL */
};

struct mz_symbols {
	Dwfl *dwfl;
	Dwfl_Module *module;
	bool indexed;
	struct variable *variables; /* sorted by start */
	size_t nvariables;
	size_t capacity;
};

bool mz_symbols_available(void)
{
	return true;
}

/* ---- opening ---- */

static char *debuginfo_path;
static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .debuginfo_path = &debuginfo_path,
};

/* Opens the file at base 0, so that addresses are those of the file itself. Returns whether that worked. */
static bool open_file(struct mz_symbols *symbols, const char *path)
{
	symbols->dwfl = dwfl_begin(&callbacks);
	if (!symbols->dwfl) return false;
	dwfl_report_begin(symbols->dwfl);
	symbols->module = dwfl_report_elf(symbols->dwfl, path, path, -1, 0, true);
	dwfl_report_end(symbols->dwfl, NULL, NULL);
	return symbols->module != NULL;
}

struct mz_symbols *mz_symbols_new(const char *path)
{
	struct stat status;
	if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return NULL;
	struct mz_symbols *symbols = mz_alloc(sizeof *symbols);
	if (!symbols) return NULL;
	memset(symbols, 0, sizeof *symbols);
	if (open_file(symbols, path)) return symbols;
	mz_symbols_free(symbols);
	return NULL;
}

void mz_symbols_free(struct mz_symbols *symbols)
{
	if (!symbols) return;
	if (symbols->dwfl) dwfl_end(symbols->dwfl);
	mz_free(symbols->variables);
	mz_free(symbols);
}

/* ---- places ---- */

static Dwarf_Die *unit_of(struct mz_symbols *symbols, uint64_t address, Dwarf_Addr *bias)
{
	Dwarf_Die *unit = NULL;
	while ((unit = dwfl_module_nextcu(symbols->module, unit, bias)))
		if (dwarf_haspc(unit, address - *bias) > 0) return unit;
	return NULL;
}

/* Returns the name of the innermost function around the instruction, inlined or not, or NULL. */
static const char *function_in(Dwarf_Die *unit, Dwarf_Addr address)
{
	Dwarf_Die *scopes = NULL;
	const char *name = NULL;
	int n = dwarf_getscopes(unit, address, &scopes);
	for (int i = 0; i < n && !name; i++) {
		int tag = dwarf_tag(&scopes[i]);
		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) name = dwarf_diename(&scopes[i]);
	}
	free(scopes);
	return name;
}

/* Returns a file name as the compiler was given it: libdw puts the directory of the compilation in front. */
static const char *as_given(Dwarf_Die *unit, const char *file)
{
	Dwarf_Attribute attribute;
	const char *directory = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
	size_t n = directory ? strlen(directory) : 0;
	if (n != 0 && strncmp(file, directory, n) == 0 && file[n] == '/') file += n + 1;
	while (file[0] == '.' && file[1] == '/') file += 2;
	return file;
}

static int set(char **to, const char *text)
{
	mz_free(*to);
	*to = mz_trace_copy_string(text);
	return *to ? 0 : -1;
}

static int line_in(Dwarf_Die *unit, Dwarf_Addr address, struct mz_place *place)
{
	int number = 0;
	Dwarf_Line *line = dwarf_getsrc_die(unit, address);
	const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	if (!file) return 0;
	if (dwarf_lineno(line, &number) == 0 && number > 0) place->line = (uint32_t)number;
	return set(&place->file, as_given(unit, file));
}

/* Returns the name of the ELF symbol of that type that the address is within, and the offset; NULL if there is none. */
static const char *symbol_at(struct mz_symbols *symbols, uint64_t address, unsigned type, uint64_t *offset)
{
	GElf_Off within;
	GElf_Sym symbol;
	const char *name = dwfl_module_addrinfo(symbols->module, address, &within, &symbol, NULL, NULL, NULL);
	if (!name || GELF_ST_TYPE(symbol.st_info) != type || within >= symbol.st_size) return NULL;
	*offset = within;
	return name;
}

int mz_symbols_place(struct mz_symbols *symbols, uint64_t address, struct mz_place *place)
{
	Dwarf_Addr bias;
	uint64_t offset;
	Dwarf_Die *unit = unit_of(symbols, address, &bias);
	const char *name = unit ? function_in(unit, address - bias) : NULL;
	if (!name) name = symbol_at(symbols, address, STT_FUNC, &offset);
	if (name && set(&place->function, name) != 0) return -1;
	return unit ? line_in(unit, address - bias, place) : 0;
}

/* ---- the index of variables ---- */

/* Reads the location of a variable, if it is one address, perhaps with a constant added. Returns false otherwise. */
static bool fixed_address(Dwarf_Die *die, uint64_t *address)
{
	Dwarf_Attribute attribute, operand;
	Dwarf_Op *ops;
	size_t n;
	Dwarf_Addr base;
	if (!dwarf_attr(die, DW_AT_location, &attribute) || dwarf_getlocation(&attribute, &ops, &n) != 0) return false;
	if (n == 0 || n > 2 || (n == 2 && ops[1].atom != DW_OP_plus_uconst)) return false;
	switch (ops[0].atom) {
	case DW_OP_addr: base = ops[0].number; break;
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
		if (dwarf_getlocation_attr(&attribute, &ops[0], &operand) != 0) return false;
		if (dwarf_formaddr(&operand, &base) != 0) return false;
		break;
	default: return false;
	}
	*address = base + (n == 2 ? ops[1].number : 0);
	return true;
}

static uint64_t size_of(Dwarf_Die *variable)
{
	Dwarf_Die type;
	uint64_t size;
	bool known = mz_dwarf_type_of(variable, &type) && mz_dwarf_size_of(&type, &size) && size > 0;
	return known ? size : 1;
}

static void add_variable(struct mz_symbols *symbols, Dwarf_Die *die, Dwarf_Addr bias, const char *function)
{
	uint64_t address;
	if (!dwarf_diename(die) || !fixed_address(die, &address)) return;
	if (!mz_array_reserve(&symbols->variables, &symbols->capacity, symbols->nvariables + 1))
		return; /* without memory the variable has no name, and that is all */
	symbols->variables[symbols->nvariables++] = (struct variable){address + bias, size_of(die), *die, function};
}

static void add_children(struct mz_symbols *symbols, Dwarf_Die *parent, Dwarf_Addr bias, const char *function,
                         int depth)
{
	Dwarf_Die die;
	if (depth == DIE_DEPTH_MAX || dwarf_child(parent, &die) != 0) return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_variable: add_variable(symbols, &die, bias, function); break;
		case DW_TAG_subprogram: add_children(symbols, &die, bias, dwarf_diename(&die), depth + 1); break;
		case DW_TAG_lexical_block:
		case DW_TAG_namespace: add_children(symbols, &die, bias, function, depth + 1); break;
		default: break;
		}
	} while (dwarf_siblingof(&die, &die) == 0);
}

static int by_start(const void *a, const void *b)
{
	const struct variable *left = a, *right = b;
	return (left->start > right->start) - (left->start < right->start);
}

static void index_variables(struct mz_symbols *symbols)
{
	Dwarf_Addr bias;
	Dwarf_Die *unit = NULL;
	symbols->indexed = true;
	while ((unit = dwfl_module_nextcu(symbols->module, unit, &bias))) add_children(symbols, unit, bias, NULL, 0);
	if (symbols->nvariables) qsort(symbols->variables, symbols->nvariables, sizeof *symbols->variables, by_start);
}

/* Returns the last variable that starts at or before the address, if it reaches that far, else NULL. */
static struct variable *variable_at(struct mz_symbols *symbols, uint64_t address)
{
	size_t low = 0, high = symbols->nvariables;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (symbols->variables[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	struct variable *variable = low ? &symbols->variables[low - 1] : NULL;
	return variable && address - variable->start < variable->size ? variable : NULL;
}

static void add_name(struct variable *variable, uint64_t offset, uint64_t length, struct mz_buffer *name)
{
	Dwarf_Die type;
	if (variable->function) mz_buffer_add(name, "%s()::", variable->function);
	mz_buffer_add_string(name, dwarf_diename(&variable->die));
	if (mz_dwarf_type_of(&variable->die, &type)) mz_dwarf_type_path(&type, offset, length, name);
}

bool mz_symbols_object(struct mz_symbols *symbols, uint64_t address, uint64_t length, struct mz_buffer *name)
{
	uint64_t offset;
	if (!symbols->indexed) index_variables(symbols);
	struct variable *variable = variable_at(symbols, address);
	if (variable) {
		add_name(variable, address - variable->start, length, name);
		return true;
	}
	const char *symbol = symbol_at(symbols, address, STT_OBJECT, &offset);
	if (!symbol) return false;
	mz_buffer_add_string(name, symbol);
	if (offset) mz_buffer_add(name, "+%" PRIu64, offset);
	return true;
}

/* ---- values ---- */

/* Adds the object as what it is in a variable of that type, at that offset. */
static bool add_part(const Dwarf_Die *type, uint64_t offset, const struct mz_marked *marked, struct mz_buffer *text)
{
	Dwarf_Die part;
	switch (mz_dwarf_type_part(type, offset, marked->size, &part)) {
	case MZ_DWARF_OBJECT: return mz_dwarf_value_add(text, &part, marked->bytes, marked->size);
	case MZ_DWARF_ELEMENTS: return mz_dwarf_value_add_elements(text, &part, marked->bytes, marked->size);
	default: return false;
	}
}

bool mz_symbols_static_value(struct mz_symbols *symbols, uint64_t address, const struct mz_marked *marked,
                             struct mz_buffer *text)
{
	Dwarf_Die type;
	if (!symbols->indexed) index_variables(symbols);
	struct variable *variable = variable_at(symbols, address);
	return variable && mz_dwarf_type_of(&variable->die, &type) &&
	       add_part(&type, address - variable->start, marked, text);
}

/* Adds the object as what a variable of its name points to, or is, if the bytes are as many. */
static bool add_named(struct mz_frame_search *search, const struct mz_marked *marked, struct mz_buffer *text)
{
	Dwarf_Die type, target;
	uint64_t size;
	if (!search->is_named || !mz_dwarf_type_of(&search->named, &type) || dwarf_peel_type(&type, &type) != 0)
		return false;
	int tag = dwarf_tag(&type);
	if (tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type) {
		if (!mz_dwarf_type_of(&type, &target) || !mz_dwarf_size_of(&target, &size)) return false;
		if (size == marked->size) return mz_dwarf_value_add(text, &target, marked->bytes, marked->size);
	} else {
		if (search->is_elsewhere) return false;
		if (!mz_dwarf_element(&type, &target, &size) || mz_dwarf_size_of(&type, &(uint64_t){0}))
			return mz_dwarf_value_add(text, &type, marked->bytes, marked->size);
	}
	return size && marked->size % size == 0 &&
	       mz_dwarf_value_add_elements(text, &target, marked->bytes, marked->size);
}

bool mz_symbols_local_value(struct mz_symbols *symbols, const struct mz_record_frame *frame,
                            const struct mz_marked *marked, bool by_name, struct mz_buffer *text)
{
	Dwarf_Die type;
	struct mz_frame_search search = {.module = symbols->module,
	                                 .code = frame->code,
	                                 .sp = frame->sp,
	                                 .bp = frame->bp,
	                                 .object = marked->address,
	                                 .size = marked->size,
	                                 .name = marked->name};
	search.unit = unit_of(symbols, frame->code, &search.bias);
	if (!search.unit) return false;
	mz_frame_search(&search);
	if (by_name) return add_named(&search, marked, text);
	return search.is_placed && mz_dwarf_type_of(&search.placed, &type) &&
	       add_part(&type, search.offset, marked, text);
}
