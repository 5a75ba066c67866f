/* SPDX-License-Identifier: MIT */
#include "dying.h"
#include <mazurka.h>
#include <pthread.h>
#include <stdint.h>

static const char *start, *end; /* of the memory */
static _Thread_local bool mortal;
static char killed; /* its address is the result of a thread that was killed */

void mz_dying_in(const void *memory, size_t size)
{
	start = memory;
	end = start + size;
}

void mz_dying_begin(void)
{
	mortal = true;
}

void mz_dying_end(void)
{
	mortal = false;
}

bool mz_dying_is_result(const void *result)
{
	return result == &killed;
}

/* Not instrumented, so that each of the functions below ends with a jump: then reports name the place that writes. */
#define PLAIN __attribute__((no_sanitize("thread")))

PLAIN static inline void risk(const void *at)
{
	if (!mortal || (const char *)at < start || (const char *)at >= end) return;
	if (mz_choose(2)) pthread_exit(&killed);
}

void mz_dying_here(void)
{
	risk(start);
}

#define WRITE(name)                                                                                                    \
	void __real_##name(void *at);                                                                                  \
	PLAIN void __wrap_##name(void *at)                                                                             \
	{                                                                                                              \
		risk(at);                                                                                              \
		__real_##name(at);                                                                                     \
	}
#define WRITE_RANGE(name)                                                                                              \
	void __real_##name(void *at, size_t size);                                                                     \
	PLAIN void __wrap_##name(void *at, size_t size)                                                                \
	{                                                                                                              \
		risk(at);                                                                                              \
		__real_##name(at, size);                                                                               \
	}
#define STORE(name, type)                                                                                              \
	void __real_##name(volatile type *at, type value, int order);                                                  \
	PLAIN void __wrap_##name(volatile type *at, type value, int order)                                             \
	{                                                                                                              \
		risk((const void *)at);                                                                                \
		__real_##name(at, value, order);                                                                       \
	}
#define UPDATE(name, type)                                                                                             \
	type __real_##name(volatile type *at, type value, int order);                                                  \
	PLAIN type __wrap_##name(volatile type *at, type value, int order)                                             \
	{                                                                                                              \
		risk((const void *)at);                                                                                \
		return __real_##name(at, value, order);                                                                \
	}

WRITE(__tsan_write1)
WRITE(__tsan_write2)
WRITE(__tsan_write4)
WRITE(__tsan_write8)
WRITE(__tsan_write16)
WRITE(__tsan_unaligned_write2)
WRITE(__tsan_unaligned_write4)
WRITE(__tsan_unaligned_write8)
WRITE(__tsan_unaligned_write16)
WRITE_RANGE(__tsan_write_range)
STORE(__tsan_atomic8_store, uint8_t)
STORE(__tsan_atomic16_store, uint16_t)
STORE(__tsan_atomic32_store, uint32_t)
STORE(__tsan_atomic64_store, uint64_t)
UPDATE(__tsan_atomic32_exchange, uint32_t)
UPDATE(__tsan_atomic32_fetch_add, uint32_t)
UPDATE(__tsan_atomic32_fetch_sub, uint32_t)
UPDATE(__tsan_atomic64_fetch_add, uint64_t)
