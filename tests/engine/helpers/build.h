/* SPDX-License-Identifier: MIT
 *
 * Words for writing scripts by hand: add(script, thread, LOAD(x)).
 */
#ifndef MZ_TESTS_BUILD_H
#define MZ_TESTS_BUILD_H

#include "script.h"

#define add(script, thread, ...) script_add(script, thread, (struct script_instruction)__VA_ARGS__)

#define LOAD(x)                                                                                                        \
	{                                                                                                              \
		.kind = SCRIPT_LOAD, .mask = 0xff, .object = (x)                                                       \
	}
#define STORE(x, v)                                                                                                    \
	{                                                                                                              \
		.kind = SCRIPT_STORE, .mask = 0xff, .object = (x), .value = (v)                                        \
	}
#define ADD(x, v)                                                                                                      \
	{                                                                                                              \
		.kind = SCRIPT_ADD, .mask = 0xff, .object = (x), .value = (v)                                          \
	}
#define CAS(x, e, v)                                                                                                   \
	{                                                                                                              \
		.kind = SCRIPT_CAS, .mask = 0xff, .object = (x), .expected = (e), .value = (v)                         \
	}
#define LOAD_BYTES(x, m)                                                                                               \
	{                                                                                                              \
		.kind = SCRIPT_LOAD, .mask = (m), .object = (x)                                                        \
	}
#define STORE_BYTES(x, m, v)                                                                                           \
	{                                                                                                              \
		.kind = SCRIPT_STORE, .mask = (m), .object = (x), .value = (v)                                         \
	}
#define CAS_BYTES(x, m, e, v)                                                                                          \
	{                                                                                                              \
		.kind = SCRIPT_CAS, .mask = (m), .object = (x), .expected = (e), .value = (v)                          \
	}
#define ACCESS(x, k)                                                                                                   \
	{                                                                                                              \
		.kind = SCRIPT_ACCESS, .mask = 0xff, .object = (x), .access = (k)                                      \
	}
#define LOCK(m)                                                                                                        \
	{                                                                                                              \
		.kind = SCRIPT_LOCK, .object = (m)                                                                     \
	}
#define UNLOCK(m)                                                                                                      \
	{                                                                                                              \
		.kind = SCRIPT_UNLOCK, .object = (m)                                                                   \
	}
#define TRYLOCK(m)                                                                                                     \
	{                                                                                                              \
		.kind = SCRIPT_TRYLOCK, .object = (m)                                                                  \
	}
#define TIMED_WAIT(c, m)                                                                                               \
	{                                                                                                              \
		.kind = SCRIPT_TIMED_WAIT, .object = (c), .other = (m)                                                 \
	}
#define WAIT(c, m)                                                                                                     \
	{                                                                                                              \
		.kind = SCRIPT_WAIT, .object = (c), .other = (m)                                                       \
	}
#define SIGNAL(c)                                                                                                      \
	{                                                                                                              \
		.kind = SCRIPT_SIGNAL, .object = (c)                                                                   \
	}
#define BROADCAST(c)                                                                                                   \
	{                                                                                                              \
		.kind = SCRIPT_BROADCAST, .object = (c)                                                                \
	}
#define CHOOSE(n)                                                                                                      \
	{                                                                                                              \
		.kind = SCRIPT_CHOOSE, .value = (n)                                                                    \
	}
#define YIELD()                                                                                                        \
	{                                                                                                              \
		.kind = SCRIPT_YIELD                                                                                   \
	}
#define START(t)                                                                                                       \
	{                                                                                                              \
		.kind = SCRIPT_START, .object = (t)                                                                    \
	}
#define JOIN(t)                                                                                                        \
	{                                                                                                              \
		.kind = SCRIPT_JOIN, .object = (t)                                                                     \
	}
/* The next n only if the last operation returned v. */
#define UNLESS(v, n)                                                                                                   \
	{                                                                                                              \
		.kind = SCRIPT_UNLESS, .value = (v), .other = (n)                                                      \
	}
/* The last n, v times in all. */
#define REPEAT(v, n)                                                                                                   \
	{                                                                                                              \
		.kind = SCRIPT_REPEAT, .value = (v), .other = (n)                                                      \
	}

#endif
