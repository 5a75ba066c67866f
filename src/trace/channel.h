/* SPDX-License-Identifier: MIT
 *
 * Pipes, sockets and their like, and the numbers they are known by, as objects of steps: no addresses of a program.
 * What a person reads of them is in their names.
 */
#ifndef MZ_TRACE_CHANNEL_H
#define MZ_TRACE_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Identifier, what a person reads. */
#define MZ_CHANNELS(X)                                                                                                 \
	X(EVENT, "eventfd")                                                                                            \
	X(PIPE, "pipe")                                                                                                \
	X(STREAM, "stream socket")                                                                                     \
	X(DATAGRAM, "datagram socket")                                                                                 \
	X(PACKET, "packet socket")                                                                                     \
	X(EPOLL, "epoll")

enum mz_channel {
#define X(id, text) MZ_CHANNEL_##id,
	MZ_CHANNELS(X)
#undef X
	    MZ_CHANNEL_COUNT
};

/* What can be waited for at one direction of a channel, each an object with a state:
 *   DATA     1, or more (how often something arrived), while there is something to read
 *   ROOM     1 more than a single write may have bytes, up to MZ_CHANNEL_ATOMIC
 *   SPACE    1, or more (how often some was made), while there is room by the standards of poll
 *   MEMBERS  of an epoll: how often those that it watches were changed */
enum mz_channel_part { MZ_CHANNEL_DATA, MZ_CHANNEL_ROOM, MZ_CHANNEL_SPACE, MZ_CHANNEL_MEMBERS };
#define MZ_CHANNEL_PARTS 3
#define MZ_CHANNEL_ATOMIC 4096

#define MZ_CHANNEL_OBJECT 0xfc00000000000000ULL     /* then part, kind, two numbers, and which one it is of all */
#define MZ_DESCRIPTOR_OBJECT 0xfd00000000000000ULL  /* then the number */
#define MZ_DESCRIPTORS_OBJECT 0xfe00000000000000ULL /* which numbers are free */

#define MZ_FILE_OBJECT 0xfb00000000000000ULL    /* a file that threads share, then its number */
#define MZ_OPENING_OBJECT 0xf900000000000000ULL /* its position, for each time that it was opened */

#define MZ_CHANNEL_NUMBERS 4096 /* of descriptors */
#define MZ_CHANNEL_SERIALS (1 << 26)

/* The name of a channel: that of its first part. */
static inline uint64_t mz_channel_name(enum mz_channel kind, unsigned number, unsigned other, uint32_t serial)
{
	return MZ_CHANNEL_OBJECT | (uint64_t)kind << 50 | (uint64_t)number << 38 | (uint64_t)other << 26 | serial;
}

static inline uint64_t mz_channel_part(uint64_t name, enum mz_channel_part part)
{
	return name | (uint64_t)part << 53;
}

static inline bool mz_is_channel(uint64_t object)
{
	return object >> 56 == MZ_CHANNEL_OBJECT >> 56;
}

/* "pipe 3/4". Returns `text`; NULL if the object is none of these. */
const char *mz_channel_describe(uint64_t object, char *text, size_t size);

#endif
