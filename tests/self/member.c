/* SPDX-License-Identifier: MIT
 *
 * cluster/member.c and explorer/trunk_link.c: two machines keep a memory the same, each with a thread beside its worker that serves
 * it. In the place of Redis there is a log of words.
 *
 * Each worker changes two words, always both: one in the head of the memory, and one in a page that it marks. A worker may be killed, and
 * is replaced, or the machine leaves. Invariant: whoever has the lock finds all that others have changed before; each change is in the log once, those of a
 * killed worker as far as they got; in the end both machines have the same, and nobody has the token.
 *
 * options: --strategy dfs --delays 2 -- whole
 * options: --strategy dfs --delays 1 -- killed
 * sources: cluster/member.c explorer/trunk_link.c base/alloc.c base/array.c base/bug.c
 * define: MZ_SMALL_TABLES MZ_PER_PROCESS=_Thread_local syscall=look_again
 */
#include "cluster/member.h"
#include "dying.h"
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#define MACHINES 2
#define SIZE ((size_t)2 * MZ_LINK_PAGE)
#define LOG_MOST 32

/* The memory of a machine, with its link. */
static struct machine {
	_Alignas(MZ_LINK_PAGE) char bytes[SIZE];
	struct mz_trunk_link link;
	uint8_t touched[4]; /* of the link */
	struct mz_store *store;
	struct mz_member member;
	struct mz_leaving leaving;
} machines[MACHINES];

static _Atomic time_t second = 1;

int clock_gettime(clockid_t clock, struct timespec *time)
{
	(void)clock;
	*time = (struct timespec){.tv_sec = atomic_load(&second)};
	return 0;
}

/* What waits looks again at once; or is killed before that. */
long look_again(long number, ...)
{
	(void)number;
	mz_dying_here();
	mz_yield();
	return 0;
}

/* ---- the store ---- */

struct mz_store {
	struct mz_taker taker;
	size_t position; /* of the log */
	uint32_t member;
};

static struct mz_store stores[MACHINES];
static _Atomic uint32_t holder; /* the member that has the token; 0: nobody */
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	uint64_t offset, word;
} changes[LOG_MOST];
static size_t nchanges;

static void hand_on(struct mz_store *store)
{
	pthread_mutex_lock(&log_lock);
	for (; store->position < nchanges; store->position++) {
		const struct mz_change change = {changes[store->position].offset, &changes[store->position].word,
		                                 sizeof(uint64_t)};
		store->taker.take(store->taker.self, &change);
	}
	pthread_mutex_unlock(&log_lock);
}

enum mz_store_status mz_store_join(struct mz_store *store, const struct mz_taker *taker)
{
	store->taker = *taker;
	hand_on(store);
	return MZ_STORE_OK;
}

uint32_t mz_store_member(const struct mz_store *store)
{
	return store->member;
}

enum mz_store_status mz_store_enter(struct mz_store *store, uint32_t wait, const struct mz_store_dead **dead)
{
	static const struct mz_store_dead nobody;
	uint32_t none = 0;
	(void)wait;
	assert(atomic_load(&holder) != store->member);
	while (!atomic_compare_exchange_strong(&holder, &none, store->member)) {
		none = 0;
		mz_yield();
	}
	hand_on(store);
	*dead = &nobody;
	return MZ_STORE_OK;
}

enum mz_store_status mz_store_leave(struct mz_store *store, const struct mz_change *made, size_t n)
{
	assert(atomic_load(&holder) == store->member && store->position == nchanges);
	pthread_mutex_lock(&log_lock);
	for (size_t i = 0; i < n; i++) {
		for (uint32_t at = 0; at < made[i].size; at += sizeof(uint64_t)) {
			assert(nchanges < LOG_MOST);
			changes[nchanges].offset = made[i].offset + at;
			memcpy(&changes[nchanges++].word, (const char *)made[i].bytes + at, sizeof(uint64_t));
		}
	}
	store->position = nchanges;
	pthread_mutex_unlock(&log_lock);
	atomic_store(&holder, 0);
	return MZ_STORE_OK;
}

enum mz_store_status mz_store_pull(struct mz_store *store)
{
	hand_on(store);
	return MZ_STORE_OK;
}

enum mz_store_status mz_store_beat(struct mz_store *store)
{
	(void)store;
	return MZ_STORE_OK;
}

enum mz_store_status mz_store_depart(struct mz_store *store)
{
	(void)store;
	return MZ_STORE_OK;
}

const char *mz_store_ended(const struct mz_store *store)
{
	(void)store;
	return NULL;
}

uint64_t mz_store_log_size(const struct mz_store *store)
{
	(void)store;
	return 0;
}

enum mz_store_status mz_store_snapshot(struct mz_store *store, const void *memory, uint64_t used)
{
	(void)store, (void)memory, (void)used;
	return MZ_STORE_OK;
}

enum mz_store_status mz_store_record(struct mz_store *store, const char *kind, struct mz_bytes record)
{
	(void)store, (void)kind, (void)record;
	return MZ_STORE_OK;
}

const struct mz_store_error *mz_store_error(const struct mz_store *store)
{
	static const struct mz_store_error none;
	(void)store;
	return &none;
}

enum mz_store_status mz_store_fail(struct mz_store_error *error, enum mz_store_status status, const char *format, ...)
{
	(void)error, (void)format;
	assert(!"nothing fails");
	return status;
}

void mz_leaving_tell(struct mz_leaving *leaving)
{
	(void)leaving;
}

bool mz_leaving_is_told(struct mz_leaving *leaving)
{
	(void)leaving;
	return false;
}

/* ---- the memory ---- */

static size_t used(void *self)
{
	(void)self;
	return SIZE;
}

static bool seat(void *self, uint32_t member, uint32_t n, uint32_t *seats)
{
	(void)self, (void)member, (void)n;
	*seats = 0;
	return true;
}

static uint32_t count(void *self)
{
	(void)self;
	return 0;
}

static void lose_member(void *self, uint32_t member)
{
	(void)self, (void)member;
}

static void *publish(void *publisher, size_t *size)
{
	(void)publisher, (void)size;
	return NULL;
}

static void take_part(struct machine *machine, uint32_t number)
{
	pthread_mutexattr_t attributes;
	uint32_t seats;
	const struct mz_replica replica = {.self = machine,
	                                   .base = machine->bytes,
	                                   .size = SIZE,
	                                   .head = sizeof(uint64_t),
	                                   .link = &machine->link,
	                                   .used = used,
	                                   .seat = seat,
	                                   .seats = count,
	                                   .lose_member = lose_member,
	                                   .count_lost = count};
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&machine->link.lock, &attributes);
	stores[number].member = number + 1;
	mz_member_init(&machine->member, &stores[number], SIZE, &machine->leaving);
	bool connected = machine->member.link.connect(&machine->member, &replica, 1, &seats, publish, NULL);
	assert(connected && machine->link.linked);
}

/* ---- workers ---- */

static uint64_t *first_of(struct machine *machine)
{
	return (uint64_t *)machine->bytes;
}

static uint64_t *second_of(struct machine *machine)
{
	return (uint64_t *)(machine->bytes + MZ_LINK_PAGE);
}

static void *change(void *self)
{
	struct machine *machine = self;
	mz_link_lock(&machine->link);
	uint64_t *first = first_of(machine), *other = second_of(machine);
	machine->link.touched[1] = 1;
	*first = *first > *other ? *first : *other + 1; /* one may have been killed in between */
	*other = *first;
	mz_link_unlock(&machine->link);
	atomic_store(&second, 10); /* time to look for what others have changed */
	return NULL;
}

static void *change_and_die(void *self)
{
	mz_dying_begin();
	change(self);
	mz_dying_end();
	return NULL;
}

static void leave(struct machine *machine)
{
	machine->member.link.disconnect(&machine->member);
}

/* A change that a killed worker has begun is half done if nobody had the lock after it. */
static void check(struct machine *machine, bool killed, bool replaced)
{
	const uint64_t first = *first_of(machine), other = *second_of(machine),
	               whole = MACHINES - (killed && !replaced);
	assert(first == other || (killed && !replaced && first == other + 1));
	assert(first == whole || (killed && first == whole + 1));
}

int main(int argc, char **argv)
{
	pthread_t workers[MACHINES];
	void *result;
	bool mortal = argc == 2 && strcmp(argv[1], "killed") == 0;
	mz_dying_in(machines[0].bytes, SIZE + sizeof machines[0].link);
	for (uint32_t n = 0; n < MACHINES; n++) take_part(&machines[n], n);
	for (uint32_t n = 0; n < MACHINES; n++)
		pthread_create(&workers[n], NULL, mortal && !n ? change_and_die : change, &machines[n]);
	pthread_join(workers[0], &result);
	bool killed = mz_dying_is_result(result), replaced = killed && mz_choose(2);
	if (replaced) change(&machines[0]);
	if (killed && !replaced) leave(&machines[0]);
	pthread_join(workers[1], NULL);
	if (!killed || replaced) leave(&machines[0]);
	leave(&machines[1]);
	for (uint32_t n = killed && !replaced; n < MACHINES; n++) check(&machines[n], killed, replaced);
	assert(atomic_load(&holder) == 0);
	return 0;
}
