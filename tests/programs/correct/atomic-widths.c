/* SPDX-License-Identifier: MIT
 *
 * Every atomic operation in every width gives what it should, one thread alone: there is one trace.
 *
 * expect: optimal 1
 * expect: dfs 1
 * flags: -mcx16
 */
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

/* clang-format off */
#define TEST(type)                                                                                                     \
	do {                                                                                                           \
		static type x;                                                                                         \
		type big = (type)~(type)0, seen;                                                                       \
		__atomic_store_n(&x, 5, __ATOMIC_SEQ_CST);                                                             \
		assert(__atomic_load_n(&x, __ATOMIC_SEQ_CST) == 5);                                                    \
		assert(__atomic_exchange_n(&x, 7, __ATOMIC_ACQ_REL) == 5);                                             \
		assert(__atomic_fetch_add(&x, 3, __ATOMIC_RELAXED) == 7);                                              \
		assert(__atomic_fetch_sub(&x, 4, __ATOMIC_RELEASE) == 10);                                             \
		assert(__atomic_fetch_or(&x, 8, __ATOMIC_ACQUIRE) == 6);                                               \
		assert(__atomic_fetch_and(&x, 12, __ATOMIC_SEQ_CST) == 14);                                            \
		assert(__atomic_fetch_xor(&x, 5, __ATOMIC_SEQ_CST) == 12);                                             \
		assert(__atomic_fetch_nand(&x, 3, __ATOMIC_SEQ_CST) == 9);                                             \
		assert(__atomic_load_n(&x, __ATOMIC_ACQUIRE) == (type)~(type)1);                                       \
		__atomic_store_n(&x, big, __ATOMIC_RELEASE);                                                           \
		assert(__atomic_add_fetch(&x, 1, __ATOMIC_SEQ_CST) == 0);                                              \
		seen = 1;                                                                                              \
		assert(!__atomic_compare_exchange_n(&x, &seen, 9, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));         \
		assert(seen == 0);                                                                                     \
		assert(__atomic_compare_exchange_n(&x, &seen, big, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));        \
		assert(__atomic_load_n(&x, __ATOMIC_RELAXED) == big);                                                  \
	} while (0)
/* clang-format on */

static bool flag;

int main(void)
{
	TEST(uint8_t);
	TEST(uint16_t);
	TEST(uint32_t);
	TEST(uint64_t);
	TEST(unsigned __int128);
	assert(!__atomic_test_and_set(&flag, __ATOMIC_SEQ_CST));
	assert(__atomic_test_and_set(&flag, __ATOMIC_SEQ_CST));
	__atomic_clear(&flag, __ATOMIC_SEQ_CST);
	assert(!flag);
	return 0;
}
