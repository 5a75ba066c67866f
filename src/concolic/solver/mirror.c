/* SPDX-License-Identifier: MIT */
#include "concolic/solver/mirror.h"
#include "base/alloc.h"
#include "base/array.h"
#include <string.h>
#include <sys/mman.h>

bool mz_mirror_init(struct mz_mirror *mirror)
{
	*mirror = (struct mz_mirror){0};
	void *memory = mmap(NULL, sizeof *mirror->space, PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED) return false;
	mirror->space = memory;
	if (!mz_array_reserve(&mirror->support, &mirror->support_capacity, 1)) return false;
	mirror->support[0] = NULL;
	return true;
}

void mz_mirror_release(struct mz_mirror *mirror)
{
	if (mirror->space) munmap(mirror->space, sizeof *mirror->space);
	mz_arena_release(&mirror->sets);
	mz_free(mirror->support);
	*mirror = (struct mz_mirror){0};
}

/* Returns the bytes that a sound expression depends on; NULL if an operand is not sound. `*memory` becomes false if
 * there is none. */
static const struct mz_bytes *support_of(struct mz_mirror *mirror, const struct mz_expression *e, bool *memory)
{
	const struct mz_bytes *set = &mz_bytes_none;
	if (e->op == MZ_OPERATOR_INPUT) {
		set = mz_bytes_one(&mirror->sets, (uint16_t)e->number);
	}
	const uint32_t operands[] = {e->a, e->b, e->c};
	unsigned n = mz_operator_operands(e->op);
	for (unsigned i = 0; i < n; i++) {
		const struct mz_bytes *other = mirror->support[operands[i]];
		if (!other) return NULL;
		set = set ? mz_bytes_union(&mirror->sets, set, other) : NULL;
	}
	if (!set) *memory = false;
	return set;
}

static bool copy(struct mz_mirror *mirror, const struct mz_expression *shared, uint32_t number)
{
	bool memory = true;
	struct mz_expression *e = &mirror->space->expressions[number];
	memcpy(e, shared, sizeof *e);
	mirror->support[number] = NULL;
	if (!mz_expression_is_sound(mirror->space, e, number)) return true;
	mirror->support[number] = support_of(mirror, e, &memory);
	if (e->op == MZ_OPERATOR_INPUT && e->number >= mirror->limit) mirror->limit = (uint32_t)e->number + 1;
	return memory;
}

bool mz_mirror_update(struct mz_mirror *mirror, const struct mz_space *shared)
{
	uint32_t count = atomic_load_explicit(&shared->nexpressions, memory_order_acquire);
	uint32_t have = mirror->space->nexpressions;
	if (count < have || count >= MZ_SPACE_EXPRESSIONS) return false;
	if (!mz_array_reserve(&mirror->support, &mirror->support_capacity, (size_t)count + 1)) return false;
	for (; have < count; have++) {
		if (!copy(mirror, &shared->expressions[have + 1], have + 1)) return false;
		mirror->space->nexpressions = have + 1;
	}
	return true;
}
