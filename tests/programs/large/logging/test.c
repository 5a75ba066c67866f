/* SPDX-License-Identifier: MIT
 *
 * A logging library, and what may go wrong with it. The counts are those on which all strategies agree.
 *
 * sources: log.c
 * builds: clang-O0
 *
 * variant: close
 * arguments: close
 * expect: optimal 8
 *
 * variant: end-before-last
 * arguments: close
 * flags: -DWRONG_END_BEFORE_LAST
 * expect: optimal 8
 * findings: assertion @closed
 *
 * variant: flush
 * arguments: flush
 * expect: optimal 36
 *
 * variant: flush-of-some
 * arguments: flush
 * flags: -DWRONG_FLUSH_OF_SOME
 * expect: optimal 16
 * findings: assertion @flushed
 *
 * variant: room
 * arguments: room
 * expect: optimal 112
 *
 * variant: remove
 * arguments: remove
 * expect: optimal 14
 *
 * variant: sinks-copied
 * arguments: remove
 * flags: -DWRONG_SINKS_COPIED
 * expect: optimal 14
 * findings: data-race @write|@flush|@free
 *
 * variant: level
 * arguments: level
 * expect: optimal 18
 */
#include "log.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A sink that keeps what it gets. */
struct memory {
	int written, flushed;
	log_record last;
};

static void memory_write(void *context, const log_record *record)
{
	struct memory *memory = context;
	memory->written++; /* @write */
	memory->last = *record;
}

static void memory_flush(void *context)
{
	struct memory *memory = context;
	memory->flushed = memory->written; /* @flush */
}

static log_sink memory_sink(struct memory *memory)
{
	return (log_sink){.write = memory_write, .flush = memory_flush, .context = memory};
}

/* Every record is written by the end, in order. */
static void test_close(void)
{
	struct memory memory = {0};
	log *log = log_open(&(log_options){.capacity = 2});
	assert(log_add_sink(log, memory_sink(&memory)) == 0);
	assert(log_write(log, LOG_INFO, "test", "number %d", 1));
	log_close(log);
	assert(memory.written == 1 && memory.flushed == 1); /* @closed */
	assert(memory.last.number == 1 && strcmp(memory.last.text, "number 1") == 0);
}

/* What was logged before is there when flushing is over. */
static void test_flush(void)
{
	struct memory memory = {0};
	log *log = log_open(&(log_options){.capacity = 2});
	log_add_sink(log, memory_sink(&memory));
	log_write(log, LOG_ERROR, "test", "now");
	log_flush(log);
	assert(memory.flushed == 1); /* @flushed */
	log_close(log);
}

/* With room for one record, and two of them, the second waits; or is forgotten, and that is told. */
static void test_room(void)
{
	struct memory memory = {0};
	log *log = log_open(&(log_options){.capacity = 1, .drop = true});
	log_add_sink(log, memory_sink(&memory));
	int accepted = log_write(log, LOG_INFO, "test", "first") + log_write(log, LOG_INFO, "test", "second");
	int dropped = (int)log_dropped(log);
	log_close(log);
	assert(accepted + dropped == 2);
	assert(memory.written >= accepted && memory.written <= accepted + 1);
}

static void free_memory(void *context)
{
	free(context); /* @free */
}

/* A sink that is removed is not used any more: its memory can go. */
static void test_remove(void)
{
	struct memory *memory = calloc(1, sizeof *memory);
	log_sink sink = memory_sink(memory);
	sink.close = free_memory;
	log *log = log_open(&(log_options){.capacity = 1});
	int number = log_add_sink(log, sink);
	log_write(log, LOG_INFO, "test", "last words");
	log_remove_sink(log, number);
	log_close(log);
}

static log *shared;

static void *say(void *text)
{
	log_write(shared, LOG_DEBUG, "noise", "%s", (const char *)text);
	return NULL;
}

/* A level that is set while others log: each record is there or not, as a whole. */
static void test_level(void)
{
	struct memory memory = {0};
	pthread_t thread;
	shared = log_open(&(log_options){.capacity = 2, .least = LOG_DEBUG});
	log_add_sink(shared, memory_sink(&memory));
	pthread_create(&thread, NULL, say, "hum");
	assert(log_set_level(shared, "noise", LOG_WARNING));
	assert(!log_write(shared, LOG_INFO, "noise", "not this"));
	pthread_join(thread, NULL);
	log_close(shared);
	assert(memory.written == 0 || strcmp(memory.last.text, "hum") == 0);
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {
    {"close", test_close}, {"flush", test_flush}, {"room", test_room}, {"remove", test_remove}, {"level", test_level},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
		if (argc < 2 || strcmp(argv[1], tests[i].name) == 0) tests[i].run();
	return 0;
}
