/* SPDX-License-Identifier: MIT
 *
 * Joining, entering, leaving and pulling. A member's `place` is behind the last entry that has been handed on, or that
 * the member has committed itself; it moves only when all of an answer has been checked.
 */
#include "cluster/store.h"
#include "base/alloc.h"
#include "base/array.h"
#include "cluster/store_internal.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

/* ---- opening ---- */

static void set_up(struct mz_store *store, const struct mz_address *address, const struct mz_store_options *options)
{
	if (options) store->options = *options;
	if (store->options.timeout == 0) store->options.timeout = 5000;
	if (store->options.patience == 0) store->options.patience = 120000;
	snprintf(store->prefix, sizeof store->prefix, "mazurka:{%s}:", address->name);
	if (!mz_address_is_local(address))
		snprintf(store->warning, sizeof store->warning,
		         "the connection to Redis at %s is not encrypted: use a tunnel (docs/CLUSTER.md)",
		         address->host);
}

static enum mz_store_status connect_store(struct mz_store *store, struct mz_address *address,
                                          struct mz_store_error *error)
{
	store->connection = mz_connection_new(address, &store->options, error);
	if (!store->connection) return error->status;
	struct mz_run_found run;
	enum mz_store_status status = mz_store_look(store, &run);
	if (status == MZ_STORE_OK || status == MZ_STORE_ABSENT) return MZ_STORE_OK;
	*error = store->error;
	return status;
}

struct mz_store *mz_store_open(const char *url, const struct mz_store_options *options, struct mz_store_error *error)
{
	struct mz_address address;
	struct mz_store *store = NULL;
	enum mz_store_status status = mz_address_read(&address, url, error);
	if (status == MZ_STORE_OK) status = mz_address_read_password(&address, error);
	if (status == MZ_STORE_OK) {
		store = mz_alloc(sizeof *store);
		if (!store) status = mz_store_fail(error, MZ_STORE_NO_MEMORY, "out of memory");
	}
	if (status == MZ_STORE_OK) {
		*store = (struct mz_store){0};
		set_up(store, &address, options);
		status = connect_store(store, &address, error);
	}
	explicit_bzero(&address, sizeof address);
	if (status == MZ_STORE_OK) return store;
	mz_store_close(store);
	return NULL;
}

void mz_store_close(struct mz_store *store)
{
	if (!store) return;
	mz_connection_free(store->connection);
	mz_free(store->dead.members);
	mz_free(store->room);
	mz_free(store);
}

const char *mz_store_warning(const struct mz_store *store)
{
	return *store->warning ? store->warning : NULL;
}

const struct mz_store_error *mz_store_error(const struct mz_store *store)
{
	return &store->error;
}

const char *mz_store_ended(const struct mz_store *store)
{
	return *store->ended ? store->ended : NULL;
}

uint32_t mz_store_member(const struct mz_store *store)
{
	return store->member;
}

uint64_t mz_store_log_size(const struct mz_store *store)
{
	return store->head - store->base;
}

/* ---- the log ---- */

static enum mz_store_status lost(struct mz_store *store)
{
	return mz_store_judge(store, &(struct mz_answer){.code = MZ_ANSWER_LOST});
}

static enum mz_store_status damaged(struct mz_store *store)
{
	return mz_store_fail(&store->error, MZ_STORE_DAMAGED, "the run's log in Redis is damaged");
}

static void note_reach(struct mz_store *store, uint64_t end)
{
	if (end > store->reach) store->reach = end;
}

static void hand_on(void *self, const struct mz_change *change)
{
	struct mz_store *store = self;
	note_reach(store, change->offset + change->size);
	store->taker.take(store->taker.self, change);
}

/* Checks and hands on the log in an answer, which begins at the member's place. */
static enum mz_store_status advance(struct mz_store *store, const struct mz_answer *answer)
{
	struct mz_log_place after, *place = &store->place;
	if (answer->head < place->position) return lost(store);
	if (answer->body.size > answer->head - place->position) return damaged(store);
	enum mz_log_status status = mz_log_check(answer->body, store->memory_size, place, &after);
	if (status != MZ_LOG_FINE) return status == MZ_LOG_LOST ? lost(store) : damaged(store);
	if (after.position == answer->head && memcmp(&after.tag, &answer->tag, sizeof after.tag) != 0)
		return lost(store);
	if (after.position == place->position && after.position < answer->head) return lost(store);
	mz_log_take(answer->body.at, after.position - place->position, &(struct mz_taker){hand_on, store});
	*place = after;
	return MZ_STORE_OK;
}

/* Hands on all that there is in the log, in several answers if it is much. */
static enum mz_store_status pull(struct mz_store *store)
{
	do {
		struct mz_request request;
		struct mz_answer answer;
		mz_request_init_member(&request, store, "pull");
		mz_request_add_number(&request, store->place.position);
		enum mz_store_status status = mz_store_ask(store, NULL, &request, &answer);
		if (status == MZ_STORE_OK && answer.code == MZ_ANSWER_TRIMMED)
			status = mz_store_load_snapshot(store);
		else if (status == MZ_STORE_OK && answer.code == MZ_ANSWER_OK)
			status = advance(store, &answer);
		else if (status == MZ_STORE_OK)
			status = mz_store_judge(store, &answer);
		if (status != MZ_STORE_OK) return status;
	} while (store->place.position < store->head);
	return MZ_STORE_OK;
}

enum mz_store_status mz_store_pull(struct mz_store *store)
{
	return pull(store);
}

/* ---- the run and its members ---- */

static enum mz_store_status no_random(struct mz_store *store)
{
	return mz_store_fail(&store->error, MZ_STORE_REFUSED, "no random numbers: %s", strerror(errno));
}

enum mz_store_status mz_store_begin(struct mz_store *store, struct mz_bytes identity, uint64_t memory_size,
                                    uint64_t lease)
{
	struct mz_request request;
	struct mz_answer answer;
	uint64_t maker[2]; /* tells the run from one that another process makes at the same time */
	if (getrandom(maker, sizeof maker, 0) != sizeof maker) return no_random(store);
	mz_request_init(&request, store, "begin");
	mz_request_add(&request, identity);
	mz_request_add_number(&request, memory_size);
	mz_request_add_number(&request, lease);
	mz_request_add(&request, (struct mz_bytes){(const uint8_t *)maker, sizeof maker});
	return mz_store_do(store, &request, &answer);
}

enum mz_store_status mz_store_look(struct mz_store *store, struct mz_run_found *run)
{
	struct mz_request request;
	struct mz_answer answer;
	mz_request_init(&request, store, "look");
	enum mz_store_status status = mz_store_do(store, &request, &answer);
	if (status != MZ_STORE_OK || mz_run_read(run, answer.body)) return status;
	return mz_store_fail(&store->error, MZ_STORE_DAMAGED, "what Redis says of the run is damaged");
}

/* Forgets what the store has of a run and loads it from the beginning. */
static enum mz_store_status load(struct mz_store *store, const struct mz_taker *taker)
{
	struct mz_run_found run;
	enum mz_store_status status = mz_store_look(store, &run);
	if (status != MZ_STORE_OK) return status;
	store->taker = *taker;
	store->memory_size = run.memory_size;
	store->lease = run.lease;
	store->place = (struct mz_log_place){0};
	store->commits = store->records = 0;
	store->commit_in_doubt = store->record_in_doubt = false;
	return pull(store);
}

enum mz_store_status mz_store_watch(struct mz_store *store, const struct mz_taker *taker)
{
	store->member = 0;
	store->reach = 0;
	enum mz_store_status status = load(store, taker);
	if (status != MZ_STORE_LOST) return status;
	/* Redis may have gone back while the log was loaded; if this happens again, the log is not whole */
	static const uint8_t zeros[4096];
	for (uint64_t at = 0; at < store->reach; at += sizeof zeros) {
		uint64_t left = store->reach - at;
		struct mz_change change = {at, zeros, (uint32_t)(left < sizeof zeros ? left : sizeof zeros)};
		taker->take(taker->self, &change);
	}
	status = load(store, taker);
	return status == MZ_STORE_LOST ? damaged(store) : status;
}

enum mz_store_status mz_store_join(struct mz_store *store, const struct mz_taker *taker)
{
	struct mz_request request;
	struct mz_answer answer;
	uint64_t member = 0;
	enum mz_store_status status = mz_store_watch(store, taker);
	if (status != MZ_STORE_OK) return status;
	if (getrandom(&store->random, sizeof store->random, 0) != sizeof store->random) return no_random(store);
	store->random >>= 16; /* numbers of Lua have 53 bits */
	mz_request_init(&request, store, "join");
	mz_request_add_number(&request, store->random);
	status = mz_store_do(store, &request, &answer);
	if (status != MZ_STORE_OK) return status;
	if (!mz_number_read(&member, answer.body) || member == 0 || member > UINT32_MAX)
		return mz_store_fail(&store->error, MZ_STORE_DAMAGED, "Redis gives a member no number");
	store->member = (uint32_t)member;
	return MZ_STORE_OK;
}

/* Calls a function that takes the member's number only. */
static enum mz_store_status say(struct mz_store *store, const char *function)
{
	struct mz_request request;
	struct mz_answer answer;
	mz_request_init_member(&request, store, function);
	return mz_store_do(store, &request, &answer);
}

enum mz_store_status mz_store_beat(struct mz_store *store)
{
	return say(store, "beat");
}

enum mz_store_status mz_store_forgo(struct mz_store *store)
{
	return say(store, "forgo");
}

enum mz_store_status mz_store_depart(struct mz_store *store)
{
	enum mz_store_status status = say(store, "depart");
	if (status == MZ_STORE_OK) store->member = 0;
	return status;
}

enum mz_store_status mz_store_remove(struct mz_store *store)
{
	return say(store, "remove");
}

enum mz_store_status mz_store_stop(struct mz_store *store, const char *reason, struct mz_bytes summary)
{
	struct mz_request request;
	struct mz_answer answer;
	mz_request_init(&request, store, "stop");
	mz_request_add_text(&request, *reason ? reason : "ended");
	mz_request_add(&request, summary);
	return mz_store_do(store, &request, &answer);
}

/* ---- entering ---- */

static uint64_t now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

static enum mz_store_status keep_dead(struct mz_store *store, const struct mz_answer *answer)
{
	struct mz_store_dead *dead = &store->dead;
	dead->count = answer->dead.size / 8;
	if (!mz_array_reserve(&dead->members, &dead->capacity, dead->count))
		return mz_store_fail(&store->error, MZ_STORE_NO_MEMORY, "out of memory");
	for (size_t i = 0; i < dead->count; i++) dead->members[i] = mz_answer_dead(answer, i);
	return MZ_STORE_OK;
}

/* Deals with an answer to `enter`: MZ_STORE_BUSY means that the member has to wait. */
static enum mz_store_status entered(struct mz_store *store, const struct mz_answer *answer)
{
	enum mz_answer_code code = answer->code;
	if (code != MZ_ANSWER_OK && code != MZ_ANSWER_WAITS && code != MZ_ANSWER_ENDED)
		return mz_store_judge(store, answer);
	if (code == MZ_ANSWER_OK) {
		store->epoch = answer->epoch;
		enum mz_store_status kept = keep_dead(store, answer);
		if (kept != MZ_STORE_OK) return kept;
	}
	enum mz_store_status status = advance(store, answer);
	if (status == MZ_STORE_OK && store->place.position < store->head) status = pull(store);
	return status == MZ_STORE_OK ? mz_store_judge(store, &(struct mz_answer){.code = code}) : status;
}

/* Asks for the token once; if `wait` is not 0, after somebody has woken this member, or so many milliseconds. */
static enum mz_store_status try_to_enter(struct mz_store *store, uint64_t wait)
{
	char name[48], key[200], seconds[32];
	struct mz_request request;
	struct mz_answer answer;
	mz_request_init_member(&request, store, "enter");
	mz_request_add_number(&request, store->place.position);
	mz_store_name(store, name);
	snprintf(key, sizeof key, "%swake:%s", store->prefix, name);
	snprintf(seconds, sizeof seconds, "%u.%03u", (unsigned)(wait / 1000), (unsigned)(wait % 1000));
	struct mz_bytes words[] = {mz_bytes_of("BLPOP"), mz_bytes_of(key), mz_bytes_of(seconds)};
	struct mz_command sleep = {words, 3};
	enum mz_store_status status = mz_store_ask(store, wait ? &sleep : NULL, &request, &answer);
	if (status != MZ_STORE_OK) return status;
	if (answer.code != MZ_ANSWER_TRIMMED) return entered(store, &answer);
	status = mz_store_load_snapshot(store);
	return status == MZ_STORE_OK ? try_to_enter(store, 0) : status;
}

/* Returns for how long the member may sleep: it has to be heard of, and to hear of what happens to others. */
static uint64_t nap(const struct mz_store *store, uint64_t left)
{
	uint64_t most = store->lease / 3 < store->options.timeout / 2 ? store->lease / 3 : store->options.timeout / 2;
	return left < most ? left : most ? most : 1;
}

enum mz_store_status mz_store_enter(struct mz_store *store, uint32_t wait, const struct mz_store_dead **dead)
{
	uint64_t until = now() + wait, time;
	if (store->commit_in_doubt) store->commits++; /* if it was committed, it comes back with the log */
	store->commit_in_doubt = false;
	enum mz_store_status status = try_to_enter(store, 0);
	while (status == MZ_STORE_BUSY && (time = now()) < until) {
		if (store->options.is_interrupted && store->options.is_interrupted(store->options.self))
			status = mz_store_fail(&store->error, MZ_STORE_INTERRUPTED,
			                       "interrupted while other machines had the token");
		else
			status = try_to_enter(store, nap(store, until - time));
	}
	*dead = &store->dead;
	if (status == MZ_STORE_OK || status == MZ_STORE_ENDED || status == MZ_STORE_EXPIRED) return status;
	/* the token may come, or have come, to a member that cannot use it */
	struct mz_store_error why = store->error;
	if (status != MZ_STORE_UNREACHABLE && mz_store_forgo(store) == MZ_STORE_EXPIRED && status == MZ_STORE_BUSY)
		return MZ_STORE_EXPIRED;
	store->error = why;
	return status;
}

/* ---- leaving ---- */

static enum mz_store_status commit(struct mz_store *store, struct mz_bytes entry, struct mz_tag tag)
{
	struct mz_request request;
	struct mz_answer answer;
	mz_request_init_member(&request, store, "leave");
	mz_request_add_number(&request, store->commits + 1);
	mz_request_add_number(&request, store->epoch);
	mz_request_add_number(&request, store->place.position);
	mz_request_add(&request, (struct mz_bytes){store->place.tag.bytes, sizeof store->place.tag});
	mz_request_add(&request, (struct mz_bytes){tag.bytes, sizeof tag});
	mz_request_add(&request, entry);
	enum mz_store_status status = mz_store_do(store, &request, &answer);
	store->commit_in_doubt = status == MZ_STORE_UNREACHABLE || status == MZ_STORE_INTERRUPTED;
	if (status != MZ_STORE_OK) return status;
	store->commits++;
	store->place.position += entry.size;
	store->place.tag = tag;
	return MZ_STORE_OK;
}

enum mz_store_status mz_store_leave(struct mz_store *store, const struct mz_change *changes, size_t n)
{
	if (n == 0) return commit(store, mz_bytes_of(""), store->place.tag);
	size_t size = mz_entry_size(changes, n);
	if (size == 0)
		return mz_store_fail(&store->error, MZ_STORE_TOO_LARGE, "more than %u bytes are changed at once",
		                     MZ_ENTRY_MOST);
	enum mz_store_status status = mz_store_make_room(store, size);
	if (status != MZ_STORE_OK) return status;
	for (size_t i = 0; i < n; i++) note_reach(store, changes[i].offset + changes[i].size);
	struct mz_tag tag = mz_entry_write(store->room, size, store->member, changes, n, store->place.tag);
	return commit(store, (struct mz_bytes){store->room, size}, tag);
}
