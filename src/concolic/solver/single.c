/* SPDX-License-Identifier: MIT */
#include "concolic/solver/single.h"
#include "base/alloc.h"
#include "base/array.h"
#include "base/hash.h"
#include <string.h>

bool mz_singles_init(struct mz_singles *singles)
{
	*singles = (struct mz_singles){.bytes = mz_alloc(MZ_SPACE_BYTES)};
	if (singles->bytes) memset(singles->bytes, 0, MZ_SPACE_BYTES);
	return singles->bytes != NULL;
}

void mz_singles_release(struct mz_singles *singles)
{
	mz_table_release(&singles->places);
	mz_values_release(&singles->memo);
	mz_free(singles->domains);
	mz_free(singles->bytes);
	*singles = (struct mz_singles){0};
}

static bool find_domain(struct mz_singles *singles, const struct mz_mirror *mirror, uint32_t expression,
                        struct mz_domain *domain)
{
	uint8_t *byte = &singles->bytes[mirror->support[expression]->ranges[0].first];
	*domain = (struct mz_domain){0};
	if (!mz_values_reserve(&singles->memo, mirror->space)) return false;
	for (unsigned value = 0; value < 256; value++) {
		*byte = (uint8_t)value;
		mz_values_forget(&singles->memo);
		uint64_t holds = mz_expression_value(mirror->space, expression, singles->bytes, &singles->memo);
		domain->words[value / 64] |= holds << value % 64;
	}
	return true;
}

/* Returns where the values are for which the expression is 1; NULL when there is no memory. */
static const struct mz_domain *domain_of(struct mz_singles *singles, const struct mz_mirror *mirror,
                                         uint32_t expression)
{
	uint64_t place = mz_table_find(&singles->places, mz_mix(expression));
	if (place) return &singles->domains[place - 1];
	struct mz_domain domain;
	if (!mz_array_reserve(&singles->domains, &singles->capacity, singles->count + 1)) return NULL;
	if (!find_domain(singles, mirror, expression, &domain)) return NULL;
	if (!mz_table_add(&singles->places, mz_mix(expression), singles->count + 1)) return NULL;
	singles->domains[singles->count] = domain;
	return &singles->domains[singles->count++];
}

bool mz_singles_restrict(struct mz_singles *singles, const struct mz_mirror *mirror, mz_literal literal,
                         struct mz_domain *domain)
{
	const struct mz_domain *holds = domain_of(singles, mirror, literal >> 1);
	if (!holds) return false;
	for (unsigned i = 0; i < 4; i++) domain->words[i] &= literal & 1 ? holds->words[i] : ~holds->words[i];
	return true;
}
