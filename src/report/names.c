/* SPDX-License-Identifier: MIT
 *
 * Modules are few and searched in turn; what a return address stands for is looked up once and kept in a hash table.
 * Heap blocks are sorted by address and never overlap: a new one displaces those whose memory it was given.
 */
#include "report/names.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/table.h"
#include "report/buffer.h"
#include "report/symbols.h"
#include "trace/channel.h"
#include "trace/fault.h"
#include "trace/recording.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NEAR = 4096 }; /* an address less than so many bytes from a heap block is explained by that block */

struct named_module {
	char *path;
	uint64_t base, start, end;
	bool opened;
	struct mz_symbols *symbols; /* NULL if the module has no symbols, or was not opened yet */
};

struct stack {
	uint64_t low, high;
	char *thread;
};

/* A place of the program that allocates blocks of one length. */
struct named_site {
	uint64_t frame;
	uint64_t length;
	size_t count;
	struct mz_place place;
};

struct block {
	uint64_t address, length;
	uint32_t thread; /* the thread that allocated it */
	size_t site;
	size_t ordinal; /* number of the block among those of its site, from 1 */
};

struct mz_names {
	char *directory;
	struct named_module *modules;
	size_t nmodules, modules_capacity;
	struct stack *stacks;
	size_t nstacks, stacks_capacity;
	struct named_site *sites;
	size_t nsites, sites_capacity;
	struct block *blocks;
	size_t nblocks, blocks_capacity;
	struct mz_place *places; /* the places of instructions that were looked up */
	size_t nplaces, places_capacity;
	struct mz_table place_numbers; /* addresses of instructions: 1 + where their places are in `places` */
};

/* ---- making and freeing ---- */

static char *current_directory(void)
{
	char *system = getcwd(NULL, 0), *copy = mz_trace_copy_string(system ? system : "");
	free(system);
	return copy;
}

struct mz_names *mz_names_new(const char *directory)
{
	struct mz_names *names = mz_alloc(sizeof *names);
	if (!names) return NULL;
	memset(names, 0, sizeof *names);
	names->directory = directory ? mz_trace_copy_string(directory) : current_directory();
	if (names->directory) return names;
	mz_names_free(names);
	return NULL;
}

static void release_place(struct mz_place *place)
{
	mz_free(place->function);
	mz_free(place->file);
	*place = (struct mz_place){0};
}

void mz_names_free(struct mz_names *names)
{
	if (!names) return;
	for (size_t i = 0; i < names->nmodules; i++) {
		mz_symbols_free(names->modules[i].symbols);
		mz_free(names->modules[i].path);
	}
	for (size_t i = 0; i < names->nstacks; i++) mz_free(names->stacks[i].thread);
	for (size_t i = 0; i < names->nsites; i++) release_place(&names->sites[i].place);
	for (size_t i = 0; i < names->nplaces; i++) release_place(&names->places[i]);
	mz_free(names->modules);
	mz_free(names->stacks);
	mz_free(names->sites);
	mz_free(names->blocks);
	mz_free(names->places);
	mz_table_release(&names->place_numbers);
	mz_free(names->directory);
	mz_free(names);
}

/* Makes room for one more item at the end of an array of `names`. False when there is no memory. */
#define ROOM(array) mz_array_reserve(&names->array, &names->array##_capacity, names->n##array + 1)

/* ---- modules ---- */

int mz_names_add_module(struct mz_names *names, const char *path, uint64_t base, uint64_t start, uint64_t end)
{
	char *copy = mz_trace_copy_string(path);
	if (!copy || !ROOM(modules)) {
		mz_free(copy);
		return -1;
	}
	names->modules[names->nmodules++] =
	    (struct named_module){.path = copy, .base = base, .start = start, .end = end};
	return 0;
}

static struct named_module *module_of(struct mz_names *names, uint64_t address)
{
	for (size_t i = 0; i < names->nmodules; i++)
		if (names->modules[i].start <= address && address < names->modules[i].end) return &names->modules[i];
	return NULL;
}

static struct mz_symbols *symbols_of(struct named_module *module)
{
	if (!module->opened) module->symbols = mz_symbols_new(module->path);
	module->opened = true;
	return module->symbols;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Returns whether the module is the program, or a library that is not one of the system's. */
static bool is_own(const struct mz_names *names, const struct named_module *module)
{
	static const char *const foreign[] = {
	    "libmazurka.", "libc.", "libc-", "libm.",      "libpthread", "libdl.",      "librt.",  "libstdc++.",
	    "libgcc_s",    "ld-",   "ld.so", "linux-vdso", "libc++",     "libclang_rt", "libtsan", "libasan"};
	const char *name = base_name(module->path);
	if (module == names->modules) return true;
	for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
		if (strncmp(name, foreign[i], strlen(foreign[i])) == 0) return false;
	return true;
}

/* Adds a name like "p+0x1139", for modules without symbols. */
static void add_offset(struct mz_buffer *text, const struct named_module *module, uint64_t address)
{
	mz_buffer_add(text, "%s+0x%" PRIx64, base_name(module->path), address - module->base);
}

/* ---- places ---- */

char *mz_names_file(const struct mz_names *names, const char *file)
{
	size_t n = strlen(names->directory);
	bool under = n > 1 && strncmp(file, names->directory, n) == 0 && file[n] == '/';
	return mz_trace_copy_string(under ? file + n + 1 : file);
}

static int shorten(const struct mz_names *names, char **file)
{
	if (!*file) return 0;
	char *shorter = mz_names_file(names, *file);
	if (!shorter) return -1;
	mz_free(*file);
	*file = shorter;
	return 0;
}

static int look_up(struct mz_names *names, uint64_t address, struct mz_place *place)
{
	struct named_module *module = module_of(names, address);
	struct mz_symbols *symbols = module ? symbols_of(module) : NULL;
	struct mz_buffer text = {0};
	if (!module) return 0;
	if (symbols && mz_symbols_place(symbols, address - module->base, place) != 0) return -1;
	if (place->function) return shorten(names, &place->file);
	add_offset(&text, module, address);
	place->function = mz_buffer_take(&text);
	return place->function ? shorten(names, &place->file) : -1;
}

/* Returns the place of an instruction, which is looked up only once. Returns NULL when there is no memory. */
static const struct mz_place *known(struct mz_names *names, uint64_t address)
{
	size_t number = mz_table_find(&names->place_numbers, mz_mix(address));
	if (number) return &names->places[number - 1];
	struct mz_place place = {0};
	if (!ROOM(places) || look_up(names, address, &place) != 0 ||
	    !mz_table_add(&names->place_numbers, mz_mix(address), names->nplaces + 1)) {
		release_place(&place);
		return NULL;
	}
	names->places[names->nplaces] = place;
	return &names->places[names->nplaces++];
}

/* Returns an address within the call that best stands for a call stack, or 0. That is the innermost frame of the
 * program's own code that has a line; a library without debug information says less than its caller. A frame is a
 * return address, the instruction after the call, so the byte before it is looked up. */
static uint64_t choose_frame(struct mz_names *names, const uint64_t *frames, size_t n)
{
	uint64_t own = 0, second_best = 0;
	for (size_t i = 0; i < n; i++) {
		struct named_module *module = frames[i] ? module_of(names, frames[i] - 1) : NULL;
		if (!module) continue;
		if (!second_best) second_best = frames[i] - 1;
		if (!is_own(names, module)) continue;
		const struct mz_place *place = known(names, frames[i] - 1);
		if (!own) own = frames[i] - 1;
		if (place && place->line) return frames[i] - 1;
	}
	return own ? own : second_best;
}

static int copy_place(const struct mz_place *from, struct mz_place *to)
{
	*to = (struct mz_place){mz_trace_copy_string(from->function), mz_trace_copy_string(from->file), from->line};
	return (from->function && !to->function) || (from->file && !to->file) ? -1 : 0;
}

int mz_names_place(struct mz_names *names, const uint64_t *frames, size_t n, struct mz_place *place)
{
	*place = (struct mz_place){0};
	uint64_t address = choose_frame(names, frames, n);
	if (address == 0) return 0;
	const struct mz_place *found = known(names, address);
	return found ? copy_place(found, place) : -1;
}

int mz_names_function(struct mz_names *names, uint64_t address, char **name)
{
	*name = NULL;
	const struct mz_place *found = address ? known(names, address) : NULL;
	if (!found) return address ? -1 : 0;
	*name = mz_trace_copy_string(found->function);
	return found->function && !*name ? -1 : 0;
}

void mz_place_add(struct mz_buffer *text, const struct mz_place *place)
{
	if (place->file) mz_buffer_add_string(text, place->file);
	if (place->file && place->line) mz_buffer_add(text, ":%" PRIu32, place->line);
	if (place->function) mz_buffer_add(text, place->file ? " (%s)" : "%s", place->function);
}

/* ---- stacks ---- */

int mz_names_add_stack(struct mz_names *names, uint64_t low, uint64_t high, const char *thread)
{
	char *copy = mz_trace_copy_string(thread);
	if (!copy || !ROOM(stacks)) {
		mz_free(copy);
		return -1;
	}
	names->stacks[names->nstacks++] = (struct stack){low, high, copy};
	return 0;
}

static bool add_stack_name(const struct mz_names *names, uint64_t address, struct mz_buffer *name)
{
	for (size_t i = names->nstacks; i > 0; i--) {
		const struct stack *stack = &names->stacks[i - 1];
		if (address < stack->low || address >= stack->high) continue;
		mz_buffer_add(name, "stack of %s, top-%" PRIu64, stack->thread, stack->high - address);
		return true;
	}
	return false;
}

static bool add_thread_name(const struct mz_names *names, uint64_t address, struct mz_buffer *name)
{
	for (size_t i = names->nstacks; i > 0; i--) {
		const struct stack *stack = &names->stacks[i - 1];
		if (address != mz_object_in(MZ_SPACE_THREAD, stack->high)) continue;
		mz_buffer_add(name, "thread %s", stack->thread);
		return true;
	}
	return false;
}

/* ---- heap blocks ---- */

/* Returns how many blocks start at or before the address. */
static size_t blocks_before(const struct mz_names *names, uint64_t address)
{
	size_t low = 0, high = names->nblocks;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (names->blocks[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns the address of the last byte of a block; for a block of length 0, the address of the block. */
static uint64_t last_byte(const struct block *block)
{
	uint64_t extent = block->length ? block->length - 1 : 0;
	return block->address > UINT64_MAX - extent ? UINT64_MAX : block->address + extent;
}

static struct block *block_of(const struct mz_names *names, uint64_t address)
{
	size_t i = blocks_before(names, address);
	return i && address <= last_byte(&names->blocks[i - 1]) ? &names->blocks[i - 1] : NULL;
}

/* Returns the block that ends before the address or starts after it, whichever is nearer, or NULL if neither is
 * near. */
static struct block *block_near(const struct mz_names *names, uint64_t address)
{
	size_t i = blocks_before(names, address);
	uint64_t before = i ? address - last_byte(&names->blocks[i - 1]) : NEAR;
	uint64_t after = i < names->nblocks ? names->blocks[i].address - address : NEAR;
	if (before >= NEAR && after >= NEAR) return NULL;
	return before <= after ? &names->blocks[i - 1] : &names->blocks[i];
}

static int site_of(struct mz_names *names, uint64_t length, const uint64_t *frames, size_t n, size_t *site)
{
	uint64_t frame = choose_frame(names, frames, n);
	for (*site = 0; *site < names->nsites; ++*site)
		if (names->sites[*site].frame == frame && names->sites[*site].length == length) return 0;
	struct named_site new = {.frame = frame, .length = length};
	if (mz_names_place(names, frames, n, &new.place) != 0 || !ROOM(sites)) {
		release_place(&new.place);
		return -1;
	}
	names->sites[names->nsites++] = new;
	return 0;
}

/* Inserts a block into the sorted array. If it overlaps others, it takes their place, or is left out unless
 * `replace`. */
static void insert_block(struct mz_names *names, struct block block, bool replace)
{
	size_t from = blocks_before(names, block.address), to;
	if (from && last_byte(&names->blocks[from - 1]) >= block.address) from--;
	for (to = from; to < names->nblocks && names->blocks[to].address <= last_byte(&block);) to++;
	if (from != to && !replace) return;
	block.ordinal = ++names->sites[block.site].count;
	memmove(&names->blocks[from + 1], &names->blocks[to], (names->nblocks - to) * sizeof block);
	names->nblocks = names->nblocks - (to - from) + 1;
	names->blocks[from] = block;
}

int mz_names_add_block(struct mz_names *names, uint64_t address, uint64_t length, uint32_t thread,
                       const uint64_t *frames, size_t n, bool replace)
{
	struct block block = {.address = address, .length = length, .thread = thread};
	if (site_of(names, length, frames, n, &block.site) != 0 || !ROOM(blocks)) return -1;
	const struct block *there = block_of(names, address);
	if (there && there->address == address && there->site == block.site && there->thread == thread) return 0;
	insert_block(names, block, replace);
	return 0;
}

static void add_block_name(const struct mz_names *names, const struct block *block, uint64_t address,
                           struct mz_buffer *name)
{
	const struct named_site *site = &names->sites[block->site];
	mz_buffer_add(name, "heap block of %" PRIu64 " bytes", block->length);
	if (site->place.function || site->place.file) {
		mz_buffer_add_string(name, " from ");
		mz_place_add(name, &site->place);
	}
	if (site->count > 1) mz_buffer_add(name, " #%zu", block->ordinal);
	if (address > block->address) mz_buffer_add(name, ", +%" PRIu64, address - block->address);
	if (address < block->address) mz_buffer_add(name, ", -%" PRIu64, block->address - address);
}

bool mz_names_allocation(struct mz_names *names, uint64_t address, const struct mz_place **place, uint32_t *thread,
                         uint64_t *length)
{
	const struct block *block = block_of(names, address);
	if (!block) block = block_near(names, address);
	if (!block) return false;
	*place = &names->sites[block->site].place;
	*thread = block->thread;
	*length = block->length;
	return true;
}

/* ---- objects ---- */

static bool add_module_name(struct mz_names *names, uint64_t address, uint64_t length, struct mz_buffer *name)
{
	struct named_module *module = module_of(names, address);
	struct mz_symbols *symbols = module ? symbols_of(module) : NULL;
	if (!module) return false;
	if (!symbols || !mz_symbols_object(symbols, address - module->base, length, name))
		add_offset(name, module, address);
	return true;
}

/* Adds the name of a choice whether a call fails (--fail). Returns false if the address does not stand for one. */
static bool add_fault(uint64_t address, struct mz_buffer *name)
{
	char text[80];
	if (!mz_object_is_in(MZ_SPACE_FAULT, address)) return false;
	enum mz_fault fault = (enum mz_fault)(mz_object_number(address) / 2);
	if (fault >= MZ_FAULT_COUNT) return false;
	mz_buffer_add_string(name, mz_fault_describe(fault, address & 1, text, sizeof text));
	return true;
}

static bool add_channel(uint64_t address, struct mz_buffer *name)
{
	char text[80];
	if (!mz_channel_describe(address, text, sizeof text)) return false;
	mz_buffer_add_string(name, text);
	return true;
}

int mz_names_object(struct mz_names *names, uint64_t address, uint64_t length, char **out)
{
	struct mz_buffer name = {0};
	const struct block *block = block_of(names, address);
	if (block)
		add_block_name(names, block, address, &name);
	else if (add_fault(address, &name) || add_channel(address, &name) || add_thread_name(names, address, &name) ||
	         add_stack_name(names, address, &name) || add_module_name(names, address, length, &name)) {
	} else if ((block = block_near(names, address)))
		add_block_name(names, block, address, &name);
	else
		mz_buffer_add(&name, "address 0x%" PRIx64, address);
	*out = mz_buffer_take(&name);
	return *out ? 0 : -1;
}

/* ---- values ---- */

static bool add_local(struct mz_names *names, const struct mz_record_frame *frame, const struct mz_marked *marked,
                      bool by_name, struct mz_buffer *text)
{
	struct named_module *module = frame->code ? module_of(names, frame->code - 1) : NULL;
	struct mz_symbols *symbols = module && is_own(names, module) ? symbols_of(module) : NULL;
	if (!symbols) return false;
	const struct mz_record_frame in_file = {frame->code - 1 - module->base, frame->sp, frame->bp};
	return mz_symbols_local_value(symbols, &in_file, marked, by_name, text);
}

bool mz_names_value(struct mz_names *names, const struct mz_record_frame *frames, size_t n,
                    const struct mz_marked *marked, struct mz_buffer *text)
{
	struct named_module *module = module_of(names, marked->address);
	struct mz_symbols *symbols = module ? symbols_of(module) : NULL;
	if (symbols && mz_symbols_static_value(symbols, marked->address - module->base, marked, text)) return true;
	for (size_t i = 0; i < n; i++)
		if (add_local(names, &frames[i], marked, false, text)) return true;
	for (size_t i = 0; i < n; i++)
		if (add_local(names, &frames[i], marked, true, text)) return true;
	return false;
}
