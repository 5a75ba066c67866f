/* SPDX-License-Identifier: MIT
 *
 * Pipes, sockets, eventfds and epoll instances (*channels*), descriptors and shared files as objects of steps. Such an
 * object has a number of its own that is no address of the program: its first byte says what it is, the rest is
 * described beside the constants. mz_channel_describe() makes words of it.
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

/* What a thread can wait for at one direction of a channel. Each part is an object with a state:
 *   DATA     while there is something to read: 1, or more (how often something arrived); else 0
 *   ROOM     1 more than the number of bytes that a single write may have, up to MZ_CHANNEL_ATOMIC
 *   SPACE    while there is room by the standards of poll: 1, or more (how often room was made); else 0
 *   MEMBERS  of an epoll: how often the set of descriptors that it watches was changed */
enum mz_channel_part { MZ_CHANNEL_DATA, MZ_CHANNEL_ROOM, MZ_CHANNEL_SPACE, MZ_CHANNEL_MEMBERS };
#define MZ_CHANNEL_PARTS 3
#define MZ_CHANNEL_ATOMIC 4096

/* Numbers of objects: the first byte as below, then what the comment says. */
#define MZ_CHANNEL_OBJECT 0xfc00000000000000ULL     /* part of a channel; kind, two descriptors, serial number */
#define MZ_DESCRIPTOR_OBJECT 0xfd00000000000000ULL  /* a descriptor; its number */
#define MZ_DESCRIPTORS_OBJECT 0xfe00000000000000ULL /* the set of free descriptor numbers */

#define MZ_FILE_OBJECT 0xfb00000000000000ULL    /* a file that threads share; its number */
#define MZ_OPENING_OBJECT 0xf900000000000000ULL /* the position in a file; number of the opening */

#define MZ_CHANNEL_NUMBERS 4096 /* how many descriptor numbers there are */
#define MZ_CHANNEL_SERIALS (1 << 26)

/* Returns the object that stands for a channel as a whole: its first part, MZ_CHANNEL_DATA. `number` and `other` are
 * its descriptors, `serial` tells channels with equal descriptors apart. */
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

/* Writes what a person reads of the object, such as "pipe 3/4", to `text`. Returns `text`, or NULL if the object is
 * none of the above. */
const char *mz_channel_describe(uint64_t object, char *text, size_t size);

#endif
