/* SPDX-License-Identifier: MIT
 *
 * Every loaded module is either rolled back as a whole (its data, its thread-local variables, what it allocates) or not
 * at all. Not rolled back are the C library and its kin, whose state belongs to the process: buffers of streams, the
 * loader's lists.
 *
 * A small image is copied back whole. Of a larger one only pages that were ever written to are: all others are
 * read-only, the first write to one saves it, makes it writable for good and puts it on the list of those to copy back.
 * Programs write to the same pages in most executions, so after the first few there are no faults any more, and what is
 * never written to costs nothing, however large it is. The kernel does not fault but fails: before a system call
 * writes to memory, mz_image_touch() has to be called for it.
 */
#include "runtime/memory/image.h"
#include "base/alloc.h"
#include "base/chunks.h"
#include "base/hash.h"
#include "runtime/core/core.h"
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>

/* The argument of __tls_get_addr(), which compiled code calls for thread-local variables of libraries. */
struct tls_index {
	size_t module, offset;
};
void *__tls_get_addr(struct tls_index *index);

#define PAGE 4096UL
#define SMALL_IMAGE (16 * 1024UL) /* an image up to this size is copied whole */
#define MODULES_MAX 512
#define POOL_PAGES 64

struct image_module {
	uint64_t base, start, end;
	uint64_t id; /* the same in every process */
	bool rolled_back;
	char *path;
};

/* A part of the image that is copied back before each execution. */
struct image_piece {
	uint8_t *address;
	uint8_t *saved;
	size_t size;
};

/* Writable data of a module, or what was on the heap at first. Pages within [watched_low, watched_high) are read-only
 * until they are opened. */
struct region {
	uint8_t *low, *high;
	uint8_t *watched_low, *watched_high;
	bool saved;
	bool apart;           /* its pages are watched, whatever the size of the image */
	uint8_t *head, *tail; /* what was in [low, watched_low) and in [watched_high, high) */
	uint32_t *opened;     /* for each watched page: 0, or 1 + the number of its piece */
};

/* Thread-local variables of a module. */
struct tls {
	uint64_t base;    /* load bias of the module */
	ptrdiff_t offset; /* distance of the variables from the thread pointer */
	size_t number;    /* if not 0: the module's number, by which the loader finds the variables of each thread */
	size_t size, initial_size;
	const uint8_t *initial;
	uint8_t *saved; /* the variables of the first thread, as saved */
};

uintptr_t mz_image_program_start, mz_image_program_size, mz_image_own_start, mz_image_own_size;

static struct image_module modules[MODULES_MAX];
static size_t nmodules;
static struct region regions[MODULES_MAX + MZ_IMAGE_PARTS];
static size_t nregions;
static struct region always[1]; /* copied back whole, whatever its size */
static size_t nalways;
static struct tls tls[MODULES_MAX];
static size_t ntls;
static struct image_piece *pieces;
static size_t npieces, pieces_capacity;

/* ---- modules ---- */

static bool belongs_to_c_library(const char *path)
{
	static const char *const kin[] = {"libc.so",  "ld-linux",   "libpthread.so", "libdl.so",  "librt.so", "libm.so",
	                                  "libgcc_s", "linux-vdso", "libmazurka",    "libanl.so", "libresolv"};
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	for (size_t i = 0; i < sizeof kin / sizeof *kin; i++)
		if (strncmp(name, kin[i], strlen(kin[i])) == 0) return true;
	return false;
}

bool mz_image_rolls_back(const char *path)
{
	return !belongs_to_c_library(path);
}

static char *copy_path(const char *path)
{
	char *copy = mz_alloc(strlen(path) + 1);
	if (!copy) mz_unsupported("out of memory");
	return strcpy(copy, path);
}

void mz_image_add(void *low, void *high)
{
	if (low < high) regions[nregions++] = (struct region){.low = low, .high = high};
}

void mz_image_add_apart(void *low, void *high)
{
	regions[nregions++] = (struct region){.low = low, .high = high, .apart = true};
}

static void add_tls(const struct dl_phdr_info *info, const ElfW(Phdr) * header, bool late)
{
	if ((!info->dlpi_tls_data && !late) || !header->p_memsz) return;
	struct tls *added = &tls[ntls++];
	*added = (struct tls){.base = info->dlpi_addr,
	                      .size = header->p_memsz,
	                      .initial_size = header->p_filesz,
	                      .initial = (uint8_t *)(info->dlpi_addr + header->p_vaddr)};
	if (late)
		added->number = info->dlpi_tls_modid;
	else
		added->offset = (uint8_t *)info->dlpi_tls_data - (uint8_t *)mz_arch_thread_pointer();
}

bool mz_image_data(const struct dl_phdr_info *info, const ElfW(Phdr) * header, uint8_t **low, uint8_t **high)
{
	if (header->p_type != PT_LOAD || !(header->p_flags & PF_W)) return false;
	uintptr_t from = info->dlpi_addr + header->p_vaddr, to = from + header->p_memsz;
	*high = (uint8_t *)to;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *relro = &info->dlpi_phdr[i];
		if (relro->p_type != PT_GNU_RELRO) continue;
		uintptr_t start = info->dlpi_addr + relro->p_vaddr, end = (start + relro->p_memsz) & ~(PAGE - 1);
		if (end > from && start < to) from = end; /* some linkers let it end beyond the segment */
	}
	*low = (uint8_t *)from;
	return from < to;
}

/* Adds the segments of a module. `late`: the program was running already when the module was loaded. */
static void add_segments(const struct dl_phdr_info *info, bool late)
{
	uint8_t *low, *high;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		if (header->p_type == PT_TLS) add_tls(info, header, late);
		if (mz_image_data(info, header, &low, &high)) mz_image_add(low, high);
	}
}

static struct image_module *add_module(const struct dl_phdr_info *info)
{
	if (nmodules == MODULES_MAX) mz_unsupported("more shared libraries than it can follow");
	char path[PATH_MAX] = "";
	if (nmodules == 0) {
		ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
		path[length < 0 ? 0 : length] = 0;
	} else {
		strncpy(path, info->dlpi_name, sizeof path - 1);
	}
	struct image_module *module = &modules[nmodules++];
	*module = (struct image_module){.base = info->dlpi_addr, .start = UINT64_MAX, .path = copy_path(path)};
	module->id = mz_hash_bytes(path, strlen(path), (struct mz_key){0}).low << 48;
	module->rolled_back = mz_image_rolls_back(path);
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		if (header->p_type != PT_LOAD) continue;
		uint64_t low = info->dlpi_addr + header->p_vaddr, high = low + header->p_memsz;
		if (low < module->start) module->start = low;
		if (high > module->end) module->end = high;
	}
	return module;
}

static int add_first_module(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size, (void)unused;
	if (add_module(info)->rolled_back) add_segments(info, false);
	return 0;
}

bool mz_image_knows(uint64_t base)
{
	for (size_t i = 0; i < nmodules; i++)
		if (modules[i].base == base) return true;
	return false;
}

bool mz_image_add_late(const struct dl_phdr_info *info)
{
	const struct image_module *module = add_module(info);
	if (module->rolled_back) add_segments(info, true);
	return module->rolled_back;
}

void mz_image_add_stack(void *low, void *high)
{
	always[nalways++] = (struct region){.low = low, .high = high};
}

void mz_image_init(void)
{
	dl_iterate_phdr(add_first_module, NULL);
	mz_image_program_start = modules[0].start;
	mz_image_program_size = modules[0].end - modules[0].start;
	for (size_t i = 1; i < nmodules; i++) {
		uintptr_t here = (uintptr_t)mz_image_init;
		if (here < modules[i].start || here >= modules[i].end) continue;
		mz_image_own_start = modules[i].start;
		mz_image_own_size = modules[i].end - modules[i].start;
	}
}

bool mz_image_owns_code_slow(uintptr_t address)
{
	for (size_t i = 0; i < nmodules; i++)
		if (address >= modules[i].start && address < modules[i].end) return modules[i].rolled_back;
	return false;
}

bool mz_image_holds(uintptr_t address)
{
	for (size_t i = 0; i < nmodules; i++)
		if (address >= modules[i].start && address < modules[i].end) return true;
	return false;
}

static _Unwind_Reason_Code find_program(struct _Unwind_Context *context, void *place)
{
	uintptr_t at = _Unwind_GetIP(context);
	if (at - mz_image_program_start >= mz_image_program_size) return _URC_NO_REASON;
	*(uintptr_t *)place = at;
	return _URC_END_OF_STACK;
}

uintptr_t mz_image_program_frame(void)
{
	uintptr_t found = 0;
	_Unwind_Backtrace(find_program, &found);
	return found;
}

uint64_t mz_image_code_id(uintptr_t address)
{
	for (size_t i = 0; i < nmodules; i++)
		if (address >= modules[i].start && address < modules[i].end)
			return modules[i].id | (address - modules[i].start);
	return address;
}

void mz_image_modules(void (*visit)(uint64_t base, uint64_t start, uint64_t end, const char *path))
{
	for (size_t i = 0; i < nmodules; i++) visit(modules[i].base, modules[i].start, modules[i].end, modules[i].path);
}

/* ---- saving ---- */

static int regions_by_address(const void *a, const void *b)
{
	const uint8_t *x = ((const struct region *)a)->low, *y = ((const struct region *)b)->low;
	return (x > y) - (x < y);
}

static void add_piece(uint8_t *address, uint8_t *saved, size_t size)
{
	if (!size) return;
	mz_array_require(&pieces, &pieces_capacity, npieces + 1);
	pieces[npieces++] = (struct image_piece){address, saved, size};
}

static uint8_t *copy_of(const uint8_t *low, size_t size)
{
	uint8_t *copy = mz_alloc(size);
	if (!copy) mz_unsupported("out of memory");
	return MZ_REAL(memcpy)(copy, low, size);
}

/* Has memory copied back whole before each execution. Returns the copy. */
static uint8_t *copy_always(uint8_t *low, uint8_t *high)
{
	if (low >= high) return NULL;
	uint8_t *copy = copy_of(low, (size_t)(high - low));
	add_piece(low, copy, (size_t)(high - low));
	return copy;
}

static void copy_region(struct region *region)
{
	region->watched_low = region->watched_high = region->high;
	region->head = copy_always(region->low, region->high);
}

/* Sets thread-local variables to what every thread but the first starts with. */
static void set_initial(const struct tls *block, uint8_t *to)
{
	MZ_REAL(memcpy)(to, block->initial, block->initial_size);
	MZ_REAL(memset)(to + block->initial_size, 0, block->size - block->initial_size);
}

/* Watches the whole pages of a region for writes; the rest at both ends is always copied back. */
static void watch_pages(struct region *region)
{
	uint8_t *low = (uint8_t *)(((uintptr_t)region->low + PAGE - 1) & ~(PAGE - 1));
	uint8_t *high = (uint8_t *)((uintptr_t)region->high & ~(PAGE - 1));
	if (low >= high || MZ_REAL(mprotect)(low, (size_t)(high - low), PROT_READ) != 0) {
		copy_region(region);
		return;
	}
	region->head = copy_always(region->low, low);
	region->tail = copy_always(high, region->high);
	region->watched_low = low;
	region->watched_high = high;
	region->opened = mmap(NULL, (size_t)(high - low) / PAGE * sizeof *region->opened, PROT_READ | PROT_WRITE,
	                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (region->opened == MAP_FAILED) mz_unsupported("out of memory");
}

/* Saves the thread-local variables of the explorer's thread, which the first thread gets; or what every thread starts
 * with. */
static void save_tls(struct tls *block)
{
	block->saved = mz_alloc(block->size);
	if (!block->saved) mz_unsupported("out of memory");
	if (!block->number)
		MZ_REAL(memcpy)(block->saved, (uint8_t *)mz_arch_thread_pointer() + block->offset, block->size);
	else
		set_initial(block, block->saved);
}

void mz_image_save_more(void)
{
	size_t total = 0;
	for (size_t i = 0; i < nregions; i++)
		if (!regions[i].apart) total += (size_t)(regions[i].high - regions[i].low);
	for (size_t i = 0; i < ntls; i++)
		if (!tls[i].saved) save_tls(&tls[i]);
	qsort(regions, nregions, sizeof *regions, regions_by_address);
	for (size_t i = 0; i < nregions; i++) {
		if (!regions[i].saved)
			(regions[i].apart || total > SMALL_IMAGE ? watch_pages : copy_region)(&regions[i]);
		regions[i].saved = true;
	}
}

void mz_image_save(void)
{
	for (size_t i = 0; i < nalways; i++) copy_always(always[i].low, always[i].high);
	mz_image_save_more();
}

/* Returns the region that contains an address, or NULL. */
static struct region *region_of(const uint8_t *address)
{
	size_t from = 0, to = nregions; /* it is in one of these, or in none */
	while (from < to) {
		size_t middle = (from + to) / 2;
		if (address < regions[middle].low)
			to = middle;
		else if (address >= regions[middle].high)
			from = middle + 1;
		else
			return &regions[middle];
	}
	return NULL;
}

static bool is_watched(const struct region *region, const uint8_t *address)
{
	return address >= region->watched_low && address < region->watched_high;
}

static uint32_t *opened(const struct region *region, const uint8_t *page)
{
	return &region->opened[(size_t)(page - region->watched_low) / PAGE];
}

const void *mz_image_saved(uintptr_t address)
{
	const uint8_t *at = (const uint8_t *)address;
	const struct region *region = region_of(at);
	if (!region) return NULL;
	if (at < region->watched_low) return region->head + (at - region->low);
	if (at >= region->watched_high) return region->tail + (at - region->watched_high);
	uint32_t piece = *opened(region, at);
	return piece ? pieces[piece - 1].saved + (address & (PAGE - 1)) : NULL;
}

/* ---- watching ---- */

/* Returns a copy of a page, from a pool: the fault may be anywhere in the program, so nothing may be allocated. */
static uint8_t *copy_of_page(const uint8_t *page)
{
	static uint8_t *room;
	static size_t left;
	if (!left) {
		left = POOL_PAGES * PAGE;
		room = mmap(NULL, left, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (room == MAP_FAILED) mz_unsupported("out of memory");
	}
	left -= PAGE;
	return MZ_REAL(memcpy)(room + left, page, PAGE);
}

static void save_page(struct region *region, uint8_t *page)
{
	uint32_t *piece = opened(region, page);
	if (*piece) return;
	add_piece(page, copy_of_page(page), PAGE);
	*piece = (uint32_t)npieces;
}

/* Makes pages writable. For the kernel each run of equally protected pages is a mapping, and there may be only so many
 * mappings: beyond a limit more pages are opened at once. */
static bool open_pages(struct region *region, uint8_t *low, uint8_t *high)
{
	for (size_t step = PAGE;; step *= 16) {
		low = (uint8_t *)((uintptr_t)low & ~(step - 1));
		high = (uint8_t *)(((uintptr_t)high + step - 1) & ~(step - 1));
		if (low < region->watched_low) low = region->watched_low;
		if (high > region->watched_high) high = region->watched_high;
		for (uint8_t *page = low; page < high; page += PAGE) save_page(region, page);
		if (MZ_REAL(mprotect)(low, (size_t)(high - low), PROT_READ | PROT_WRITE) == 0) return true;
		if (low == region->watched_low && high == region->watched_high) return false;
	}
}

bool mz_image_is_data(uintptr_t address)
{
	return region_of((const uint8_t *)address) != NULL;
}

bool mz_image_page_fault(uintptr_t address)
{
	uint8_t *at = (uint8_t *)address;
	struct region *region = region_of(at);
	if (!region || !is_watched(region, at) || *opened(region, at))
		return false; /* the fault is the program's own */
	return open_pages(region, at, at + 1);
}

void mz_image_touch(const void *address, size_t size)
{
	uint8_t *low = (uint8_t *)address, *high = low + size;
	for (size_t i = 0; i < nregions; i++) {
		struct region *region = &regions[i];
		uint8_t *from = low > region->watched_low ? low : region->watched_low;
		uint8_t *to = high < region->watched_high ? high : region->watched_high;
		if (from < to) open_pages(region, from, to);
	}
}

/* ---- restoring ---- */

void mz_image_restore(void)
{
	for (size_t i = 0; i < npieces; i++) MZ_REAL(memcpy)(pieces[i].address, pieces[i].saved, pieces[i].size);
}

/* Allocates the thread-local variables of a module for a thread, as the loader does at the latest when the thread first
 * uses them. */
static uint8_t *late_block(const struct mz_fiber *fiber, size_t number)
{
	void *own = mz_arch_thread_pointer();
	mz_arch_set_thread_pointer(fiber->thread_pointer);
	uint8_t *block = __tls_get_addr(&(struct tls_index){number, 0});
	mz_arch_set_thread_pointer(own);
	return block;
}

/* Returns where the thread has the variables of a module. */
static uint8_t *block_of(const struct mz_fiber *fiber, const struct tls *block)
{
	return block->number ? late_block(fiber, block->number) : (uint8_t *)fiber->thread_pointer + block->offset;
}

void mz_image_start_thread(struct mz_fiber *fiber)
{
	for (size_t i = 0; i < ntls; i++) {
		uint8_t *block = block_of(fiber, &tls[i]);
		if (fiber->index == 0)
			MZ_REAL(memcpy)(block, tls[i].saved, tls[i].size);
		else
			set_initial(&tls[i], block);
	}
}

void mz_image_renew(uint64_t base, uintptr_t low, uintptr_t high)
{
	for (size_t i = 0; i < npieces; i++)
		if ((uintptr_t)pieces[i].address - low < high - low)
			MZ_REAL(memcpy)(pieces[i].address, pieces[i].saved, pieces[i].size);
	for (size_t i = 0; i < ntls; i++)
		for (uint32_t t = 0; tls[i].base == base && t < mz_rt.nfibers; t++)
			if (mz_rt.fibers[t].thread_pointer) set_initial(&tls[i], block_of(&mz_rt.fibers[t], &tls[i]));
}

/* ---- what may refer to memory ---- */

static int show_variables(struct dl_phdr_info *info, size_t size, void *look_through)
{
	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		const uint8_t *low = (const uint8_t *)info->dlpi_addr + header->p_vaddr;
		if (header->p_type != PT_LOAD || !(header->p_flags & PF_W)) continue;
		if ((uintptr_t)low - mz_image_own_start < mz_image_own_size) return 0;
		(*(void (**)(const void *, const void *))look_through)(low, low + header->p_memsz);
	}
	return 0;
}

void mz_image_roots(void (*look_through)(const void *from, const void *to))
{
	dl_iterate_phdr(show_variables, (void *)&look_through);
	for (size_t i = 0; i < nalways; i++) look_through(always[i].low, always[i].high);
}

#define THREAD_DESCRIPTOR 2304 /* size of the C library's own struct at the thread pointer */

void mz_image_thread_roots(const struct mz_fiber *fiber, void (*look_through)(const void *from, const void *to))
{
	const uint8_t *pointer = fiber->thread_pointer;
	for (size_t i = 0; i < ntls; i++) {
		const uint8_t *block = block_of(fiber, &tls[i]);
		look_through(block, block + tls[i].size);
	}
	look_through(pointer, pointer + THREAD_DESCRIPTOR);
}

/* ---- checkpoints ---- */

/* Returns the offset of errno from the thread pointer. errno is all of the C library's own thread-local state that
 * programs rely on from one operation to the next. */
static ptrdiff_t errno_offset(void)
{
	static ptrdiff_t offset; /* the same for all threads, and never 0 */
	if (MZ_UNLIKELY(!offset)) offset = (uint8_t *)&errno - (uint8_t *)mz_arch_thread_pointer();
	return offset;
}

/* Thread-local variables of more bytes than this are stored like any other memory. */
#define LARGE 256

void mz_image_store_thread(const struct mz_fiber *fiber, struct mz_state *state)
{
	for (size_t i = 0; i < ntls; i++) {
		const uint8_t *block = fiber ? block_of(fiber, &tls[i]) : NULL;
		size_t size = fiber ? tls[i].size : 0;
		if (tls[i].size < LARGE)
			mz_state_put(state, block, size);
		else
			mz_state_put_memory(state, block, size, 0, false);
	}
	if (fiber) mz_state_put(state, (uint8_t *)fiber->thread_pointer + errno_offset(), sizeof errno);
}

void mz_image_load_thread(struct mz_fiber *fiber, struct mz_state *state)
{
	for (size_t i = 0; i < ntls; i++) {
		uint8_t *block = fiber ? block_of(fiber, &tls[i]) : NULL;
		size_t size = fiber ? tls[i].size : 0;
		if (tls[i].size < LARGE)
			mz_state_get(state, block, size);
		else
			mz_state_get_memory(state, block, size, 0, false);
	}
	if (fiber) mz_state_get(state, (uint8_t *)fiber->thread_pointer + errno_offset(), sizeof errno);
}

size_t mz_image_bytes(void)
{
	size_t bytes = 0;
	for (size_t i = 0; i < npieces; i++) bytes += pieces[i].size;
	return bytes;
}

void mz_image_store(struct mz_state *state)
{
	mz_state_put(state, &npieces, sizeof npieces);
	for (size_t i = 0; i < npieces; i++) mz_state_put_memory(state, pieces[i].address, pieces[i].size, 0, true);
}

/* Pieces that were added since the state was stored had their saved contents then. */
void mz_image_load(struct mz_state *state)
{
	size_t n;
	mz_state_get(state, &n, sizeof n);
	for (size_t i = 0; i < n; i++) mz_state_get_memory(state, pieces[i].address, pieces[i].size, 0, true);
	for (size_t i = n; i < npieces; i++) MZ_REAL(memcpy)(pieces[i].address, pieces[i].saved, pieces[i].size);
}

/* ---- identity ---- */

static int pieces_by_address(const void *a, const void *b)
{
	const uint8_t *x = ((const struct image_piece *)a)->address, *y = ((const struct image_piece *)b)->address;
	return (x > y) - (x < y);
}

static void piece_identity(const struct image_piece *piece, struct mz_state *state)
{
	for (size_t at = 0; at < piece->size; at += MZ_CHUNK_SIZE) {
		size_t size = piece->size - at < MZ_CHUNK_SIZE ? piece->size - at : MZ_CHUNK_SIZE;
		uint8_t *address = piece->address + at;
		if (MZ_REAL(memcmp)(address, piece->saved + at, size) == 0) continue;
		mz_state_put(state, &address, sizeof address);
		mz_state_put(state, address, size);
	}
}

void mz_image_identity(struct mz_state *state)
{
	struct mz_state sorted = {0};
	mz_state_put(&sorted, pieces, npieces * sizeof *pieces);
	qsort(sorted.bytes, npieces, sizeof *pieces, pieces_by_address);
	for (size_t i = 0; i < npieces; i++) piece_identity((const struct image_piece *)sorted.bytes + i, state);
	mz_free(sorted.bytes);
}

/* Pieces that are as they were at first count for nothing: whether they are pieces yet depends on what happened
 * before. */
struct mz_key mz_image_saved_sum(void)
{
	static struct mz_key sum;
	static size_t summed;
	for (; summed < npieces; summed++) {
		const struct image_piece *piece = &pieces[summed];
		struct mz_key more = mz_mirror_sum_of(piece->saved, piece->size, piece->address);
		sum.low += more.low;
		sum.high += more.high;
	}
	return sum;
}

void mz_image_thread_identity(const struct mz_fiber *fiber, struct mz_state *state)
{
	for (size_t i = 0; i < ntls; i++) mz_state_put(state, block_of(fiber, &tls[i]), tls[i].size);
	mz_state_put(state, (uint8_t *)fiber->thread_pointer + errno_offset(), sizeof errno);
}

struct mz_key mz_image_hash_thread(const struct mz_fiber *fiber, struct mz_key hash)
{
	for (size_t i = 0; i < ntls; i++) hash = mz_hash_bytes(block_of(fiber, &tls[i]), tls[i].size, hash);
	return mz_hash_pair(hash, (uint64_t) * (int *)((uint8_t *)fiber->thread_pointer + errno_offset()), ntls);
}
