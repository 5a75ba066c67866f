/* SPDX-License-Identifier: MIT */
#include "runtime/watch/foreign.h"
#include "runtime/core/core.h"

#define LOW_HALF 0xffffffffULL

struct foreign {
	uint64_t *word;
	uint64_t mask;  /* the bits that others have written, in whole bytes */
	uint64_t known; /* the values of these bits before: what the owner knows */
	uint64_t left;  /* the value of the word when the owner last went on */
	uint32_t owner;
	bool written; /* another thread wrote to the word since its owner last went on */
};

static struct foreign *foreign;
static size_t capacity;
uint32_t mz_foreign_count;

static uint32_t owner_of(uintptr_t word)
{
	return (uint32_t)((word - MZ_LAYOUT_STACKS) >> MZ_LAYOUT_STACK_BITS);
}

/* The bits of a word that are among `size` bytes at an address. */
static uint64_t bits_of(uintptr_t word, uintptr_t address, size_t size)
{
	uint64_t bits = ~(uint64_t)0;
	if (address > word) bits &= ~(uint64_t)0 << 8 * (address - word);
	if (address + size < word + 8) bits &= ~(uint64_t)0 >> 8 * (word + 8 - address - size);
	return bits;
}

static struct foreign *find_word(uintptr_t word)
{
	for (uint32_t n = 0; n < mz_foreign_count; n++) {
		if ((uintptr_t)foreign[n].word == word) return &foreign[n];
	}
	return NULL;
}

static struct foreign *add_word(uintptr_t word)
{
	mz_array_require(&foreign, &capacity, mz_foreign_count + 1);
	foreign[mz_foreign_count] = (struct foreign){.word = (uint64_t *)word, .owner = owner_of(word)};
	return &foreign[mz_foreign_count++];
}

/* Removes those halves of the word from `mask` that differ from what was left there: the owner has written them itself.
 * Variables have four bytes at least, or are taken to have. */
static void check_word(struct foreign *f)
{
	uint64_t differs = (*f->word ^ f->left) & f->mask;
	if (f->written) return;
	if (differs & LOW_HALF) f->mask &= ~LOW_HALF;
	if (differs & ~LOW_HALF) f->mask &= LOW_HALF;
}

static void write_word(const struct mz_fiber *self, uintptr_t word, uint64_t bits)
{
	uint32_t owner = owner_of(word);
	if (owner == self->index || owner >= mz_rt.nfibers || mz_rt.fibers[owner].state == MZ_FIBER_UNUSED) return;
	if (word < (uintptr_t)mz_rt.fibers[owner].stack_low) return;
	struct foreign *f = find_word(word);
	if (!f) f = add_word(word);
	check_word(f);
	uint64_t fresh = bits & ~f->mask;
	f->known = (f->known & ~fresh) | (*f->word & fresh);
	f->mask |= bits;
	f->written = true;
}

void mz_foreign_write(const struct mz_fiber *self, uintptr_t address, size_t size)
{
	if (mz_rt.mode.searches_states) return;
	mz_foreign_know(self, address, size);
	for (uintptr_t word = address & ~7UL; word < address + size; word += 8)
		if (mz_foreign_is_stack(word)) write_word(self, word, bits_of(word, address, size));
}

void mz_foreign_know(const struct mz_fiber *self, uintptr_t address, size_t size)
{
	for (uint32_t n = 0; n < mz_foreign_count; n++) {
		uintptr_t word = (uintptr_t)foreign[n].word;
		if (foreign[n].owner != self->index || word + 8 <= address || word >= address + size) continue;
		foreign[n].mask &= ~bits_of(word, address, size);
	}
}

void mz_foreign_resume(const struct mz_fiber *self)
{
	for (uint32_t n = 0; n < mz_foreign_count; n++) {
		struct foreign *f = &foreign[n];
		if (f->owner != self->index || !f->written) continue;
		f->left = *f->word;
		f->written = false;
	}
}

/* ---- comparing ---- */

static bool counts(const struct foreign *f, const struct mz_fiber *self, const uint8_t *sp)
{
	return f->owner == self->index && f->mask && (const uint8_t *)f->word >= sp;
}

void mz_foreign_hide(const struct mz_fiber *self, const uint8_t *sp)
{
	for (uint32_t n = 0; n < mz_foreign_count; n++) {
		struct foreign *f = &foreign[n];
		if (!counts(f, self, sp)) continue;
		check_word(f);
		*f->word = (*f->word & ~f->mask) | (f->known & f->mask);
	}
}

void mz_foreign_show(const struct mz_fiber *self, const uint8_t *sp)
{
	for (uint32_t n = 0; n < mz_foreign_count; n++) {
		const struct foreign *f = &foreign[n];
		if (counts(f, self, sp)) *f->word = (*f->word & ~f->mask) | (f->left & f->mask);
	}
}

/* ---- executions ---- */

void mz_foreign_reset(void)
{
	mz_foreign_count = 0;
}

void mz_foreign_store(struct mz_state *state)
{
	mz_state_put(state, &mz_foreign_count, sizeof mz_foreign_count);
	mz_state_put(state, foreign, mz_foreign_count * sizeof *foreign);
}

void mz_foreign_load(struct mz_state *state)
{
	uint32_t count;
	mz_state_get(state, &count, sizeof count);
	mz_foreign_count = count; /* no growth is needed: there were as many before */
	mz_state_get(state, foreign, count * sizeof *foreign);
}
