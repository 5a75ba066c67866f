/* SPDX-License-Identifier: MIT */
#include "base/keyset.h"

static bool is_equal(const void *high, uint64_t value)
{
	return *(const uint64_t *)high == value;
}

bool mz_keyset_add(struct mz_keyset *set, struct mz_key key, bool *added)
{
	struct mz_table *table = key.high ? &set->keys : &set->lows;
	const uint64_t value = key.high ? key.high : 1;
	*added = !mz_table_find_equal(table, key.low, is_equal, &value);
	return !*added || mz_table_add(table, key.low, value);
}

void mz_keyset_release(struct mz_keyset *set)
{
	mz_table_release(&set->keys);
	mz_table_release(&set->lows);
}
