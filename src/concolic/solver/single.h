/* SPDX-License-Identifier: MIT
 *
 * Constraints on a single byte, as the set of values for which they hold: 256 bits, found by trying. Most constraints
 * of programs that read text are of this kind, and sets are intersected faster than a solver is asked.
 */
#ifndef MZ_CONCOLIC_SOLVER_SINGLE_H
#define MZ_CONCOLIC_SOLVER_SINGLE_H

#include "base/table.h"
#include "concolic/solver/path.h"

/* Values that a byte can have. */
struct mz_domain {
	uint64_t words[4];
};

struct mz_singles {
	struct mz_table places; /* from an expression to 1 + the place of its domain */
	struct mz_domain *domains;
	size_t count, capacity;
	struct mz_values memo;
	uint8_t *bytes;
};

bool mz_singles_init(struct mz_singles *singles);
void mz_singles_release(struct mz_singles *singles);

/* Leaves in `domain` only values of the byte for which the literal holds; the byte is all that it depends on. Returns
 * false when there is no memory. */
bool mz_singles_restrict(struct mz_singles *singles, const struct mz_mirror *mirror, mz_literal literal,
                         struct mz_domain *domain);

static inline struct mz_domain mz_domain_all(void)
{
	return (struct mz_domain){{~0ULL, ~0ULL, ~0ULL, ~0ULL}};
}

static inline bool mz_domain_is_empty(const struct mz_domain *domain)
{
	return (domain->words[0] | domain->words[1] | domain->words[2] | domain->words[3]) == 0;
}

static inline bool mz_domain_has(const struct mz_domain *domain, unsigned value)
{
	return domain->words[value / 64] >> value % 64 & 1;
}

#endif
