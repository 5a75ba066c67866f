/* SPDX-License-Identifier: MIT */
#include "cluster/member.h"
#include "base/alloc.h"
#include "base/array.h"
#include "explorer/counts.h"
#include "explorer/kept.h"
#include "explorer/merge.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define BLOCK 64               /* bytes that are compared at once */
#define WORD sizeof(uint64_t)  /* bytes that are changed at once, see add_change() */
#define TURN_MILLISECONDS 1000 /* how long to wait for the token before asking for it again */
/* How often to look for what others have changed: as often as it is no burden for Redis, whatever the number of workers. */
#define PULL_SHARE 0.002 /* seconds for each worker of the run, */
#define PULL_LEAST 0.02
#define PULL_MOST 2.0
#define LOG_MOST                                                                                                       \
	((uint64_t)8 << 20) /* bytes of changes after which the whole memory is stored, or more if it is larger */
#define VOIDS_MOST 10       /* how often in a row a member may be taken for dead before it has joined */
#define FOUND "found"       /* kind of records */

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* ---- what others have changed ---- */

static void take(void *self, const struct mz_change *change)
{
	struct mz_member *m = self;
	if (!m->writing) mz_link_begin_writing(m->memory.link);
	m->writing = true;
	memcpy(m->memory.base + change->offset, change->bytes, change->size);
	memcpy(m->shadow + change->offset, change->bytes, change->size);
}

static void end_writing(struct mz_member *m)
{
	if (m->writing) mz_link_end_writing(m->memory.link);
	m->writing = false;
}

/* ---- what workers here have changed ---- */

/* Adds a word that has changed. Words beside it that have not changed are left out: another machine may be about to change
 * them, without others knowing so far. */
static bool add_change(struct mz_member *m, size_t offset)
{
	struct mz_change *last = m->nchanges ? &m->changes[m->nchanges - 1] : NULL;
	memcpy(m->shadow + offset, m->memory.base + offset, WORD);
	if (last && last->offset + last->size == offset) {
		last->size += (uint32_t)WORD;
		return true;
	}
	if (!mz_array_reserve(&m->changes, &m->changes_capacity, m->nchanges + 1)) return false;
	m->changes[m->nchanges++] = (struct mz_change){offset, m->shadow + offset, (uint32_t)WORD};
	return true;
}

static bool compare(struct mz_member *m, size_t first, size_t end)
{
	const char *memory = m->memory.base;
	for (size_t at = first; at < end; at += BLOCK) {
		if (memcmp(m->shadow + at, memory + at, BLOCK) == 0) continue;
		for (size_t word = at; word < at + BLOCK; word += WORD) {
			if (memcmp(m->shadow + word, memory + word, WORD) == 0) continue;
			if (!add_change(m, word)) return false;
		}
	}
	return true;
}

/* Finds all changes since the last time. Returns false when there is no memory. */
static bool find_changes(struct mz_member *m)
{
	struct mz_trunk_link *link = m->memory.link;
	size_t head = (m->memory.head + MZ_LINK_PAGE - 1) / MZ_LINK_PAGE * MZ_LINK_PAGE;
	size_t used = (m->memory.used(m->memory.self) + MZ_LINK_PAGE - 1) / MZ_LINK_PAGE;
	m->nchanges = 0;
	if (head > m->size) head = m->size;
	if (!compare(m, 0, head)) return false;
	for (size_t page = head / MZ_LINK_PAGE; page < used && page < m->size / MZ_LINK_PAGE; page++) {
		if (!link->touched[page]) continue;
		link->touched[page] = 0;
		atomic_thread_fence(memory_order_seq_cst);
		if (!compare(m, page * MZ_LINK_PAGE, (page + 1) * MZ_LINK_PAGE)) return false;
	}
	return true;
}

/* ---- requests ---- */

static void sever(struct mz_member *m, enum mz_store_status status)
{
	switch (status) {
	case MZ_STORE_ENDED: m->end = MZ_MEMBER_ENDED; break;
	case MZ_STORE_FENCED:
	case MZ_STORE_EXPIRED:
	case MZ_STORE_LOST: m->end = MZ_MEMBER_VOID; break;
	case MZ_STORE_INTERRUPTED: m->end = MZ_MEMBER_LEFT; break;
	default:
		m->end = MZ_MEMBER_FAILED;
		m->error = *mz_store_error(m->store);
		if (status == MZ_STORE_NO_MEMORY) mz_store_fail(&m->error, status, "out of memory");
	}
	atomic_store(&m->memory.link->severed, 1);
}

/* Says why the member cannot take part, though the store can be used. Returns false. */
static bool fail(struct mz_member *m, const char *why)
{
	m->end = MZ_MEMBER_FAILED;
	mz_store_fail(&m->error, MZ_STORE_REFUSED, "%s", why);
	return false;
}

static bool enter(struct mz_member *m)
{
	const struct mz_store_dead *dead;
	struct mz_trunk_link *link = m->memory.link;
	enum mz_store_status status;
	do {
		status = mz_store_enter(m->store, TURN_MILLISECONDS, &dead);
		end_writing(m);
	} while (status == MZ_STORE_BUSY && !m->stop);
	m->pulled = now();
	if (status == MZ_STORE_BUSY) return false; /* nobody needs the token any more */
	if (status != MZ_STORE_OK) {
		sever(m, status);
		return false;
	}
	for (size_t i = 0; i < dead->count; i++) m->memory.lose_member(m->memory.self, (uint32_t)dead->members[i]);
	atomic_store(&link->losses, m->memory.count_lost(m->memory.self));
	atomic_store(&link->inside, 1);
	return true;
}

/* Tells others what was found, before what was explored counts. */
static enum mz_store_status tell(struct mz_member *m)
{
	size_t size;
	uint8_t *found = m->publish ? m->publish(m->publisher, &size) : NULL;
	if (!found) return MZ_STORE_OK;
	uint32_t number = mz_store_member(m->store);
	uint8_t *record = mz_alloc(size + sizeof number);
	enum mz_store_status status = MZ_STORE_NO_MEMORY;
	if (record) {
		memcpy(record, &number, sizeof number);
		memcpy(record + sizeof number, found, size);
		status = mz_store_record(m->store, FOUND, (struct mz_bytes){record, size + sizeof number});
	}
	mz_free(found);
	mz_free(record);
	return status;
}

static bool leave(struct mz_member *m)
{
	enum mz_store_status status = tell(m);
	if (status == MZ_STORE_OK) status = find_changes(m) ? MZ_STORE_OK : MZ_STORE_NO_MEMORY;
	if (status == MZ_STORE_OK) status = mz_store_leave(m->store, m->changes, m->nchanges);
	atomic_store(&m->memory.link->inside, 0);
	if (status != MZ_STORE_OK) {
		sever(m, status);
		return false;
	}
	size_t used = m->memory.used(m->memory.self);
	uint64_t log = mz_store_log_size(m->store);
	if (log > LOG_MOST && log > used) mz_store_snapshot(m->store, m->shadow, used < m->size ? used : m->size);
	return true;
}

/* Returns how many seconds there are between two looks at what others have changed. */
static double pull_interval(const struct mz_member *m)
{
	double share = PULL_SHARE * m->memory.seats(m->memory.self);
	return share < PULL_LEAST ? PULL_LEAST : share > PULL_MOST ? PULL_MOST : share;
}

static void pull(struct mz_member *m)
{
	struct mz_trunk_link *link = m->memory.link;
	if (now() - m->pulled < pull_interval(m) || link->severed) return;
	m->pulled = now();
	int got = pthread_mutex_trylock(&link->lock);
	if (got == EOWNERDEAD) {
		atomic_store(&link->died, 1);
		got = pthread_mutex_consistent(&link->lock);
	}
	bool mine = got == 0, free = mine && !link->inside;
	enum mz_store_status status = free ? mz_store_pull(m->store) : mz_store_beat(m->store);
	end_writing(m);
	if (status == MZ_STORE_OK && mz_store_ended(m->store)) status = MZ_STORE_ENDED;
	if (status != MZ_STORE_OK) sever(m, status);
	if (mine) pthread_mutex_unlock(&link->lock);
}

static void *serve(void *self)
{
	struct mz_member *m = self;
	struct mz_trunk_link *link = m->memory.link;
	while (!atomic_load(&m->stop)) {
		if (!mz_link_wait(link, (int)(pull_interval(m) * 1000))) {
			pull(m);
			continue;
		}
		if (!link->severed) {
			if (link->request == MZ_LINK_ENTER)
				enter(m);
			else
				leave(m);
		}
		mz_link_answer(link);
	}
	return NULL;
}

/* ---- the link of a crew ---- */

static bool begin_to_serve(struct mz_member *m)
{
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	m->serving = pthread_create(&m->thread, NULL, serve, m) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return m->serving;
}

/* Says that there are not so many seats. Returns false. */
static bool refuse_seats(struct mz_member *m, uint32_t n)
{
	m->end = MZ_MEMBER_FAILED;
	mz_store_fail(
	    &m->error, MZ_STORE_REFUSED,
	    "there are no seats for %u more processes: %u can take part at a time, and a machine that dies keeps its "
	    "seats until its lease is over",
	    n, mz_replica_seats());
	return false;
}

/* Joins, and takes seats. Returns false if that cannot be done, or there is no need to: `m->end` says which. */
static bool take_seats(struct mz_member *m, uint32_t n, uint32_t *seats)
{
	const struct mz_taker taker = {take, m};
	enum mz_store_status status =
	    mz_leaving_is_told(m->leaving) ? MZ_STORE_INTERRUPTED : mz_store_join(m->store, &taker);
	end_writing(m);
	if (status != MZ_STORE_OK) {
		sever(m, status);
		return false;
	}
	if (!enter(m)) {
		if (m->end == MZ_MEMBER_LEFT) mz_store_depart(m->store);
		return false;
	}
	bool seated = m->memory.seat(m->memory.self, mz_store_member(m->store), n, seats);
	if (!leave(m)) return false;
	return seated || refuse_seats(m, n);
}

static bool connect(void *self, const struct mz_replica *memory, uint32_t n, uint32_t *seats,
                    void *(*publish)(void *publisher, size_t *size), void *publisher)
{
	struct mz_member *m = self;
	m->leaving->phase = MZ_LEAVING_COMES;
	m->memory = *memory;
	m->publish = publish;
	m->publisher = publisher;
	m->end = MZ_MEMBER_WORKS;
	m->stop = 0;
	m->shadow = mmap(NULL, m->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (m->shadow == MAP_FAILED) {
		m->shadow = NULL;
		return fail(m, "no memory for what all machines have in common");
	}
	bool seated = take_seats(m, n, seats);
	m->voids = !seated && m->end == MZ_MEMBER_VOID ? m->voids + 1 : 0;
	if (m->voids == VOIDS_MOST)
		return fail(m, "this machine was taken for dead each time it joined: is the lease too short?");
	/* of a run that has ended everything is handed on: workers find that out, and come to their end */
	memory->link->linked = seated || m->end == MZ_MEMBER_ENDED;
	m->leaving->phase = MZ_LEAVING_WORKS;
	if (!seated) return m->end == MZ_MEMBER_ENDED;
	return begin_to_serve(m) || fail(m, "no thread could be started");
}

static void stop(void *self)
{
	const struct mz_member *m = self;
	mz_leaving_tell(m->leaving);
}

static bool disconnect(void *self)
{
	struct mz_member *m = self;
	struct mz_trunk_link *link = m->memory.link;
	if (!m->shadow) return false;
	m->leaving->phase = MZ_LEAVING_HANDS_OVER;
	atomic_store(&m->stop, 1);
	if (m->serving) pthread_join(m->thread, NULL);
	m->serving = false;
	m->stop = 0;
	/* what is left to tell: the seats are empty, and what was found */
	if (!link->severed && (link->inside || enter(m))) {
		m->memory.lose_member(m->memory.self, mz_store_member(m->store));
		if (leave(m)) mz_store_depart(m->store);
	}
	munmap(m->shadow, m->size);
	m->shadow = NULL;
	return m->end == MZ_MEMBER_VOID;
}

void mz_member_init(struct mz_member *member, struct mz_store *store, size_t size, struct mz_leaving *leaving)
{
	*member = (struct mz_member){.store = store, .leaving = leaving, .size = size};
	member->link = (struct mz_crew_link){
	    .self = member, .size = size, .connect = connect, .stop = stop, .disconnect = disconnect};
}

void mz_member_release(struct mz_member *member)
{
	if (member->shadow) munmap(member->shadow, member->size);
	mz_free(member->changes);
}

/* ---- what all have found ---- */

/* The latest record of each member. */
struct latest {
	struct mz_bytes *records; /* copies, each with the number of its member */
	size_t count, capacity;
	bool failed;
};

static uint32_t member_of(struct mz_bytes record)
{
	uint32_t member;
	memcpy(&member, record.at, sizeof member);
	return member;
}

static void note(void *self, struct mz_bytes record)
{
	struct latest *latest = self;
	size_t n = 0;
	if (record.size < sizeof(uint32_t)) latest->failed = true;
	uint8_t *copy = latest->failed ? NULL : mz_alloc(record.size);
	if (!copy || !mz_array_reserve(&latest->records, &latest->capacity, latest->count + 1)) {
		latest->failed = true;
		mz_free(copy);
		return;
	}
	memcpy(copy, record.at, record.size);
	while (n < latest->count && member_of(latest->records[n]) != member_of(record)) n++;
	if (n < latest->count)
		mz_free((void *)latest->records[n].at);
	else
		latest->count++;
	latest->records[n] = (struct mz_bytes){copy, record.size};
}

static bool merge_record(struct mz_session *session, struct mz_bytes record)
{
	struct mz_session_memory one;
	if (mz_session_open(&one, &session->configuration, MZ_MODE_EXPLORE) != 0) return false;
	bool good = mz_kept_read(one.session, record.at + sizeof(uint32_t), record.size - sizeof(uint32_t));
	if (good) {
		/* what counts is in the memory */
		mz_counts_set(one.session, (struct mz_trunk_counts){0});
		mz_merge(session, one.session);
	}
	mz_session_close(&one);
	return good;
}

enum mz_store_status mz_member_collect(struct mz_store *store, struct mz_session *session, struct mz_store_error *error)
{
	struct latest latest = {0};
	uint64_t count;
	enum mz_store_status status = mz_store_records(store, FOUND, 0, note, &latest, &count);
	if (status != MZ_STORE_OK) *error = *mz_store_error(store);
	bool good = status == MZ_STORE_OK && !latest.failed;
	for (size_t n = 0; n < latest.count; n++) {
		good = good && merge_record(session, latest.records[n]);
		mz_free((void *)latest.records[n].at);
	}
	mz_free(latest.records);
	if (good || status != MZ_STORE_OK) return status;
	return mz_store_fail(error, MZ_STORE_DAMAGED,
	                     "the run's records in Redis make no sense, or there is no memory");
}
