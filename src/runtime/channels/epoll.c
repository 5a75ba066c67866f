/* SPDX-License-Identifier: MIT */
#include "runtime/channels/epoll.h"
#include "base/alloc.h"
#include "runtime/core/core.h"

void mz_epoll_init(struct mz_channel_end *end)
{
	if (!end->epoll) {
		end->epoll = mz_alloc(sizeof *end->epoll);
		if (!end->epoll) mz_unsupported("out of memory");
		*end->epoll = (struct mz_epoll){0};
	}
	end->epoll->count = end->epoll->next = 0;
}

static uint64_t mz_epoll_object(const struct mz_channel_end *end)
{
	return mz_channel_part(end->name, MZ_CHANNEL_MEMBERS);
}

struct mz_object *mz_epoll_members(const struct mz_channel_end *end)
{
	struct mz_object *object = mz_object_find(mz_epoll_object(end));
	object->type = MZ_OBJECT_CHANNEL;
	return object;
}

struct mz_access mz_epoll_watching(const struct mz_channel_end *end, enum mz_access_kind kind)
{
	return (struct mz_access){.object = mz_epoll_object(end),
	                          .before = mz_epoll_members(end)->state,
	                          .mask = 0xff,
	                          .kind = (uint8_t)kind};
}

void mz_epoll_remove(struct mz_epoll *epoll, struct mz_epoll_member *member)
{
	size_t after = epoll->count - 1 - (size_t)(member - epoll->members);
	MZ_REAL(memmove)(member, member + 1, after * sizeof *member);
	epoll->count--;
	epoll->next = 0;
}

uint64_t mz_channel_state_of(const struct mz_queue *queue, enum mz_channel_part part)
{
	return queue ? mz_channel_object(queue, part)->state : 0;
}

/* ---- ends that are closed, and states ---- */

uint16_t mz_epoll_describe_closing(struct mz_access *accesses, uint16_t n, const struct mz_channel_end *epoll,
                                   const struct mz_channel_end *end)
{
	for (uint32_t i = 0; i < epoll->epoll->count; i++) {
		if (epoll->epoll->members[i].end != end) continue;
		accesses[n] = mz_epoll_watching(epoll, MZ_WRITE);
		return (uint16_t)(n + 1);
	}
	return n;
}

void mz_epoll_forget(struct mz_access *accesses, uint16_t n, const struct mz_channel_end *epoll,
                     const struct mz_channel_end *end)
{
	uint32_t before = epoll->epoll->count;
	for (uint32_t i = epoll->epoll->count; i-- > 0;)
		if (epoll->epoll->members[i].end == end) mz_epoll_remove(epoll->epoll, &epoll->epoll->members[i]);
	if (epoll->epoll->count == before) return;
	for (uint16_t i = 0; i < n; i++)
		if (accesses[i].object == mz_epoll_object(epoll)) accesses[i].effect = 1;
	mz_epoll_members(epoll)->state++;
	mz_channel_written(mz_epoll_members(epoll));
}

void mz_epoll_store(const struct mz_epoll *epoll, struct mz_state *state)
{
	mz_state_put(state, &epoll->count, sizeof epoll->count);
	mz_state_put(state, &epoll->next, sizeof epoll->next);
	mz_state_put(state, epoll->members, epoll->count * sizeof *epoll->members);
}

/* Needs no more room: what is loaded was there before. */
void mz_epoll_load(struct mz_epoll *epoll, struct mz_state *state)
{
	mz_state_get(state, &epoll->count, sizeof epoll->count);
	mz_state_get(state, &epoll->next, sizeof epoll->next);
	mz_state_get(state, epoll->members, epoll->count * sizeof *epoll->members);
}

void mz_epoll_identity(const struct mz_epoll *epoll, struct mz_state *state)
{
	for (uint32_t i = 0; i < epoll->count; i++) {
		const struct mz_epoll_member *member = &epoll->members[i];
		bool in = mz_channel_state_of(member->end->in, MZ_CHANNEL_DATA) > member->told_in;
		bool out = mz_channel_state_of(member->end->out, MZ_CHANNEL_SPACE) > member->told_out;
		const uint64_t known[] = {member->end->name, member->data, (uint64_t)member->events << 32 | epoll->next,
		                          (uint64_t)member->number << 32 | in << 2 | out << 1 | member->done};
		mz_state_put(state, known, sizeof known);
	}
}
