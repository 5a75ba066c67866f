/* SPDX-License-Identifier: MIT
 *
 * The namespaces of objects: what the 64 bits of mz_access.object stand for. The uppermost byte is the space; what is
 * in the other 56 bits is the space's own business. Each space is listed here once, with the file that makes objects in
 * it.
 */
#ifndef MZ_TRACE_SPACE_H
#define MZ_TRACE_SPACE_H

#include <stdbool.h>
#include <stdint.h>

/* Identifier, uppermost byte.
 *
 * MEMORY       An address: words of the program's memory (watch/access.c), the locks and the like that begin there, and
 *              objects of the runtime that are known by a variable of its own. Bytes within an object that no program
 *              names stand for what belongs to it: see enum mz_inside.
 * BLOCK        The address of a heap block: a clock, of what was done to it before it was freed (watch/allocation.c).
 * TOLD         An address, or any number: an object that the program tells of by mz_access() (hooks/mazurka.c).
 * FREED        A number of granules: the list of freed blocks that are as large (watch/allocation.c).
 * THREAD       The end of a thread's stack: that thread, in recordings alone (watch/record.c).
 * SECTION      The address of a byte: a clock, of what was done in atomic sections that wrote it (watch/section.c).
 * OPENING      Bit 31, the lock of the stream; bits 32 to 55, the thread that opened it; bits 0 to 30, the number of
 *              the opening among those of the thread: the position in a file, for each time that it was opened
 *              (channels/shared_file.c).
 * FAULT        Bit 0, whether it fails; the others, enum mz_fault: the choice whether a call fails (world/fault.c).
 * FILE         The number of a file that threads share (channels/shared_file.c).
 * CHANNEL      See mz_channel_name(): one part of a channel (channels/channel.c).
 * DESCRIPTOR   The number of a descriptor: what it stands for (channels/descriptor.c).
 * DESCRIPTORS  0: which numbers of descriptors are free (channels/descriptor.c).
 * INVARIANTS   0: all invariants of the program (watch/invariant.c). */
#define MZ_SPACES(X)                                                                                                   \
	X(MEMORY, 0x00)                                                                                                \
	X(BLOCK, 0x40)                                                                                                 \
	X(TOLD, 0x80)                                                                                                  \
	X(FREED, 0xc0)                                                                                                 \
	X(SECTION, 0xf7)                                                                                               \
	X(THREAD, 0xf8)                                                                                                \
	X(OPENING, 0xf9)                                                                                               \
	X(FAULT, 0xfa)                                                                                                 \
	X(FILE, 0xfb)                                                                                                  \
	X(CHANNEL, 0xfc)                                                                                               \
	X(DESCRIPTOR, 0xfd)                                                                                            \
	X(DESCRIPTORS, 0xfe)                                                                                           \
	X(INVARIANTS, 0xff)

enum mz_namespace {
#define X(id, byte) MZ_SPACE_##id = (byte),
	MZ_SPACES(X)
#undef X
};

#define MZ_SPACE_BITS 56
#define MZ_SPACE_NUMBERS (1ULL << MZ_SPACE_BITS)

/* Returns the object of that space with that number, of which the lower 56 bits count. */
static inline uint64_t mz_object_in(enum mz_namespace space, uint64_t number)
{
	return (uint64_t)space << MZ_SPACE_BITS | (number & (MZ_SPACE_NUMBERS - 1));
}

static inline uint64_t mz_object_number(uint64_t object)
{
	return object & (MZ_SPACE_NUMBERS - 1);
}

/* Reports whether the object is one of that space. */
static inline bool mz_object_is_in(enum mz_namespace space, uint64_t object)
{
	return object >> MZ_SPACE_BITS == space;
}

/* Reports whether the object is an address of memory that can be read. */
static inline bool mz_object_is_memory(uint64_t object)
{
	return mz_object_is_in(MZ_SPACE_MEMORY, object);
}

/* Bytes within objects of memory, and what they stand for as objects of their own. */
enum mz_inside {
	MZ_INSIDE_GUARD_MUTEX = 1,     /* of a guard of a C++ variable, or of pthread_once: who initialises it */
	MZ_INSIDE_BARRIER_ROUNDS = 1,  /* of a barrier: every other round */
	MZ_INSIDE_FUTEX_WAITERS = 2,   /* of a word: the threads that wait at it */
	MZ_INSIDE_THREAD_END = 0,      /* of struct mz_fiber: that the thread is over, */
	MZ_INSIDE_THREAD_REQUESTS = 1, /* which requests it has not heard of yet, */
	MZ_INSIDE_THREAD_COUNT = 2,    /* how many it was sent, */
	MZ_INSIDE_THREAD_PASSING =
	    3, /* and those that passed a barrier with it, and wait for it to say who is serial */
	MZ_INSIDE_PROCESS_REQUESTS = 4, /* of the first thread: the signals to the process that no thread has taken, */
	MZ_INSIDE_PROCESS_COUNT = 5,    /* and how many it was sent */
	MZ_INSIDE_THREAD_MASK = 6,      /* which signals the thread blocks */
};

static inline uint64_t mz_object_inside(const void *object, enum mz_inside what)
{
	return (uintptr_t)object + what;
}

#endif
