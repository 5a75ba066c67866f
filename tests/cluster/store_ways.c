/* SPDX-License-Identifier: MIT
 *
 * One call of the store after the other, with a few members in one process. Arguments: URL; or --open URL, which says how
 * opening it ends.
 */
#include "base/alloc.h"
#include "cluster/store.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SIZE (5 << 19) /* two chunks of a snapshot and a half */
#define LEASE 600

static const char *url;
static unsigned failures;

struct copy {
	struct mz_store *store;
	uint8_t *memory;
};

static void check(bool good, const char *what)
{
	printf("%s %s\n", good ? "ok" : "not ok", what);
	failures += !good;
}

static void sleep_ms(unsigned ms)
{
	nanosleep(&(struct timespec){ms / 1000, (long)(ms % 1000) * 1000000}, NULL);
}

static void take(void *self, const struct mz_change *change)
{
	memcpy((uint8_t *)self + change->offset, change->bytes, change->size);
}

static struct copy open_copy(void)
{
	struct mz_store_error error;
	struct mz_store_options options = {.timeout = 1000, .patience = 10000};
	struct copy copy = {mz_store_open(url, &options, &error), calloc(1, SIZE)};
	if (copy.store) return copy;
	puts(error.text);
	exit(1);
}

static void join(struct copy *copy)
{
	memset(copy->memory, 0, SIZE);
	check(mz_store_join(copy->store, &(struct mz_taker){take, copy->memory}) == MZ_STORE_OK, "join");
}

static enum mz_store_status enter(struct copy *copy, unsigned wait, size_t *dead)
{
	const struct mz_store_dead *told;
	enum mz_store_status status = mz_store_enter(copy->store, wait, &told);
	if (dead) *dead = status == MZ_STORE_OK ? told->count : 0;
	return status;
}

static enum mz_store_status leave(struct copy *copy, uint64_t offset, const char *text)
{
	struct mz_change change = {offset, text, (uint32_t)strlen(text)};
	memcpy(copy->memory + offset, text, strlen(text));
	return mz_store_leave(copy->store, &change, 1);
}

static bool has(struct copy *copy, uint64_t offset, const char *text)
{
	return mz_store_pull(copy->store) == MZ_STORE_OK && memcmp(copy->memory + offset, text, strlen(text)) == 0;
}

static void try_run(struct copy *a, struct copy *b)
{
	struct mz_run_found run;
	struct mz_bytes identity = {(const uint8_t *)"build\0id", 8};
	check(mz_store_look(a->store, &run) == MZ_STORE_ABSENT, "there is no run");
	check(mz_store_begin(a->store, identity, SIZE, LEASE) == MZ_STORE_OK, "a run begins");
	check(mz_store_begin(b->store, identity, SIZE, LEASE) == MZ_STORE_EXISTS, "a run begins once");
	check(mz_store_look(b->store, &run) == MZ_STORE_OK && run.memory_size == SIZE && run.lease == LEASE &&
	          run.identity.size == 8 && memcmp(run.identity.at, "build\0id", 8) == 0,
	      "its identity is found");
}

static void try_changes(struct copy *a, struct copy *b)
{
	check(enter(a, 0, NULL) == MZ_STORE_OK, "the first one enters");
	check(enter(b, 50, NULL) == MZ_STORE_BUSY, "the second one does not");
	check(leave(a, 100, "hello") == MZ_STORE_OK, "leave");
	check(has(b, 100, "hello"), "the other one pulls the change");
	check(enter(b, 0, NULL) == MZ_STORE_OK && leave(b, SIZE - 3, "end") == MZ_STORE_OK,
	      "the second one enters, and changes the last bytes");
	check(has(a, SIZE - 3, "end"), "which the first one gets");
	check(leave(a, 0, "no") == MZ_STORE_FENCED, "who has no token cannot commit");
	a->memory[0] = a->memory[1] = 0;
	check(enter(a, 0, NULL) == MZ_STORE_OK && mz_store_forgo(a->store) == MZ_STORE_OK &&
	          enter(b, 0, NULL) == MZ_STORE_OK,
	      "who forgoes hands on");
	static uint8_t much[17 << 20];
	struct mz_change changes[32];
	for (int i = 0; i < 32; i++) changes[i] = (struct mz_change){0, much, 1 << 20};
	check(mz_store_leave(b->store, changes, 32) == MZ_STORE_TOO_LARGE, "too much is refused");
	check(mz_store_leave(b->store, NULL, 0) == MZ_STORE_OK, "nothing need be changed");
	check(mz_store_leave(b->store, NULL, 0) == MZ_STORE_FENCED, "the token is given back once");
}

static void try_deaths(struct copy *a, struct copy *b, struct copy *c)
{
	size_t dead;
	join(c);
	uint32_t gone = mz_store_member(c->store);
	for (int i = 0; i < 8; i++) {
		sleep_ms(LEASE / 4);
		mz_store_beat(a->store);
		mz_store_beat(b->store);
	}
	const struct mz_store_dead *told;
	check(mz_store_enter(a->store, 0, &told) == MZ_STORE_OK && told->count == 1 && told->members[0] == gone,
	      "one that died is told of");
	check(mz_store_forgo(a->store) == MZ_STORE_OK && enter(b, 0, &dead) == MZ_STORE_OK && dead == 1,
	      "again if that was not dealt with");
	check(mz_store_leave(b->store, NULL, 0) == MZ_STORE_OK && enter(a, 0, &dead) == MZ_STORE_OK && dead == 0,
	      "and not again");
	/* a has the token; somebody dies meanwhile, which b notices when it tries to enter */
	struct copy late = open_copy();
	join(&late);
	for (int i = 0; i < 8; i++) {
		sleep_ms(LEASE / 4);
		mz_store_beat(a->store);
		mz_store_beat(b->store);
	}
	check(enter(b, 0, NULL) == MZ_STORE_BUSY && mz_store_leave(a->store, NULL, 0) == MZ_STORE_OK,
	      "who has not been told leaves");
	check(enter(a, 0, &dead) == MZ_STORE_OK && dead == 1 && mz_store_leave(a->store, NULL, 0) == MZ_STORE_OK,
	      "the next one is told");
	mz_store_close(late.store);
	free(late.memory);
	check(enter(a, 0, &dead) == MZ_STORE_OK && dead == 0, "once");
	/* a has the token, and is silent */
	for (int i = 0; i < 8; i++) {
		sleep_ms(LEASE / 4);
		mz_store_beat(b->store);
	}
	check(enter(b, 0, &dead) == MZ_STORE_OK && dead == 1, "a silent holder loses the token");
	check(leave(a, 0, "no") == MZ_STORE_EXPIRED, "and cannot commit");
	check(leave(b, 0, "yes") == MZ_STORE_OK, "but the next one can");
	check(mz_store_beat(c->store) == MZ_STORE_EXPIRED && mz_store_pull(a->store) == MZ_STORE_EXPIRED,
	      "the dead are told that they are");
	join(a);
	check(has(a, 0, "yes") && has(a, 100, "hello"), "and join again");
	sleep_ms(4 * LEASE);
	check(enter(b, 0, &dead) == MZ_STORE_OK && dead == 0 && mz_store_leave(b->store, NULL, 0) == MZ_STORE_OK &&
	          mz_store_beat(a->store) == MZ_STORE_OK,
	      "while all are silent nobody dies");
}

static void try_snapshots(struct copy *a, struct copy *b, struct copy *c)
{
	uint64_t before = mz_store_log_size(a->store);
	check(before > 0 && mz_store_snapshot(a->store, a->memory, SIZE) == MZ_STORE_OK &&
	          mz_store_log_size(a->store) == 0,
	      "a snapshot takes the place of the log");
	check(mz_store_snapshot(b->store, b->memory, SIZE) == MZ_STORE_OK && mz_store_log_size(b->store) == 0,
	      "a second one is none");
	join(c);
	check(memcmp(c->memory, a->memory, SIZE) == 0, "a new member loads it");
	for (int i = 0; i < 20; i++) {
		char text[32];
		snprintf(text, sizeof text, "change %d", i);
		check(enter(a, 0, NULL) == MZ_STORE_OK && leave(a, (uint64_t)i * 100000, text) == MZ_STORE_OK, text);
	}
	/* the last bytes become zero, and are no part of the snapshot */
	struct mz_change change = {SIZE - 3, "\0\0\0", 3};
	memset(a->memory + SIZE - 3, 0, 3);
	check(enter(a, 0, NULL) == MZ_STORE_OK && mz_store_leave(a->store, &change, 1) == MZ_STORE_OK,
	      "change the end again");
	check(mz_store_snapshot(a->store, a->memory, SIZE - 3) == MZ_STORE_OK, "a smaller snapshot");
	check(mz_store_pull(c->store) == MZ_STORE_OK && memcmp(c->memory, a->memory, SIZE) == 0,
	      "one that was behind gets it when it pulls");
	check(enter(b, 0, NULL) == MZ_STORE_OK && memcmp(b->memory, a->memory, SIZE) == 0 &&
	          leave(b, 7, "b") == MZ_STORE_OK,
	      "or when it enters");
	check(has(c, 7, "b") && has(a, 7, "b"), "and goes on from there");
}

static void use_record(void *self, struct mz_bytes record)
{
	uint64_t *sum = self;
	*sum = *sum * 31 + record.size;
}

static void use_field(void *self, struct mz_bytes field, struct mz_bytes value)
{
	uint64_t *sum = self;
	*sum += field.size == 10 && memcmp(field.at, "executions", 10) == 0 && value.size == 2 &&
	        memcmp(value.at, "17", 2) == 0;
}

static void try_records(struct copy *a, struct copy *b)
{
	uint64_t sum = 0, count, told = 0;
	for (uint8_t i = 0; i < 5; i++)
		check(mz_store_record(i % 2 ? a->store : b->store, "finding", (struct mz_bytes){b->memory, i}) ==
		          MZ_STORE_OK,
		      "record");
	check(mz_store_records(a->store, "finding", 2, use_record, &sum, &count) == MZ_STORE_OK && count == 3 &&
	          sum == (2 * 31 + 3) * 31 + 4,
	      "records come in their order");
	check(mz_store_records(a->store, "other", 0, use_record, &sum, &count) == MZ_STORE_OK && count == 0,
	      "there are none of another kind");
	check(mz_store_tell(a->store, "executions", (struct mz_bytes){(const uint8_t *)"16", 2}) == MZ_STORE_OK &&
	          mz_store_tell(a->store, "executions", (struct mz_bytes){(const uint8_t *)"17", 2}) == MZ_STORE_OK &&
	          mz_store_status(b->store, use_field, &told) == MZ_STORE_OK && told == 1,
	      "the status has what was told last");
}

static void try_ends(struct copy *a, struct copy *b, struct copy *c)
{
	check(mz_store_ended(a->store) == NULL, "the run has not ended");
	check(enter(c, 0, NULL) == MZ_STORE_OK, "one has the token");
	const struct mz_bytes none = {(const uint8_t *)"", 0};
	check(mz_store_stop(a->store, "explored", none) == MZ_STORE_OK &&
	          mz_store_stop(b->store, "other", none) == MZ_STORE_OK,
	      "stop");
	check(enter(b, 1000, NULL) == MZ_STORE_ENDED && strcmp(mz_store_ended(b->store), "explored") == 0,
	      "who enters sees the first reason");
	check(leave(c, 8, "c") == MZ_STORE_OK && strcmp(mz_store_ended(c->store), "explored") == 0,
	      "who has the token may leave");
	check(has(a, 8, "c"), "which all see");
	check(mz_store_depart(c->store) == MZ_STORE_OK, "depart");
	check(mz_store_remove(a->store) == MZ_STORE_OK && mz_store_pull(b->store) == MZ_STORE_ABSENT,
	      "the run is removed");
}

static int open_only(void)
{
	struct mz_store_error error;
	struct mz_store *store =
	    mz_store_open(url, &(struct mz_store_options){.timeout = 500, .patience = 1000}, &error);
	if (!store) printf("refused: %s\n", error.text);
	if (store) printf("opened, warning: %s\n", mz_store_warning(store) ? mz_store_warning(store) : "none");
	printf("password in the environment: %s\n", getenv("MAZURKA_REDIS_PASSWORD") ? "yes" : "no");
	mz_store_close(store);
	return 0;
}

int main(int argc, char **argv)
{
	url = argv[argc - 1];
	if (argc == 3) return open_only();
	struct copy a = open_copy(), b = open_copy(), c = open_copy();
	try_run(&a, &b);
	join(&a);
	join(&b);
	try_changes(&a, &b);
	try_deaths(&a, &b, &c);
	try_snapshots(&a, &b, &c);
	try_records(&a, &b);
	try_ends(&a, &b, &c);
	for (int i = 0; i < 3; i++) {
		struct copy *copy = i == 0 ? &a : i == 1 ? &b : &c;
		mz_store_close(copy->store);
		free(copy->memory);
	}
	return failures > 0;
}
