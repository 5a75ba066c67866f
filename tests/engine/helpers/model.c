/* SPDX-License-Identifier: MIT */
#include "model.h"
#include "base/hash.h"
#include <stdlib.h>
#include <string.h>

static void *checked(void *block)
{
	if (!block) abort();
	return block;
}

/* --- cells --- */

static void put(struct model_run *r, size_t cell, int value)
{
	uint64_t old = (uint16_t)r->cells[cell], new = (uint16_t)value;
	if (old == new) return;
	r->key.low ^= mz_hash2(cell, old) ^ mz_hash2(cell, new);
	r->key.high ^= mz_hash2(old, ~cell) ^ mz_hash2(new, ~cell);
	r->cells[cell] = (int16_t)value;
}

static void touch(struct model_run *r, uint32_t cell, uint8_t kind)
{
	if (r->ntouched == MODEL_TOUCHES || cell >= r->nshared) abort();
	r->touched[r->ntouched++] = (struct mz_access){.object = cell, .mask = 0xff, .kind = kind};
}

int model_peek(const struct model_run *r, uint32_t cell)
{
	return r->cells[cell];
}

int model_get(struct model_run *r, uint32_t cell)
{
	touch(r, cell, MZ_READ);
	return r->cells[cell];
}

void model_set(struct model_run *r, uint32_t cell, int value)
{
	touch(r, cell, MZ_WRITE);
	put(r, cell, value);
}

static size_t own(const struct model_run *r, uint32_t thread, uint32_t which)
{
	return r->nshared + (size_t)thread * r->nown + which;
}

int model_own(const struct model_run *r, uint32_t thread, uint32_t which)
{
	return r->cells[own(r, thread, which)];
}

void model_set_own(struct model_run *r, uint32_t thread, uint32_t which, int value)
{
	put(r, own(r, thread, which), value);
}

void model_assert(struct model_run *r, bool holds)
{
	r->failed |= !holds;
}

/* --- the program --- */

static bool begin(void *self)
{
	struct model_run *r = self;
	memset(r->cells, 0, r->ncells * sizeof *r->cells);
	r->key = (struct mz_key){0, 0};
	if (r->model->init) r->model->init(r);
	r->ntouched = 0;
	return true;
}

static const struct mz_view *view(void *self)
{
	return &((struct model_run *)self)->view;
}

static enum mz_halt thread_halt(void *self, uint32_t t, struct mz_access waits[MZ_WAITS_MAX], uint16_t *nwaits)
{
	struct model_run *r = self;
	uint32_t cell;
	enum mz_halt halt = r->model->halt(r, t, &cell);
	*nwaits = halt == MZ_HALT_BLOCKED;
	if (*nwaits) waits[0] = (struct mz_access){.object = cell, .mask = 0xff, .kind = MZ_READ};
	return halt;
}

static enum mz_halt run_thread(void *self, uint32_t t, uint32_t choice, uint32_t most, const struct mz_watcher *watcher)
{
	struct model_run *r = self;
	enum mz_halt halt = MZ_HALT_ENOUGH;
	for (uint32_t n = 0; n < most && halt == MZ_HALT_ENOUGH; n++) {
		uint32_t cell;
		r->ntouched = 0;
		r->failed = false;
		r->model->step(r, t);
		struct mz_stride stride = {.changes = true,
		                           .event = {.thread = t,
		                                     .choice = choice,
		                                     .alternatives = 1,
		                                     .op = MZ_OP_ACCESS,
		                                     .naccesses = (uint16_t)r->ntouched,
		                                     .accesses = r->touched}};
		halt = r->failed ? MZ_HALT_FOUND : r->model->halt(r, t, &cell);
		if (!watcher->step(watcher->self, &stride)) break;
	}
	return halt;
}

/* A kept state is its cells, and the key behind them. */
static uint32_t keep_state(void *self)
{
	struct model_run *r = self;
	size_t size = r->ncells * sizeof *r->cells;
	if (r->nfree == 0) {
		if (r->nkept == r->kept_capacity) {
			r->kept_capacity = r->kept_capacity ? 2 * r->kept_capacity : 1024;
			r->kept = checked(realloc(r->kept, r->kept_capacity * sizeof(int16_t *)));
			r->free = checked(realloc(r->free, r->kept_capacity * sizeof *r->free));
		}
		r->free[r->nfree++] = (uint32_t)r->nkept;
		r->kept[r->nkept++] = checked(malloc(size + sizeof r->key));
	}
	uint32_t handle = r->free[--r->nfree];
	memcpy(r->kept[handle], r->cells, size);
	memcpy((char *)r->kept[handle] + size, &r->key, sizeof r->key);
	return handle;
}

static void load_state(void *self, uint32_t handle)
{
	struct model_run *r = self;
	size_t size = r->ncells * sizeof *r->cells;
	memcpy(r->cells, r->kept[handle], size);
	memcpy(&r->key, (char *)r->kept[handle] + size, sizeof r->key);
}

static void drop_state(void *self, uint32_t handle)
{
	struct model_run *r = self;
	r->free[r->nfree++] = handle;
}

static struct mz_key key(void *self)
{
	return ((struct model_run *)self)->key;
}

static const void *bytes(void *self, size_t *size)
{
	struct model_run *r = self;
	*size = r->ncells * sizeof *r->cells;
	return r->cells;
}

static bool witness(void *self, const struct mz_step *schedule, uint32_t steps, bool on)
{
	(void)on;
	(void)schedule;
	(void)steps;
	((struct model_run *)self)->found = true;
	return true;
}

void model_run_init(struct model_run *r, const struct model *model, const uint32_t sizes[2])
{
	*r = (struct model_run){.model = model, .sizes = {sizes[0], sizes[1]}};
	model->size(r);
	r->ncells = r->nshared + (size_t)r->nthreads * r->nown;
	r->cells = checked(calloc(r->ncells, sizeof *r->cells));
	r->view = (struct mz_view){.nthreads = r->nthreads, .current = MZ_NO_THREAD};
}

void model_run_release(struct model_run *r)
{
	for (size_t n = 0; n < r->nkept; n++) free(r->kept[n]);
	free(r->kept);
	free(r->free);
	free(r->cells);
}

struct mz_stateful model_run_program(struct model_run *r)
{
	return (struct mz_stateful){.self = r,
	                            .keys_are_cheap = true,
	                            .begin = begin,
	                            .view = view,
	                            .thread_halt = thread_halt,
	                            .run_thread = run_thread,
	                            .keep_state = keep_state,
	                            .load_state = load_state,
	                            .drop_state = drop_state,
	                            .key = key,
	                            .bytes = bytes,
	                            .witness = witness};
}
