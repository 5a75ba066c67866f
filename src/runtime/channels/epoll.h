/* SPDX-License-Identifier: MIT
 *
 * What an epoll watches. Waiting for it is in poll.h.
 */
#ifndef MZ_RUNTIME_CHANNELS_EPOLL_H
#define MZ_RUNTIME_CHANNELS_EPOLL_H

#include "runtime/channels/channel.h"

struct mz_epoll_member {
	struct mz_channel_end *end;
	int number;
	uint32_t events;
	uint64_t data;
	uint64_t told_in, told_out; /* for EPOLLET: the states of the two queues when events were last reported */
	bool done;                  /* for EPOLLONESHOT: the event was reported */
};

struct mz_epoll {
	struct mz_epoll_member *members;
	size_t capacity;
	uint32_t count;
	uint32_t next; /* the member whose events are reported first, if not all fit */
};

/* Return the object that stands for the members of an epoll; and an access to it. */
struct mz_object *mz_epoll_members(const struct mz_channel_end *end);
struct mz_access mz_epoll_watching(const struct mz_channel_end *end, enum mz_access_kind kind);
void mz_epoll_remove(struct mz_epoll *epoll, struct mz_epoll_member *member);
/* Returns the state of a part of a queue; 0 if the queue is NULL. */
uint64_t mz_channel_state_of(const struct mz_queue *queue, enum mz_channel_part part);

/* Gives an end that was just made an epoll without members. */
void mz_epoll_init(struct mz_channel_end *end);
/* Appends the accesses by which closing `end` touches an epoll that watches it, and returns the new number of accesses;
 * and removes `end` from the epoll. */
uint16_t mz_epoll_describe_closing(struct mz_access *accesses, uint16_t n, const struct mz_channel_end *epoll,
                                   const struct mz_channel_end *end);
void mz_epoll_forget(struct mz_access *accesses, uint16_t n, const struct mz_channel_end *epoll,
                     const struct mz_channel_end *end);
/* See state.h; and what tells states apart. */
void mz_epoll_store(const struct mz_epoll *epoll, struct mz_state *state);
void mz_epoll_load(struct mz_epoll *epoll, struct mz_state *state);
void mz_epoll_identity(const struct mz_epoll *epoll, struct mz_state *state);

#endif
