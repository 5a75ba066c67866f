/* SPDX-License-Identifier: MIT
 *
 * For each 8-byte word of memory a cell holds marks: the last accesses that no later one makes superfluous, each with
 * its thread, that thread's clock then, the bytes touched and the place in the code. A mark is superfluous once an
 * access that it happens before covers its bytes and conflicts with at least as much. Cells are found by page; those
 * of earlier executions are recognised by their generation, so that starting over costs nothing.
 *
 * Clocks tick at releases only: two accesses of a thread between two releases are one to all others.
 */
#include "runtime/watch/race.h"
#include "base/alloc.h"
#include "base/hash.h"
#include "base/table.h"
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/watch/touched.h"
#include <stdio.h>
#include <sys/mman.h>

struct mark {
	union {
		struct {
			uint16_t thread;
			uint8_t mask;
			uint8_t flags;
		};
		uint32_t access; /* the three above as one number */
	};
	uint32_t clock;
	uint64_t place;
};

/* Flags of a plain write: a later atomic operation on just these bytes has found it; and a second one has. */
enum { LOOKED_AT = 64, LOOKED_AT_AGAIN = 128 };

#define MARKS_INLINE 3

struct overflow {
	uint32_t capacity;
	struct mark marks[];
};

struct cell {
	uint32_t generation;
	uint16_t nmarks;
	uint16_t nplain; /* number of marks that are not atomic */
	struct overflow *more;
	struct mark marks[MARKS_INLINE];
};
_Static_assert(sizeof(struct cell) == 64, "a cache line");

/* A cell in a checkpoint, followed by its marks. */
struct stored_marks {
	uint32_t nmarks;
	uint32_t nplain;
};

#define PAGE 4096UL
#define CELLS_PER_PAGE 512

struct page {
	uint64_t number;
	struct cell *cells;
};

#define CACHE_SIZE 256

/* Pages that accesses have touched in any execution. Nearly all accesses find theirs in the cache, where a page has one
 * place only. */
static struct page cache[CACHE_SIZE];
static struct page *pages;
static size_t npages, pages_capacity;
static struct mz_table page_numbers; /* numbers of pages: 1 + where they are in `pages` */
static struct cell **used;           /* in this execution */
static size_t nused, used_capacity;

/* ---- cells ---- */

static struct cell *new_cells(void)
{
	void *cells = mmap(NULL, CELLS_PER_PAGE * sizeof(struct cell), PROT_READ | PROT_WRITE,
	                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (cells == MAP_FAILED) mz_unsupported("out of memory");
	return cells;
}

/* Returns the page with a number, or NULL if no access has touched it. */
static const struct page *known_page(uint64_t number)
{
	size_t known = mz_table_find(&page_numbers, mz_mix(number));
	return known ? &pages[known - 1] : NULL;
}

MZ_COLD static const struct page *add_page(uint64_t number)
{
	mz_array_require(&pages, &pages_capacity, npages + 1);
	if (!mz_table_add(&page_numbers, mz_mix(number), npages + 1)) mz_unsupported("out of memory");
	pages[npages] = (struct page){number, new_cells()};
	return &pages[npages++];
}

static struct cell *find_cells(uint64_t number)
{
	const struct page *page = known_page(number);
	if (!page) page = add_page(number);
	cache[number % CACHE_SIZE] = *page;
	return page->cells;
}

static void add_to_used(struct cell *cell)
{
	mz_array_require(&used, &used_capacity, nused + 1);
	used[nused++] = cell;
	cell->generation = mz_rt.generation;
}

/* Never 0, which places of the cache have that are free: programs have been seen to use the first page as well. */
static uint64_t number_of(uintptr_t address)
{
	return address / PAGE + 1;
}

static inline __attribute__((always_inline)) struct cell *cell_of(uintptr_t address)
{
	uint64_t number = number_of(address);
	const struct page *page = &cache[number % CACHE_SIZE];
	struct cell *cells = MZ_LIKELY(page->number == number) ? page->cells : find_cells(number);
	struct cell *cell = &cells[(address & 4095) >> 3];
	if (cell->generation != mz_rt.generation) {
		add_to_used(cell);
		cell->nmarks = cell->nplain = 0;
	}
	return cell;
}

static struct mark *mark_at(struct cell *cell, uint32_t i)
{
	return i < MARKS_INLINE ? &cell->marks[i] : &cell->more->marks[i - MARKS_INLINE];
}

/* Room for `n` marks that do not fit into the cell. */
static void reserve(struct cell *cell, uint32_t n)
{
	if (cell->more && cell->more->capacity >= n) return;
	uint32_t capacity = n * 2 + 6;
	struct overflow *more = mz_realloc(cell->more, sizeof *more + capacity * sizeof(struct mark));
	if (!more) mz_unsupported("out of memory");
	more->capacity = capacity;
	cell->more = more;
}

static inline __attribute__((always_inline)) struct mark *new_mark(struct cell *cell)
{
	uint32_t n = cell->nmarks++;
	if (n < MARKS_INLINE) return &cell->marks[n];
	if (n == UINT16_MAX) mz_unsupported("too many threads touch one word of memory");
	reserve(cell, n - MARKS_INLINE + 1);
	return mark_at(cell, n);
}

static inline __attribute__((always_inline)) void add_mark(struct cell *cell, const struct mark *mark)
{
	cell->nplain += !(mark->flags & MZ_RACE_ATOMIC);
	*new_mark(cell) = *mark;
}

static void remove_mark(struct cell *cell, uint32_t i)
{
	cell->nplain -= !(mark_at(cell, i)->flags & MZ_RACE_ATOMIC);
	*mark_at(cell, i) = *mark_at(cell, cell->nmarks - 1);
	cell->nmarks--;
}

/* ---- accesses ---- */

static const char *describe(unsigned flags, uint8_t mask, char *text, size_t size)
{
	if (flags & MZ_RACE_FREE) return "free";
	snprintf(text, size, "%s%s of %d byte%s", flags & MZ_RACE_ATOMIC ? "atomic " : "",
	         flags & MZ_RACE_WRITE ? "write" : "read", __builtin_popcount(mask), mask & (mask - 1) ? "s" : "");
	return text;
}

/* The marks are passed by value, here and below: so a mark that is only compared stays in registers. */
MZ_COLD static void report_race(struct mz_fiber *self, uintptr_t word, struct mark now, struct mark before)
{
	char text[2][64];
	uint8_t both = now.mask & before.mask;
	bool releases = (now.flags | before.flags) & MZ_RACE_FREE; /* which is one step for a machine, too */
	if (mz_rt.mode.notes_races) {
		mz_rt.session->raced = 1;
		return;
	}
	struct mz_report report = {.kind = MZ_FINDING_DATA_RACE,
	                           .key = mz_mix(mz_image_code_id(now.place)) + mz_mix(mz_image_code_id(before.place)),
	                           .place = {self, now.place, describe(now.flags, now.mask, text[0], sizeof text[0])},
	                           .other = {&mz_rt.fibers[before.thread], before.place,
	                                     describe(before.flags, before.mask, text[1], sizeof text[1])},
	                           .address = word + (unsigned)__builtin_ctz(both),
	                           .length = (size_t)__builtin_popcount(both),
	                           .parts = !releases && now.flags & MZ_RACE_PARTS};
	mz_report(&report, "%s against %s", report.place.what, report.other.what);
}

static bool conflicts(const struct mark *a, const struct mark *b)
{
	return ((a->flags | b->flags) & MZ_RACE_WRITE) && !(a->flags & b->flags & MZ_RACE_SAFE);
}

/* Reports whether `now` makes `old`, which happens before it, superfluous: every later access that races with `old`
 * also races with `now`. */
static bool supersedes(const struct mark *now, const struct mark *old)
{
	if (old->mask & ~now->mask) return false;
	if ((old->flags & MZ_RACE_WRITE) && !(now->flags & MZ_RACE_WRITE)) return false;
	return !(now->flags & ~old->flags & MZ_RACE_SAFE);
}

static bool is_plain_write(const struct mark *mark)
{
	return (mark->flags & (MZ_RACE_WRITE | MZ_RACE_ATOMIC)) == MZ_RACE_WRITE;
}

static void look_at_write(struct mark *old, const struct mark *now)
{
	if ((now->flags & MZ_RACE_ATOMIC) && is_plain_write(old) && old->mask == now->mask)
		old->flags |= old->flags & LOOKED_AT ? LOOKED_AT_AGAIN : LOOKED_AT;
}

/* Compares an access with the marks of a cell: reports races, and removes the marks that the new one supersedes.
 * Returns true if an old mark of the same thread makes the new one superfluous. */
static inline bool look_at_marks(struct mz_fiber *self, struct cell *cell, uintptr_t word, struct mark now)
{
	bool covered = false;
	for (uint32_t i = 0; i < cell->nmarks; i++) {
		struct mark *old = mark_at(cell, i);
		if (!(old->mask & now.mask)) continue;
		look_at_write(old, &now);
		bool ordered = old->thread == now.thread || old->clock <= mz_clock_get(&self->clocks.own, old->thread);
		if (!ordered) {
			if (conflicts(old, &now)) report_race(self, word, now, *old);
		} else if (old->thread == now.thread && old->clock == now.clock && supersedes(old, &now)) {
			covered = true;
			if (is_plain_write(&now)) old->flags &= (uint8_t) ~(LOOKED_AT | LOOKED_AT_AGAIN);
		} else if (supersedes(&now, old)) {
			remove_mark(cell, i--);
		}
	}
	return covered;
}

/* Handles an atomic access where all marks are atomic, so that it races with none: replaces the thread's mark of an
 * equal access. Returns whether there was one. */
static bool mark_again(struct cell *cell, const struct mark *now)
{
	for (uint32_t i = 0; i < cell->nmarks; i++) {
		struct mark *old = mark_at(cell, i);
		if (old->access != now->access) continue;
		*old = *now;
		return true;
	}
	return false;
}

/* Kept out of its callers; the functions that it calls are inlined into it. */
MZ_NOINLINE static void access_word(struct mz_fiber *self, uintptr_t word, uint8_t mask, unsigned flags,
                                    uintptr_t caller)
{
	struct cell *cell = cell_of(word);
	uint32_t access = self->index | (uint32_t)mask << 16 | (uint32_t)flags << 24;
	struct mark now = {.access = access, .clock = mz_clock_get(&self->clocks.own, self->index), .place = caller};
	bool marked = cell->nplain == 0 && (flags & MZ_RACE_ATOMIC) ? mark_again(cell, &now)
	                                                            : look_at_marks(self, cell, word, now);
	if (!marked) add_mark(cell, &now);
}

MZ_NOINLINE static void access_words(struct mz_fiber *self, uintptr_t address, size_t size, unsigned flags,
                                     uintptr_t caller)
{
	uintptr_t end = address + size;
	if (!(flags & MZ_RACE_ATOMIC)) flags |= MZ_RACE_PARTS;
	for (uintptr_t word = address & ~7UL; word < end; word += 8) {
		unsigned low = word < address ? (unsigned)(address - word) : 0;
		unsigned high = end - word < 8 ? (unsigned)(end - word) : 8;
		access_word(self, word, (uint8_t)((0xffU >> (8 - high)) & (0xffU << low)), flags, caller);
	}
}

/* Where races are not looked for, accesses may matter for states. */
MZ_NOINLINE static void touch_words(struct mz_fiber *self, uintptr_t address, size_t size, unsigned flags)
{
	if (mz_rt.execution.section.thread) return; /* they are among the accesses of the section */
	if (size && !(flags & MZ_RACE_ATOMIC))
		mz_rt.way->touch(self, address, size, flags & MZ_RACE_WRITE ? MZ_WRITE : MZ_READ);
}

void mz_race_access(struct mz_fiber *self, uintptr_t address, size_t size, unsigned flags, uintptr_t caller)
{
	unsigned low = address & 7;
	if (MZ_UNLIKELY(mz_rt.execution.section.thread)) flags |= MZ_RACE_SECTION;
	if (MZ_UNLIKELY(!mz_rt.mode.finds_races)) {
		touch_words(self, address, size, flags);
	} else if (MZ_LIKELY(size - 1 < 8 - low)) {
		access_word(self, address - low, (uint8_t)((0xffU >> (8 - size)) << low), flags, caller);
	} else {
		access_words(self, address, size, flags, caller);
	}
}

bool mz_race_explains(uintptr_t address, size_t size)
{
	uintptr_t word = address & ~7UL;
	uint8_t mask = (uint8_t)((0xffU >> (8 - size)) << (address & 7));
	struct cell *cell = cell_of(word);
	for (uint32_t i = 0; i < cell->nmarks; i++) {
		const struct mark *mark = mark_at(cell, i);
		if (!(mark->flags & MZ_RACE_WRITE) || !(mark->mask & mask)) continue;
		if (mark->mask != mask || (is_plain_write(mark) && !(mark->flags & LOOKED_AT_AGAIN))) return true;
	}
	return false;
}

/* Memory of a freed block that nobody has used needs no marks: whoever uses it from now on is told that it was freed.
 */
static void free_page(struct mz_fiber *self, const struct page *page, uintptr_t caller)
{
	const unsigned section = mz_rt.execution.section.thread ? MZ_RACE_SECTION : 0;
	for (uintptr_t i = 0; i < CELLS_PER_PAGE; i++)
		if (page->cells[i].generation == mz_rt.generation)
			access_word(self, (page->number - 1) * PAGE + i * 8, 0xff,
			            section | MZ_RACE_WRITE | MZ_RACE_FREE, caller);
}

static void free_pages(struct mz_fiber *self, uintptr_t low, uintptr_t high, uintptr_t caller)
{
	if ((high - low) / PAGE < npages) {
		for (; low < high; low += PAGE) {
			const struct page *page = known_page(number_of(low));
			if (page) free_page(self, page, caller);
		}
		return;
	}
	for (size_t i = 0; i < npages; i++)
		if (pages[i].number >= number_of(low) && pages[i].number < number_of(high))
			free_page(self, &pages[i], caller);
}

void mz_race_free(struct mz_fiber *self, uintptr_t address, size_t size, uintptr_t caller)
{
	const unsigned flags = MZ_RACE_WRITE | MZ_RACE_FREE;
	uintptr_t end = address + size, low = (address + PAGE - 1) & ~(PAGE - 1), high = end & ~(PAGE - 1);
	if (!mz_rt.mode.finds_races && mz_rt.mode.points_all)
		return; /* the access is a visible operation, and needs nothing else */
	if (!mz_rt.mode.finds_races || low >= high) {
		mz_race_access(self, address, size, flags, caller);
		return;
	}
	mz_race_access(self, address, low - address, flags, caller);
	free_pages(self, low, high, caller);
	mz_race_access(self, high, end - high, flags, caller);
}

bool mz_race_is_unordered(const struct mz_fiber *self, uintptr_t low, uintptr_t high, uint32_t *thread,
                          uintptr_t *place)
{
	for (uintptr_t word = low & ~7UL; mz_rt.mode.finds_races && word < high; word += 8) {
		struct cell *cell = cell_of(word);
		for (uint32_t i = 0; i < cell->nmarks; i++) {
			const struct mark *mark = mark_at(cell, i);
			bool own = mark->thread == self->index;
			if (own || mark->clock <= mz_clock_get(&self->clocks.own, mark->thread)) continue;
			*thread = mark->thread;
			*place = mark->place;
			return true;
		}
	}
	return false;
}

bool mz_race_is_release_unordered(const struct mz_fiber *self, uintptr_t address)
{
	if (!mz_rt.mode.finds_races) return false;
	struct cell *cell = cell_of(address & ~7UL);
	for (uint32_t i = 0; i < cell->nmarks; i++) {
		const struct mark *mark = mark_at(cell, i);
		if (!(mark->flags & MZ_RACE_FREE) || mark->thread == self->index) continue;
		if (mark->clock > mz_clock_get(&self->clocks.own, mark->thread)) return true;
	}
	return false;
}

void mz_race_forget_page(uintptr_t address)
{
	if (!mz_rt.mode.finds_races) return;
	uintptr_t page = address & ~(PAGE - 1);
	for (uintptr_t word = page; word < page + PAGE; word += 8) {
		struct cell *cell = cell_of(word);
		cell->nmarks = cell->nplain = 0;
	}
}

void mz_race_note_if_learned(void)
{
	const struct mz_session *session = mz_rt.session;
	bool learned = session->learned.requests.kinds & MZ_REQUESTS_RACES;
	if (session->configuration.races || !(learned || session->mode == MZ_MODE_REPLAY)) return;
	mz_rt.mode.finds_races = mz_rt.mode.notes_races = true;
}

void mz_race_reset(void)
{
	nused = 0;
	if (!mz_rt.mode.searches_states) mz_race_note_if_learned(); /* by another process, with --isolation process */
	if (!mz_rt.mode.finds_races) return;
	mz_clock_tick(&mz_rt.fibers[0].clocks.own, 0);
}

/* ---- checkpoints ---- */

/* Returns how many of a cell's marks are in the cell itself: a stored cell has these first, then the others. */
static uint32_t count_inline_marks(uint32_t nmarks)
{
	return nmarks < MARKS_INLINE ? nmarks : MARKS_INLINE;
}

size_t mz_race_bytes(void)
{
	return nused * (sizeof(struct stored_marks) + MARKS_INLINE * sizeof(struct mark));
}

void mz_race_store(struct mz_state *state)
{
	mz_state_put(state, &nused, sizeof nused);
	for (size_t i = 0; i < nused; i++) {
		const struct cell *cell = used[i];
		uint32_t inside = count_inline_marks(cell->nmarks), outside = cell->nmarks - inside;
		const struct stored_marks stored = {cell->nmarks, cell->nplain};
		mz_state_put(state, &stored, sizeof stored);
		for (uint32_t m = 0; m < inside; m++) mz_state_put(state, &cell->marks[m], sizeof(struct mark));
		if (outside) mz_state_put(state, cell->more->marks, outside * sizeof(struct mark));
	}
}

/* A state is only loaded after the execution has passed it: so its cells are the first of those in use now, and have
 * room for its marks. */
void mz_race_load(struct mz_state *state)
{
	mz_state_get(state, &nused, sizeof nused);
	for (size_t i = 0; i < nused; i++) {
		const struct stored_marks *stored = mz_state_next(state, sizeof *stored);
		struct cell *cell = used[i];
		uint32_t inside = count_inline_marks(stored->nmarks), outside = stored->nmarks - inside;
		cell->generation = mz_rt.generation;
		cell->nmarks = (uint16_t)stored->nmarks;
		cell->nplain = (uint16_t)stored->nplain;
		for (uint32_t m = 0; m < inside; m++) mz_state_get(state, &cell->marks[m], sizeof(struct mark));
		if (outside) mz_state_get(state, cell->more->marks, outside * sizeof(struct mark));
	}
}

/* ---- synchronization ---- */

static void tick(struct mz_fiber *self)
{
	mz_clock_tick(&self->clocks.own, self->index);
}

void mz_race_acquire(struct mz_fiber *self, const struct mz_clock *clock)
{
	if (mz_rt.mode.finds_races) mz_clock_join(&self->clocks.own, clock);
}

bool mz_race_knows(const struct mz_fiber *self, const struct mz_clock *clock)
{
	for (uint32_t t = 0; mz_rt.mode.finds_races && t < clock->length; t++)
		if (clock->counts[t] > mz_clock_get(&self->clocks.own, t)) return false;
	return true;
}

void mz_race_release(struct mz_fiber *self, struct mz_clock *clock)
{
	if (!mz_rt.mode.finds_races) return;
	mz_clock_assign(clock, &self->clocks.own);
	tick(self);
}

void mz_race_publish(struct mz_fiber *self, struct mz_clock *clock)
{
	if (!mz_rt.mode.finds_races) return;
	mz_clock_join(clock, &self->clocks.own);
	tick(self);
}

void mz_race_order(struct mz_fiber *before, struct mz_fiber *after)
{
	if (!mz_rt.mode.finds_races) return;
	mz_clock_join(&after->clocks.own, &before->clocks.own);
	if (mz_clock_get(&after->clocks.own, after->index) == 0) tick(after);
	tick(before);
}

void mz_race_order_all(struct mz_fiber *self)
{
	for (int back = 0; back < 2; back++) {
		for (uint32_t t = 0; t < mz_rt.execution.view.nthreads; t++) {
			struct mz_fiber *other = &mz_rt.fibers[t];
			if (other == self || other->state == MZ_FIBER_UNUSED) continue;
			mz_race_order(back ? self : other, back ? other : self);
		}
	}
}

/* ---- atomics ----
 * A location's clock is what an acquiring load of its present value learns: the release sequence that value belongs
 * to. A relaxed store ends the sequence, except for what a release fence before it publishes. */

static bool acquires(int order)
{
	return order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME || order == __ATOMIC_ACQ_REL ||
	       order == __ATOMIC_SEQ_CST;
}

static bool releases(int order)
{
	return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

bool mz_race_releases(const struct mz_fiber *self, int order)
{
	bool matters = mz_rt.mode.finds_races && !mz_rt.mode.notes_races;
	return matters && (releases(order) || self->clocks.released.length);
}

void mz_race_atomic_load(struct mz_fiber *self, struct mz_object *object, int order)
{
	if (!mz_rt.mode.finds_races) return;
	mz_clock_join(acquires(order) ? &self->clocks.own : &self->clocks.acquired, &object->clock);
}

void mz_race_atomic_store(struct mz_fiber *self, struct mz_object *object, int order)
{
	if (!mz_rt.mode.finds_races) return;
	mz_clock_assign(&object->clock, releases(order) ? &self->clocks.own : &self->clocks.released);
	if (releases(order)) tick(self);
}

void mz_race_atomic_update(struct mz_fiber *self, struct mz_object *object, int order)
{
	if (!mz_rt.mode.finds_races) return;
	mz_race_atomic_load(self, object, order);
	mz_clock_join(&object->clock, releases(order) ? &self->clocks.own : &self->clocks.released);
	if (releases(order)) tick(self);
}

void mz_race_fence(struct mz_fiber *self, int order)
{
	if (!mz_rt.mode.finds_races) return;
	if (acquires(order)) mz_clock_join(&self->clocks.own, &self->clocks.acquired);
	if (releases(order)) {
		mz_clock_assign(&self->clocks.released, &self->clocks.own);
		tick(self);
	}
}
