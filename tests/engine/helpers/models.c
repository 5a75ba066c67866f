/* SPDX-License-Identifier: MIT
 *
 * The programs of Gueta, Flanagan, Yahav, Sagiv, "Cartesian Partial-Order Reduction" (SPIN 2007), Table 1, in the
 * transitions of the paper: an access each, as a rule. How they are cut into transitions is known from the numbers of
 * all states that it has.
 *
 * A thread's own cell 0 is where it is. In SharedPtr, SharedArray and CMIS a thread that is done goes on doing nothing:
 * the paper counts that as a transition there, but not in File System and Indexer, where it is over.
 */
#include "model.h"

#define AT 0

static int at(const struct model_run *r, uint32_t t)
{
	return model_own(r, t, AT);
}

static void go_on(struct model_run *r, uint32_t t, int where)
{
	model_set_own(r, t, AT, where);
}

/* Nobody ever waits, and nobody is ever over. */
static enum mz_halt always(struct model_run *r, uint32_t t, uint32_t *waits)
{
	(void)r, (void)t, (void)waits;
	return MZ_HALT_ENOUGH;
}

/* --- SharedPtr: the pointer is 0 for x, 1 for y --- */

enum { X, Y, POINTER, SUMS };
#define ROUNDS 100
#define SUMMED (ROUNDS + 1)

static void shared_ptr_size(struct model_run *r)
{
	r->nthreads = 2;
	r->nshared = SUMS + 2;
	r->nown = 1;
}

static void shared_ptr_init(struct model_run *r)
{
	model_set(r, X, 3);
	model_set(r, Y, 4);
}

static bool in_range(int value)
{
	return 3 <= value && value <= 9;
}

/* The loop's last look at its condition is a transition of its own. */
static void shared_ptr_step(struct model_run *r, uint32_t t)
{
	int where = at(r, t);
	if (where > SUMMED + 1) return;
	go_on(r, t, where + 1);
	if (where == 0) {
		model_set(r, POINTER, t ? X : Y);
	} else if (where <= ROUNDS) {
		model_set(r, SUMS + t, model_get(r, SUMS + t) + model_get(r, t ? Y : X));
	} else if (where > SUMMED) {
		uint32_t to = (uint32_t)model_get(r, POINTER);
		model_set(r, to, model_get(r, to) + (t ? 2 : 3));
		model_assert(r, in_range(model_get(r, X)) && in_range(model_get(r, Y)));
	}
}

/* --- SharedArray --- */

#define ELEMENTS 64
enum { COUNTER, NEXT, ARRAY = NEXT + 2 };

static void shared_array_size(struct model_run *r)
{
	r->nthreads = 2;
	r->nshared = ARRAY + ELEMENTS;
	r->nown = 1;
}

static void shared_array_init(struct model_run *r)
{
	model_set(r, COUNTER, 1);
	model_set(r, NEXT + 1, 1);
}

static void shared_array_step(struct model_run *r, uint32_t t)
{
	if (at(r, t)) return;
	int next = model_get(r, NEXT + t);
	if (next < ELEMENTS) {
		model_set(r, ARRAY + (uint32_t)next, model_get(r, COUNTER) + next);
		model_set(r, NEXT + t, next + 2);
		return;
	}
	model_set(r, COUNTER, model_get(r, COUNTER) + 1 + model_get(r, NEXT + 1 - t));
	model_assert(r, model_get(r, COUNTER) <= 2 * ELEMENTS + 4);
	go_on(r, t, 1);
}

/* --- Robots: the assertion looks at a field only where it has to --- */

#define SIDE 12
enum { COLUMN = 1, ROW, RIGHT, DOWN };

static void robots_size(struct model_run *r)
{
	r->nthreads = r->sizes[0];
	r->nshared = SIDE * SIDE;
	r->nown = DOWN + 1;
}

static void robots_init(struct model_run *r)
{
	static const int columns[] = {0, 4, 7};
	for (uint32_t t = 0; t < r->nthreads; t++) {
		model_set_own(r, t, COLUMN, columns[t]);
		model_set_own(r, t, RIGHT, 1);
		model_set_own(r, t, DOWN, 1);
	}
}

static int advance(struct model_run *r, uint32_t t, uint32_t where, uint32_t direction)
{
	int place = model_own(r, t, where) + model_own(r, t, direction);
	model_set_own(r, t, where, place);
	if (place == 0 || place == SIDE - 1) model_set_own(r, t, direction, -model_own(r, t, direction));
	return place;
}

static void robots_step(struct model_run *r, uint32_t t)
{
	int x = model_own(r, t, COLUMN), y = model_own(r, t, ROW), where = at(r, t);
	uint32_t field = (uint32_t)(x * SIDE + y);
	go_on(r, t, (where + 1) % 3);
	if (where == 0) {
		model_set(r, field, 0);
		advance(r, t, COLUMN, RIGHT);
		advance(r, t, ROW, DOWN);
	} else if (where == 1) {
		model_assert(r, x == 9 || x == 2 || !model_get(r, field));
	} else {
		model_set(r, field, 1);
	}
}

/* --- File System --- */

#define BLOCKS 26
#define INODES 32
enum { LOCK_INODE, LOCK_BLOCK = LOCK_INODE + INODES, INODE = LOCK_BLOCK + BLOCKS, BUSY = INODE + INODES };
enum {
	TAKE_INODE,
	LOOK_AT_INODE,
	TAKE_BLOCK,
	LOOK_AT_BLOCK,
	OCCUPY,
	NOTE,
	LEAVE_BLOCK,
	NEXT_BLOCK,
	LEAVE_INODE,
	CREATED
};
enum { BLOCK = 1 };

static void file_system_size(struct model_run *r)
{
	r->nthreads = r->sizes[0];
	r->nshared = BUSY + BLOCKS;
	r->nown = BLOCK + 1;
}

static void file_system_init(struct model_run *r)
{
	for (uint32_t t = 0; t < r->nthreads; t++) model_set_own(r, t, BLOCK, (int)(t % INODES * 2 % BLOCKS));
}

static enum mz_halt file_system_halt(struct model_run *r, uint32_t t, uint32_t *waits)
{
	int where = at(r, t);
	if (where == CREATED) return MZ_HALT_OVER;
	if (where != TAKE_INODE && where != TAKE_BLOCK) return MZ_HALT_ENOUGH;
	*waits = where == TAKE_INODE ? LOCK_INODE + t % INODES : LOCK_BLOCK + (uint32_t)model_own(r, t, BLOCK);
	return model_peek(r, *waits) ? MZ_HALT_BLOCKED : MZ_HALT_ENOUGH;
}

static void file_system_step(struct model_run *r, uint32_t t)
{
	uint32_t i = t % INODES, b = (uint32_t)model_own(r, t, BLOCK);
	int next = at(r, t) + 1;
	switch (at(r, t)) {
	case TAKE_INODE: model_set(r, LOCK_INODE + i, 1); break;
	case LOOK_AT_INODE: next = model_get(r, INODE + i) ? LEAVE_INODE : TAKE_BLOCK; break;
	case TAKE_BLOCK: model_set(r, LOCK_BLOCK + b, 1); break;
	case LOOK_AT_BLOCK: next = model_get(r, BUSY + b) ? NEXT_BLOCK : OCCUPY; break;
	case OCCUPY: model_set(r, BUSY + b, 1); break;
	case NOTE: model_set(r, INODE + i, (int)b + 1); break;
	case LEAVE_BLOCK:
		model_set(r, LOCK_BLOCK + b, 0);
		next = LEAVE_INODE;
		break;
	case NEXT_BLOCK:
		model_set(r, LOCK_BLOCK + b, 0);
		model_set_own(r, t, BLOCK, (int)(b + 1) % BLOCKS);
		next = TAKE_BLOCK;
		break;
	default: model_set(r, LOCK_INODE + i, 0); break;
	}
	go_on(r, t, next);
}

/* --- Indexer: a compare-exchange is a transition, all else goes with it --- */

#define SLOTS 128
#define MESSAGES 4
enum { SLOT = 1 };

static int message(const struct model_run *r, uint32_t t)
{
	return (at(r, t) + 1) * 11 + (int)t;
}

static void indexer_size(struct model_run *r)
{
	r->nthreads = r->sizes[0];
	r->nshared = SLOTS;
	r->nown = SLOT + 1;
}

static void choose_slot(struct model_run *r, uint32_t t)
{
	model_set_own(r, t, SLOT, at(r, t) < MESSAGES ? message(r, t) * 7 % SLOTS : 0);
}

static void indexer_init(struct model_run *r)
{
	for (uint32_t t = 0; t < r->nthreads; t++) choose_slot(r, t);
}

static enum mz_halt indexer_halt(struct model_run *r, uint32_t t, uint32_t *waits)
{
	(void)waits;
	return at(r, t) == MESSAGES ? MZ_HALT_OVER : MZ_HALT_ENOUGH;
}

static void indexer_step(struct model_run *r, uint32_t t)
{
	int slot = model_own(r, t, SLOT);
	if (model_get(r, (uint32_t)slot)) {
		model_set_own(r, t, SLOT, (slot + 1) % SLOTS);
		return;
	}
	model_set(r, (uint32_t)slot, message(r, t));
	go_on(r, t, at(r, t) + 1);
	choose_slot(r, t);
}

/* --- Philosophers: a fork, a moment, the other fork, and both are laid down --- */

static void philosophers_size(struct model_run *r)
{
	r->nthreads = r->nshared = r->sizes[0];
	r->nown = 1;
}

static uint32_t fork_of(const struct model_run *r, uint32_t t)
{
	return at(r, t) == 0 ? t : (t + 1) % r->nthreads;
}

static enum mz_halt philosophers_halt(struct model_run *r, uint32_t t, uint32_t *waits)
{
	*waits = fork_of(r, t);
	return at(r, t) % 2 == 0 && model_peek(r, *waits) ? MZ_HALT_BLOCKED : MZ_HALT_ENOUGH;
}

static void philosophers_step(struct model_run *r, uint32_t t)
{
	int where = at(r, t);
	if (where % 2 == 0) model_set(r, fork_of(r, t), 1);
	if (where == 3) {
		model_set(r, t, 0);
		model_set(r, fork_of(r, t), 0);
	}
	go_on(r, t, (where + 1) % 4);
}

/* --- Ordered philosophers: the first of them takes the other fork first, so that there is no deadlock; two forks, a
 * moment, and the forks are laid down one after the other, in the order in which they were taken --- */

static uint32_t ordered_fork(const struct model_run *r, uint32_t t, bool second)
{
	return (t + (t == 0 ? !second : second)) % r->nthreads;
}

static enum mz_halt ordered_halt(struct model_run *r, uint32_t t, uint32_t *waits)
{
	*waits = ordered_fork(r, t, at(r, t) == 1);
	return at(r, t) < 2 && model_peek(r, *waits) ? MZ_HALT_BLOCKED : MZ_HALT_ENOUGH;
}

static void ordered_step(struct model_run *r, uint32_t t)
{
	int where = at(r, t);
	if (where < 2) model_set(r, ordered_fork(r, t, where == 1), 1);
	if (where > 2) model_set(r, ordered_fork(r, t, where == 4), 0);
	go_on(r, t, (where + 1) % 5);
}

/* --- CMIS: a thread for each part, which waits until it is asked to sort it --- */

enum { CAPACITY = 256, NUMBERS = 0, DRAFT = CAPACITY, REQUESTS = 2 * CAPACITY };
enum {
	WAIT,
	START,
	KEY,
	COMPARE,
	SHIFT,
	BACK,
	INSERT,
	ASK_RIGHT,
	ASK_LEFT,
	WAIT_LEFT,
	WAIT_RIGHT,
	ANY_TO_COPY,
	COPY,
	SET_I,
	SET_J,
	SET_K,
	ANY_LEFT,
	WHICH,
	TAKE_LEFT,
	TAKE_RIGHT,
	ANY_TO_APPEND,
	APPEND,
	FINISH,
	SORTED
};
enum { I = 1, J, K, HELD };

static uint32_t dones(const struct model_run *r)
{
	return REQUESTS + r->nthreads;
}

/* sizes: what is sorted without dividing it, and how much there is. */
static void cmis_size(struct model_run *r)
{
	r->parts[0] = (struct model_part){0, (int)r->sizes[1] - 1, 0, 0};
	r->nthreads = 1;
	for (uint32_t n = 0; n < r->nthreads; n++) {
		struct model_part *part = &r->parts[n];
		if (part->last - part->first + 1 <= (int)r->sizes[0]) continue;
		int middle = (part->first + part->last) / 2;
		part->left = r->nthreads++;
		part->right = r->nthreads++;
		r->parts[part->left] = (struct model_part){part->first, middle, 0, 0};
		r->parts[part->right] = (struct model_part){middle + 1, part->last, 0, 0};
	}
	r->nshared = REQUESTS + 2 * r->nthreads;
	r->nown = HELD + 1;
}

static void cmis_init(struct model_run *r)
{
	for (uint32_t n = 0; n < r->sizes[1]; n++) model_set(r, NUMBERS + n, (int)(r->sizes[1] - n)), r->ntouched = 0;
	go_on(r, 0, START);
}

static enum mz_halt cmis_halt(struct model_run *r, uint32_t t, uint32_t *waits)
{
	switch (at(r, t)) {
	case WAIT: *waits = REQUESTS + t; break;
	case WAIT_LEFT: *waits = dones(r) + r->parts[t].left; break;
	case WAIT_RIGHT: *waits = dones(r) + r->parts[t].right; break;
	default: return MZ_HALT_ENOUGH;
	}
	return model_peek(r, *waits) ? MZ_HALT_ENOUGH : MZ_HALT_BLOCKED;
}

static uint32_t number_at(const struct model_run *r, uint32_t t, uint32_t which)
{
	return NUMBERS + (uint32_t)model_own(r, t, which);
}

static uint32_t draft_at(const struct model_run *r, uint32_t t, uint32_t which)
{
	return DRAFT + (uint32_t)model_own(r, t, which);
}

static int insert_sort_step(struct model_run *r, uint32_t t, const struct model_part *part)
{
	int i = model_own(r, t, I), j = model_own(r, t, J), held = model_own(r, t, HELD);
	switch (at(r, t)) {
	case KEY:
		model_set_own(r, t, HELD, model_get(r, number_at(r, t, J)));
		model_set_own(r, t, I, j - 1);
		return COMPARE;
	case COMPARE: return i >= part->first && model_get(r, number_at(r, t, I)) > held ? SHIFT : INSERT;
	case SHIFT: model_set(r, number_at(r, t, I) + 1, model_get(r, number_at(r, t, I))); return BACK;
	case BACK: model_set_own(r, t, I, i - 1); return COMPARE;
	default:
		model_set(r, NUMBERS + (uint32_t)(i + 1), held);
		model_set_own(r, t, J, j + 1);
		return j < part->last ? KEY : FINISH;
	}
}

/* Takes the next of one of the two halves over. */
static void take(struct model_run *r, uint32_t t, uint32_t which)
{
	model_set(r, number_at(r, t, K), model_get(r, draft_at(r, t, which)));
	model_set_own(r, t, which, model_own(r, t, which) + 1);
	model_set_own(r, t, K, model_own(r, t, K) + 1);
}

static int merge_step(struct model_run *r, uint32_t t, const struct model_part *part)
{
	int i = model_own(r, t, I), j = model_own(r, t, J), middle = (part->first + part->last) / 2;
	switch (at(r, t)) {
	case ANY_TO_COPY: return i <= part->last ? COPY : SET_I;
	case COPY:
		model_set(r, draft_at(r, t, I), model_get(r, number_at(r, t, I)));
		model_set_own(r, t, I, i + 1);
		return ANY_TO_COPY;
	case SET_I: model_set_own(r, t, I, part->first); return SET_J;
	case SET_J: model_set_own(r, t, J, middle + 1); return SET_K;
	case SET_K: model_set_own(r, t, K, part->first); return ANY_LEFT;
	case ANY_LEFT: return i <= middle && j <= part->last ? WHICH : ANY_TO_APPEND;
	case WHICH: return model_get(r, draft_at(r, t, I)) <= model_get(r, draft_at(r, t, J)) ? TAKE_LEFT : TAKE_RIGHT;
	case TAKE_LEFT: take(r, t, I); return ANY_LEFT;
	case TAKE_RIGHT: take(r, t, J); return ANY_LEFT;
	case ANY_TO_APPEND: return i <= middle ? APPEND : FINISH;
	default: take(r, t, I); return ANY_TO_APPEND;
	}
}

static int finish_step(struct model_run *r, uint32_t t, const struct model_part *part)
{
	for (int n = part->first; n < part->last; n++)
		model_assert(r, model_get(r, NUMBERS + (uint32_t)n) <= model_get(r, NUMBERS + (uint32_t)n + 1));
	model_set(r, dones(r) + t, 1);
	return SORTED;
}

static int wait_step(struct model_run *r, uint32_t t, const struct model_part *part)
{
	model_get(r, REQUESTS + t);
	if (part->left) return ASK_RIGHT;
	model_set_own(r, t, J, part->first + 1);
	return part->first < part->last ? KEY : FINISH;
}

static void cmis_step(struct model_run *r, uint32_t t)
{
	const struct model_part *part = &r->parts[t];
	int where = at(r, t), next = where + 1;
	switch (where) {
	case SORTED: return;
	case START:
		model_set(r, REQUESTS + t, 1);
		next = WAIT;
		break;
	case WAIT: next = wait_step(r, t, part); break;
	case ASK_RIGHT: model_set(r, REQUESTS + part->right, 1); break;
	case ASK_LEFT: model_set(r, REQUESTS + part->left, 1); break;
	case WAIT_LEFT: model_get(r, dones(r) + part->left); break;
	case WAIT_RIGHT:
		model_get(r, dones(r) + part->right);
		model_set_own(r, t, I, part->first);
		break;
	case FINISH: next = finish_step(r, t, part); break;
	default: next = where < ASK_RIGHT ? insert_sort_step(r, t, part) : merge_step(r, t, part); break;
	}
	go_on(r, t, next);
}

const struct model *const models[] = {
    &(const struct model){"sharedptr", 0, {0, 0}, shared_ptr_size, shared_ptr_init, always, shared_ptr_step},
    &(const struct model){"sharedarray", 0, {0, 0}, shared_array_size, shared_array_init, always, shared_array_step},
    &(const struct model){"robots", 1, {3, 0}, robots_size, robots_init, always, robots_step},
    &(const struct model){
        "file-system", 1, {BLOCKS, 0}, file_system_size, file_system_init, file_system_halt, file_system_step},
    &(const struct model){"indexer", 1, {SLOTS / MESSAGES, 0}, indexer_size, indexer_init, indexer_halt, indexer_step},
    &(const struct model){"philosophers", 1, {64, 0}, philosophers_size, NULL, philosophers_halt, philosophers_step},
    &(const struct model){"ordered-philosophers", 1, {64, 0}, philosophers_size, NULL, ordered_halt, ordered_step},
    &(const struct model){"cmis", 2, {CAPACITY, CAPACITY}, cmis_size, cmis_init, cmis_halt, cmis_step},
    NULL,
};
