/* SPDX-License-Identifier: MIT
 *
 * A block is reachable if any word that the program can still get at looks like an address within it: in variables of
 * all modules but our own, in thread-local variables and on the stacks of threads that are not over, in what threads
 * were given and have returned, in exit handlers, and in reachable blocks. Words that look like addresses by accident
 * keep blocks alive; what is reported is really lost.
 *
 * Of blocks that cannot be reached, those that another one leads to are lost with it and not reported; of a ring of
 * blocks one is.
 */
#include "runtime/schedule/leak.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"

enum mark { UNKNOWN, REACHED, LED_TO };

static uint8_t **blocks; /* all that are allocated, by address */
static size_t nblocks, blocks_capacity;
static uint8_t **found; /* blocks whose words are still to be looked at */
static size_t nfound, found_capacity;
static uint8_t marking; /* enum mark */

/* ---- blocks ---- */

static void add_block(uint8_t *start)
{
	mz_array_require(&blocks, &blocks_capacity, nblocks + 1);
	blocks[nblocks++] = start;
	mz_block_info(start)->mark = UNKNOWN;
}

static void find_blocks(void)
{
	nblocks = 0;
	for (uint32_t t = 0; t < mz_rt.nfibers; t++) {
		const struct mz_fiber *region = &mz_rt.fibers[t];
		if (!region->heap.base) continue;
		for (uint8_t *start = region->heap.base; (start = mz_block_next(region, start));)
			if (!mz_block_info(start)->freed) add_block(start);
	}
}

/* Returns the block that an address is in, or NULL. */
static uint8_t *block_of(uintptr_t address)
{
	size_t low = 0, high = nblocks;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if ((uintptr_t)blocks[middle] <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low) return NULL;
	uint8_t *start = blocks[low - 1];
	return address < (uintptr_t)start + mz_block_room(mz_block_info(start)) * MZ_GRANULE ? start : NULL;
}

/* ---- reaching ---- */

static void reach(uintptr_t word)
{
	uint8_t *start = mz_heap_holds(word) ? block_of(word) : NULL;
	if (!start || mz_block_info(start)->mark != UNKNOWN) return;
	mz_block_info(start)->mark = marking;
	mz_array_require(&found, &found_capacity, nfound + 1);
	found[nfound++] = start;
}

static void look_through(const void *from, const void *to)
{
	const uintptr_t *word = (const uintptr_t *)(((uintptr_t)from + 7) & ~7UL);
	for (; word + 1 <= (const uintptr_t *)to; word++) reach(*word);
}

static void look_through_block(const uint8_t *start)
{
	look_through(start, start + mz_block_info(start)->size);
}

static void look_through_found(void)
{
	while (nfound) look_through_block(found[--nfound]);
}

static bool is_over(const struct mz_fiber *fiber)
{
	return fiber->state == MZ_FIBER_FINISHED || (fiber->state == MZ_FIBER_EXITING && fiber->function_returned);
}

/* Looks through the stack that the program gave the thread, from its stack pointer up if that is there. */
static void look_through_given(const struct mz_fiber *fiber, const void *here)
{
	uintptr_t high = fiber->start.stack_high, low = high - fiber->start.stack_size;
	uintptr_t sp = (uintptr_t)(fiber == mz_current ? here : fiber->sp);
	if (high) look_through((const void *)(sp >= low && sp < high ? sp : low), (const void *)high);
}

/* `here` is below everything that the running thread has on its stack. */
static void look_through_thread(struct mz_fiber *fiber, const void *here)
{
	if (fiber->state == MZ_FIBER_UNUSED) return;
	if (!fiber->joined) reach((uintptr_t)fiber->result);
	if (fiber->state != MZ_FIBER_FINISHED) {
		mz_image_thread_roots(fiber, look_through);
		mz_leaving_roots(fiber, look_through);
	}
	if (is_over(fiber)) return;
	reach((uintptr_t)fiber->start.parameter);
	const void *low = mz_fiber_live(fiber);
	if (fiber == mz_current && mz_fiber_is_home(fiber, here) && (!mz_rt.seen.leaves_stacks || here < low))
		low = here;
	look_through(low, fiber->stack_high);
	look_through_given(fiber, here);
}

static __attribute__((noinline)) void find_reachable(void)
{
	mz_protection_lift();    /* the execution is over */
	__builtin_unwind_init(); /* what the program has in registers is on the stack from here on */
	marking = REACHED;
	mz_image_roots(look_through);
	mz_exit_roots(look_through);
	mz_library_roots(look_through);
	for (uint32_t t = 0; t < mz_rt.nfibers; t++) look_through_thread(&mz_rt.fibers[t], __builtin_frame_address(0));
	look_through_found();
}

/* Marks what lost blocks lead to. */
static void find_led_to(void)
{
	marking = LED_TO;
	for (size_t i = 0; i < nblocks; i++) {
		struct mz_block *block = mz_block_info(blocks[i]);
		if (block->mark != UNKNOWN) continue;
		block->mark = LED_TO; /* so that a pointer from the block to itself does not count */
		look_through_block(blocks[i]);
		look_through_found();
		block->mark = UNKNOWN;
	}
}

/* ---- reporting ---- */

/* Lost blocks of one place. */
struct leak_site {
	uintptr_t allocated_at;
	uint32_t allocated_by; /* the first of them */
	size_t count;
	size_t bytes;
};

static struct leak_site *sites;
static size_t nsites, sites_capacity;

static struct leak_site *site_of(const struct mz_block *block)
{
	for (size_t i = 0; i < nsites; i++)
		if (sites[i].allocated_at == block->allocated_at) return &sites[i];
	mz_array_require(&sites, &sites_capacity, nsites + 1);
	sites[nsites] = (struct leak_site){block->allocated_at, block->allocated_by, 0, 0};
	return &sites[nsites++];
}

static void find_sites(void)
{
	nsites = 0;
	for (size_t i = 0; i < nblocks; i++) {
		const struct mz_block *block = mz_block_info(blocks[i]);
		if (block->mark != UNKNOWN) continue;
		struct leak_site *site = site_of(block);
		site->count++;
		site->bytes += block->size;
	}
}

void mz_leak_report(void)
{
	find_blocks();
	find_reachable();
	find_led_to();
	find_sites();
	for (size_t i = 0; i < nsites; i++) {
		const struct leak_site *site = &sites[i];
		struct mz_report report = {.kind = MZ_FINDING_LEAK,
		                           .place = {&mz_rt.fibers[site->allocated_by], site->allocated_at, NULL}};
		if (site->count == 1)
			mz_report(&report, "a block of %zu bytes is lost: nothing refers to it at the end",
			          site->bytes);
		else
			mz_report(&report, "%zu blocks, %zu bytes, are lost: nothing refers to them at the end",
			          site->count, site->bytes);
	}
}

void mz_leak_report_threads(void)
{
	char name[MZ_THREAD_NAME];
	for (uint32_t t = 1; t < mz_rt.nfibers; t++) {
		struct mz_fiber *fiber = &mz_rt.fibers[t];
		if (fiber->state == MZ_FIBER_UNUSED || fiber->detached || fiber->joined) continue;
		struct mz_report report = {.kind = MZ_FINDING_LEAK,
		                           .key = 1, /* not the memory that was allocated there */
		                           .place = {fiber, fiber->start.created_at, NULL}};
		mz_report(&report, "%s is neither joined nor detached at the end", mz_thread_name(fiber, name));
	}
}
