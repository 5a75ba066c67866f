/* SPDX-License-Identifier: MIT
 *
 * Bytes are hashed by XXH3 (Collet 2019), which is compiled into this file: nothing is linked, nothing is exported, and
 * a program that has another version of it does not meet ours.
 */
#define XXH_INLINE_ALL
#include "base/hash.h"
#include <xxhash.h>

struct mz_key mz_hash_bytes(const void *bytes, size_t size, struct mz_key seed)
{
	XXH128_hash_t hash = XXH3_128bits(bytes, size);
	/* so that both halves depend on all of the seed */
	return mz_hash_end(mz_hash_pair(seed, hash.low64, hash.high64));
}
