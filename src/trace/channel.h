/* SPDX-License-Identifier: MIT
 *
 * Pipes, sockets, eventfds and epoll instances (*channels*), descriptors and shared files as objects of steps. Such an
 * object has a number of its own that is no address of the program: its first byte says what it is, the rest is
 * described beside the constants. mz_channel_describe() makes words of it.
 */
#ifndef MZ_TRACE_CHANNEL_H
#define MZ_TRACE_CHANNEL_H

#include "trace/space.h"
#include <stddef.h>
#include <stdint.h>

/* Identifier, what a person reads. */
#define MZ_CHANNELS(X)                                                                                                 \
	X(EVENT, "eventfd")                                                                                            \
	X(PIPE, "pipe")                                                                                                \
	X(STREAM, "stream socket")                                                                                     \
	X(DATAGRAM, "datagram socket")                                                                                 \
	X(PACKET, "packet socket")                                                                                     \
	X(EPOLL, "epoll")                                                                                              \
	X(TIMER, "timerfd")

enum mz_channel {
#define X(id, text) MZ_CHANNEL_##id,
	MZ_CHANNELS(X)
#undef X
	    MZ_CHANNEL_COUNT
};

/* What a thread can wait for at one direction of a channel. Each part is an object with a state:
 *   DATA     0 while a read would have to wait; else 1, or, while an edge-triggered epoll watches the channel, a number
 *            that grows with each arrival. A read does not wait if there is something to read, or the other end was
 *            closed or reset
 *   ROOM     1 more than the number of bytes that a single write may have, up to MZ_CHANNEL_ATOMIC; of an eventfd, 1
 *            more than the value that may be added
 *   SPACE    0 while poll would not call the channel writable; else 1, or, while an edge-triggered epoll watches the
 *            channel, a number that grows whenever room is made
 *   MEMBERS  of an epoll: how often the set of descriptors that it watches was changed */
enum mz_channel_part { MZ_CHANNEL_DATA, MZ_CHANNEL_ROOM, MZ_CHANNEL_SPACE, MZ_CHANNEL_MEMBERS };
#define MZ_CHANNEL_PARTS 3
#define MZ_CHANNEL_ATOMIC 4096

#define MZ_CHANNEL_NUMBERS 4096 /* how many descriptor numbers there are */
#define MZ_CHANNEL_SERIALS (1 << 26)
#define MZ_CHANNEL_PART_SHIFT 53

/* Returns the object that stands for a channel as a whole: its first part, MZ_CHANNEL_DATA. `number` and `other` are
 * its descriptors, `serial` tells channels with equal descriptors apart. From above, the bits are: part (3), kind (3),
 * the two numbers (12 each), serial (26). */
static inline uint64_t mz_channel_name(enum mz_channel kind, unsigned number, unsigned other, uint32_t serial)
{
	return mz_object_in(MZ_SPACE_CHANNEL,
	                    (uint64_t)kind << 50 | (uint64_t)number << 38 | (uint64_t)other << 26 | serial);
}

static inline uint64_t mz_channel_part(uint64_t name, enum mz_channel_part part)
{
	return name | (uint64_t)part << MZ_CHANNEL_PART_SHIFT;
}
/* Returns the name of the channel that a part belongs to. */
static inline uint64_t mz_channel_of_part(uint64_t part)
{
	return part & ~(7ULL << MZ_CHANNEL_PART_SHIFT);
}

static inline bool mz_is_channel(uint64_t object)
{
	return mz_object_is_in(MZ_SPACE_CHANNEL, object);
}

/* Writes what a person reads of the object, such as "pipe 3/4", to `text`. Returns `text`, or NULL if the object is
 * none of the above. */
const char *mz_channel_describe(uint64_t object, char *text, size_t size);

#endif
