/* SPDX-License-Identifier: MIT */
#include "base/keyset.h"

static bool is_equal(const void *high, uint64_t value)
{
	return *(const uint64_t *)high == value;
}

static uint64_t value_of(struct mz_key key)
{
	return key.high ? key.high : 1;
}

bool mz_keyset_has(const struct mz_keyset *set, struct mz_key key)
{
	const uint64_t value = value_of(key);
	return mz_table_find_equal(key.high ? &set->keys : &set->lows, key.low, is_equal, &value);
}

bool mz_keyset_add(struct mz_keyset *set, struct mz_key key, bool *added)
{
	*added = !mz_keyset_has(set, key);
	return !*added || mz_table_add(key.high ? &set->keys : &set->lows, key.low, value_of(key));
}

void mz_keyset_release(struct mz_keyset *set)
{
	mz_table_release(&set->keys);
	mz_table_release(&set->lows);
}
