/* SPDX-License-Identifier: MIT
 *
 * Atomic operations of all kinds and sizes.
 */
#include "checker.h"
#include <stdatomic.h>
#include <stdbool.h>

#define ALL(name, type)                                                                                                \
	static void name(type x, type y)                                                                               \
	{                                                                                                              \
		static type place;                                                                                     \
		type expected = y;                                                                                     \
		__atomic_store_n(&place, x, __ATOMIC_RELEASE);                                                         \
		observe((uint64_t)__atomic_load_n(&place, __ATOMIC_ACQUIRE));                                          \
		observe((uint64_t)__atomic_fetch_add(&place, y, __ATOMIC_SEQ_CST));                                    \
		observe((uint64_t)__atomic_sub_fetch(&place, 3, __ATOMIC_RELAXED));                                    \
		observe((uint64_t)__atomic_fetch_and(&place, y, __ATOMIC_RELAXED));                                    \
		observe((uint64_t)__atomic_fetch_or(&place, x, __ATOMIC_RELAXED));                                     \
		observe((uint64_t)__atomic_fetch_xor(&place, y, __ATOMIC_RELAXED));                                    \
		observe((uint64_t)__atomic_fetch_nand(&place, x, __ATOMIC_RELAXED));                                   \
		observe((uint64_t)__atomic_fetch_min(&place, y, __ATOMIC_RELAXED));                                    \
		observe((uint64_t)__atomic_fetch_max(&place, x, __ATOMIC_RELAXED));                                    \
		observe((uint64_t)place);                                                                              \
		bool done =                                                                                            \
		    __atomic_compare_exchange_n(&place, &expected, 1, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);      \
		observe(done);                                                                                         \
		observe((uint64_t)expected);                                                                           \
		expected = place;                                                                                      \
		if (__atomic_compare_exchange_n(&place, &expected, y, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))       \
			observe((uint64_t)place);                                                                      \
		observe((uint64_t)__atomic_exchange_n(&place, x, __ATOMIC_ACQ_REL));                                   \
		observe((uint64_t)place);                                                                              \
	}

FOR_ALL_INTEGERS(ALL)

static atomic_int counter;
static _Atomic(int *) pointer;
static atomic_bool flag;
static int numbers[4];

void test(void)
{
	uint64_t x, y;
	INPUT(x);
	INPUT(y);
	FOR_ALL_INTEGERS(CALL_WITH_X_AND_Y)
	counter = (int)x;
	observe((uint64_t)counter++);
	observe((uint64_t)++counter);
	pointer = &numbers[x & 3];
	*pointer = (int)y;
	observe((uint64_t)(*atomic_exchange(&pointer, numbers) + (pointer == numbers)));
	flag = x > y;
	observe(atomic_exchange(&flag, x < y));
	observe(flag);
	atomic_thread_fence(memory_order_seq_cst);
}
