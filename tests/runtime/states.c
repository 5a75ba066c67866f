/* SPDX-License-Identifier: MIT
 *
 * Takes the place of the explorer, in a library that is loaded instead of libmazurka.so. It walks over the states of
 * the program under test and writes to file descriptor 9 what it met there. The environment variable STATES says what
 * to do:
 *
 *   all N      visit every state, or the first N, breadth first; write "states N steps N ends N found N", then the sum
 *              of all keys
 *   alone T N  let thread T make N steps; write a line for each, with the number of the first state that was equal,
 *              globally and for the thread alone
 *   time N     N times: go back to a kept state, make one step, compute the key, keep, drop; write "nanoseconds N"
 *
 * On the way it checks what trace/stateful.h promises: going back leads to equal bytes, the same step to the same
 * state, equal keys mean equal bytes and the other way round.
 */
#include "runtime/states/states.h"
#include "base/alloc.h"
#include "base/bug.h"
#include "explorer/explore.h"
#include "runtime/core/core.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define OUTPUT 9

/* ---- what was met ---- */

struct met {
	struct mz_key key;
	uint32_t handle;
	void *bytes;
	size_t size;
};

static const struct mz_stateful *program;
static struct met *mets;
static size_t nmets, mets_capacity;

static bool is_key(struct mz_key a, struct mz_key b)
{
	return a.low == b.low && a.high == b.high;
}

static size_t find_key(struct mz_key key)
{
	size_t i = 0;
	while (i < nmets && !is_key(mets[i].key, key)) i++;
	return i;
}

static bool has_bytes(const struct met *met, const void *bytes, size_t size)
{
	return met->size == size && MZ_REAL(memcmp)(met->bytes, bytes, size) == 0;
}

/* The number of the state it is in; a new one if it was not met before. */
static size_t meet(bool *is_new)
{
	size_t size;
	struct mz_key key = program->key(program->self);
	const void *bytes = program->bytes(program->self, &size);
	size_t n = find_key(key);
	for (size_t i = 0; i < nmets; i++) MZ_REQUIRE(has_bytes(&mets[i], bytes, size) == (i == n));
	*is_new = n == nmets;
	if (!*is_new) return n;
	mz_array_require(&mets, &mets_capacity, nmets + 1);
	struct met *met = &mets[nmets++];
	*met = (struct met){key, MZ_NO_HANDLE, mz_alloc(size), size};
	MZ_REAL(memcpy)(met->bytes, bytes, size);
	return n;
}

static void go_to(const struct met *met)
{
	size_t size;
	program->load_state(program->self, met->handle);
	const void *bytes = program->bytes(program->self, &size);
	MZ_REQUIRE(has_bytes(met, bytes, size));
	MZ_REQUIRE(is_key(program->key(program->self), met->key));
}

/* ---- ways to go ---- */

static uint64_t local;

static bool watch(void *self, const struct mz_stride *stride)
{
	(void)self;
	local = stride->local;
	return true;
}

static const struct mz_watcher watcher = {.step = watch};

struct counts {
	uint64_t steps, ends, found;
};

static enum mz_halt thread_halt(uint32_t thread, uint32_t *alternatives)
{
	struct mz_access waits[MZ_WAITS_MAX];
	uint16_t nwaits;
	enum mz_halt halt = program->thread_halt(program->self, thread, waits, &nwaits);
	*alternatives = 0;
	if (halt == MZ_HALT_ENOUGH || halt == MZ_HALT_CHOICE)
		*alternatives = program->view(program->self)->pending[thread].alternatives;
	MZ_REQUIRE((halt == MZ_HALT_CHOICE) == (*alternatives > 1));
	MZ_REQUIRE((halt == MZ_HALT_BLOCKED) == (nwaits > 0));
	return halt;
}

/* One step from state `from`, twice: it has to lead to the same. */
static void try_step(size_t from, uint32_t thread, uint32_t choice, struct counts *counts)
{
	size_t to[2];
	for (int n = 0; n < 2; n++) {
		bool is_new;
		go_to(&mets[from]);
		enum mz_halt halt = program->run_thread(program->self, thread, choice, 1, &watcher);
		if (halt == MZ_HALT_FOUND) {
			counts->found += n == 0;
			to[n] = SIZE_MAX;
			continue;
		}
		to[n] = meet(&is_new);
		if (is_new) mets[to[n]].handle = program->keep_state(program->self);
	}
	MZ_REQUIRE(to[0] == to[1]);
	counts->steps++;
}

static void try_all_steps(size_t from, struct counts *counts)
{
	go_to(&mets[from]);
	uint64_t steps = counts->steps;
	uint32_t nthreads = program->view(program->self)->nthreads;
	for (uint32_t thread = 0; thread < nthreads; thread++) {
		uint32_t alternatives;
		go_to(&mets[from]);
		thread_halt(thread, &alternatives);
		for (uint32_t choice = 0; choice < alternatives; choice++) try_step(from, thread, choice, counts);
	}
	counts->ends += counts->steps == steps;
}

static void all(uint32_t most)
{
	struct counts counts = {0};
	struct mz_key sum = {0, 0};
	bool is_new;
	meet(&is_new);
	mets[0].handle = program->keep_state(program->self);
	for (size_t n = 0; n < nmets && n < most; n++) {
		try_all_steps(n, &counts);
		sum.low += mets[n].key.low;
		sum.high += mets[n].key.high;
	}
	for (size_t n = 0; n < nmets; n++) program->drop_state(program->self, mets[n].handle);
	dprintf(OUTPUT, "states %zu steps %lu ends %lu found %lu\nkeys %016lx%016lx\n", nmets, counts.steps,
	        counts.ends, counts.found, sum.high, sum.low);
}

static void alone(uint32_t thread, uint32_t steps)
{
	uint64_t *locals = mz_alloc((steps + 1) * sizeof *locals);
	bool is_new;
	meet(&is_new);
	for (uint32_t n = 1; n <= steps; n++) {
		uint32_t alternatives, first = 1;
		if (thread_halt(thread, &alternatives) != MZ_HALT_ENOUGH) break;
		program->run_thread(program->self, thread, 0, 1, &watcher);
		locals[n] = local;
		while (locals[first] != local) first++;
		dprintf(OUTPUT, "%u: %zu %u\n", n, meet(&is_new), first);
	}
	mz_free(locals);
}

/* Of the processor: others may be busy. */
static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void time_all(uint32_t rounds)
{
	uint32_t first = program->keep_state(program->self), nthreads = program->view(program->self)->nthreads,
	         alternatives;
	double before = now();
	for (uint32_t n = 0, thread = 0; n < rounds; n++, thread = (thread + 1) % nthreads) {
		program->load_state(program->self, first);
		if (thread_halt(thread, &alternatives) == MZ_HALT_ENOUGH)
			program->run_thread(program->self, thread, 0, 1, &watcher);
		program->key(program->self);
		program->drop_state(program->self, program->keep_state(program->self));
	}
	dprintf(OUTPUT, "nanoseconds %.0f\n", (now() - before) / rounds);
}

void mz_explore(struct mz_session *session, const struct mz_executor *executor, struct mz_shared_trunk *shared)
{
	const char *what = getenv("STATES");
	unsigned thread, steps;
	(void)executor, (void)shared;
	dup2(OUTPUT, 2); /* what is wrong is said there */
	program = mz_runtime_stateful();
	if (!program->begin(program->self))
		dprintf(OUTPUT, "no state\n");
	else if (sscanf(what, "alone %u %u", &thread, &steps) == 2)
		alone(thread, steps);
	else if (sscanf(what, "time %u", &steps) == 1)
		time_all(steps);
	else if (sscanf(what, "all %u", &steps) == 1)
		all(steps);
	session->outcome = MZ_OUTCOME_DONE;
}
