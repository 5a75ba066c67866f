/* SPDX-License-Identifier: MIT
 *
 * `mutex` guards the ring and the numbers beside it. Records are known by their numbers: `taken` have been put into the
 * ring, `written` of them have left it, for all sinks. A record's place in the ring is free when it has been written,
 * so the thread in the background writes from the ring itself, without the mutex.
 *
 * `sinks_mutex` is held while sinks are called, and to change the table of sinks; never together with `mutex`.
 *
 * Levels are atomic: everybody reads them for every record.
 */
#include "log.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SINKS = 8, GOOD_CAPACITY = 1024 };

struct category {
	char name[LOG_CATEGORY];
	atomic_int least;
};

struct slot {
	log_sink sink;
	bool used;
};

struct log {
	log_options options;
	pthread_mutex_t mutex;
	pthread_cond_t filled, emptied; /* records came, or are written */
	uint64_t taken, written;
	uint64_t wanted; /* by log_flush(): the sinks are to be flushed when so many are written */
	uint64_t flushed;
	uint64_t dropped, told; /* and how many of those were mentioned in the log */
	bool closing;
	pthread_t thread;

	pthread_mutex_t sinks_mutex;
	struct slot sinks[SINKS];

	atomic_int ncategories;
	struct category categories[LOG_CATEGORIES];
	pthread_mutex_t categories_mutex; /* to add one */

	log_record ring[];
};

static log_record *record_at(log *log, uint64_t number)
{
	return &log->ring[(number - 1) % log->options.capacity];
}

/* ---- levels ---- */

static struct category *find_category(log *log, const char *name)
{
	int n = atomic_load_explicit(&log->ncategories, memory_order_acquire);
	for (int i = 0; i < n; i++)
		if (strncmp(log->categories[i].name, name, LOG_CATEGORY - 1) == 0) return &log->categories[i];
	return NULL;
}

static void copy_name(char to[LOG_CATEGORY], const char *from)
{
	size_t length = strnlen(from, LOG_CATEGORY - 1);
	memcpy(to, from, length);
	to[length] = 0;
}

/* A category is complete before it is counted, and stays. */
static struct category *add_category(log *log, const char *name)
{
	int n = atomic_load_explicit(&log->ncategories, memory_order_relaxed);
	if (n == LOG_CATEGORIES) return NULL;
	struct category *category = &log->categories[n];
	copy_name(category->name, name);
	atomic_store_explicit(&category->least, (int)log->options.least, memory_order_relaxed);
	atomic_store_explicit(&log->ncategories, n + 1, memory_order_release);
	return category;
}

bool log_set_level(log *log, const char *name, log_level least)
{
	pthread_mutex_lock(&log->categories_mutex);
	struct category *category = find_category(log, name);
	if (!category) category = add_category(log, name);
	if (category) atomic_store_explicit(&category->least, (int)least, memory_order_relaxed);
	pthread_mutex_unlock(&log->categories_mutex);
	return category != NULL;
}

bool log_is_enabled(log *log, log_level level, const char *name)
{
	struct category *category = find_category(log, name);
	int least = category ? atomic_load_explicit(&category->least, memory_order_relaxed) : (int)log->options.least;
	return (int)level >= least && level < LOG_NOTHING;
}

const char *log_level_name(log_level level)
{
	static const char *const names[] = {"debug", "info", "warning", "error", "nothing"};
	return level <= LOG_NOTHING ? names[level] : "?";
}

/* ---- records ---- */

static void format_record(log *log, log_record *record, const char *format, va_list arguments)
{
	int length = 0;
	if (log->options.clock)
		length = snprintf(record->text, LOG_TEXT, "%llu ", (unsigned long long)log->options.clock());
	vsnprintf(record->text + length, (size_t)(LOG_TEXT - length), format, arguments);
}

/* With the mutex. The next place, or NULL if the record has to be forgotten. */
static log_record *await_room(log *log)
{
	while (log->taken - log->written == log->options.capacity) {
		if (log->options.drop) {
			log->dropped++;
			return NULL;
		}
		pthread_cond_wait(&log->emptied, &log->mutex);
	}
	return record_at(log, log->taken + 1);
}

static void put(log *log, log_record *place, const log_record *record)
{
	*place = *record;
	place->number = ++log->taken;
	pthread_cond_signal(&log->filled);
}

bool log_vwrite(log *log, log_level level, const char *category, const char *format, va_list arguments)
{
	if (!log_is_enabled(log, level, category)) return false;
	log_record record = {.level = level};
	copy_name(record.category, category);
	format_record(log, &record, format, arguments);
	pthread_mutex_lock(&log->mutex);
	log_record *place = await_room(log);
	if (place) put(log, place, &record);
	pthread_mutex_unlock(&log->mutex);
	return place != NULL;
}

bool log_write(log *log, log_level level, const char *category, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	bool written = log_vwrite(log, level, category, format, arguments);
	va_end(arguments);
	return written;
}

uint64_t log_dropped(log *log)
{
	pthread_mutex_lock(&log->mutex);
	uint64_t dropped = log->dropped;
	pthread_mutex_unlock(&log->mutex);
	return dropped;
}

void log_flush(log *log)
{
	pthread_mutex_lock(&log->mutex);
#ifdef WRONG_FLUSH_OF_SOME
	uint64_t wanted = log->written; /* of what there is in the ring somebody takes care already */
#else
	uint64_t wanted = log->taken;
#endif
	if (log->wanted < wanted) log->wanted = wanted;
	pthread_cond_signal(&log->filled);
	while (log->flushed < wanted) pthread_cond_wait(&log->emptied, &log->mutex);
	pthread_mutex_unlock(&log->mutex);
}

/* ---- the thread ---- */

/* What there is to do next. */
struct work {
	uint64_t from, to; /* records to write, if any */
	bool flush;
	bool end;
};

/* A word about records that were forgotten, as soon as there is room for it. */
static void tell_dropped(log *log)
{
	if (log->dropped == log->told || log->taken - log->written == log->options.capacity) return;
	log_record record = {.level = LOG_WARNING, .category = "log"};
	snprintf(record.text, LOG_TEXT, "%llu records lost", (unsigned long long)(log->dropped - log->told));
	log->told = log->dropped;
	put(log, record_at(log, log->taken + 1), &record);
}

static struct work next_work(log *log)
{
	pthread_mutex_lock(&log->mutex);
	tell_dropped(log);
	while (log->taken == log->written && log->wanted <= log->flushed && !log->closing)
		pthread_cond_wait(&log->filled, &log->mutex);
	struct work work = {.from = log->written + 1, .to = log->taken};
	work.flush = log->wanted > log->flushed;
#ifdef WRONG_END_BEFORE_LAST
	work.end = log->closing;
#else
	work.end = log->closing && work.from > work.to && !work.flush;
#endif
	pthread_mutex_unlock(&log->mutex);
	return work;
}

static void write_to_sink(log *log, const log_sink *sink, const struct work *work)
{
	for (uint64_t number = work->from; number <= work->to; number++)
		sink->write(sink->context, record_at(log, number));
	if (work->flush && sink->flush) sink->flush(sink->context);
}

static void write_to_sinks(log *log, const struct work *work)
{
#ifdef WRONG_SINKS_COPIED
	/* Sinks may be slow: nobody should wait for them. */
	struct slot sinks[SINKS];
	pthread_mutex_lock(&log->sinks_mutex);
	memcpy(sinks, log->sinks, sizeof sinks);
	pthread_mutex_unlock(&log->sinks_mutex);
	for (int i = 0; i < SINKS; i++)
		if (sinks[i].used) write_to_sink(log, &sinks[i].sink, work);
#else
	pthread_mutex_lock(&log->sinks_mutex);
	for (int i = 0; i < SINKS; i++)
		if (log->sinks[i].used) write_to_sink(log, &log->sinks[i].sink, work);
	pthread_mutex_unlock(&log->sinks_mutex);
#endif
}

static void done(log *log, const struct work *work)
{
	pthread_mutex_lock(&log->mutex);
	log->written = work->to;
	if (work->flush) log->flushed = work->to;
	pthread_cond_broadcast(&log->emptied);
	pthread_mutex_unlock(&log->mutex);
}

static void *run(void *argument)
{
	log *log = argument;
	for (;;) {
		struct work work = next_work(log);
		if (work.end) return NULL;
		write_to_sinks(log, &work);
		done(log, &work);
	}
}

/* ---- sinks ---- */

int log_add_sink(log *log, log_sink sink)
{
	int number = -1;
	pthread_mutex_lock(&log->sinks_mutex);
	for (int i = 0; i < SINKS && number < 0; i++)
		if (!log->sinks[i].used) number = i;
	if (number >= 0) {
		log->sinks[number].sink = sink;
		log->sinks[number].used = true;
	}
	pthread_mutex_unlock(&log->sinks_mutex);
	return number;
}

static void close_sink(log *log, int number)
{
	log_sink *sink = &log->sinks[number].sink;
	if (!log->sinks[number].used) return;
	log->sinks[number].used = false;
	if (sink->flush) sink->flush(sink->context);
	if (sink->close) sink->close(sink->context);
}

void log_remove_sink(log *log, int number)
{
	if (number < 0 || number >= SINKS) return;
	pthread_mutex_lock(&log->sinks_mutex);
	close_sink(log, number);
	pthread_mutex_unlock(&log->sinks_mutex);
}

static void file_write(void *file, const log_record *record)
{
	fprintf(file, "%s %s: %s\n", log_level_name(record->level), record->category, record->text);
}

static void file_flush(void *file)
{
	fflush(file);
}

log_sink log_file_sink(FILE *file)
{
	return (log_sink){.write = file_write, .flush = file_flush, .context = file};
}

/* ---- the whole ---- */

static void destroy(log *log)
{
	pthread_mutex_destroy(&log->categories_mutex);
	pthread_mutex_destroy(&log->sinks_mutex);
	pthread_cond_destroy(&log->emptied);
	pthread_cond_destroy(&log->filled);
	pthread_mutex_destroy(&log->mutex);
	free(log);
}

log *log_open(const log_options *options)
{
	size_t capacity = options->capacity ? options->capacity : GOOD_CAPACITY;
	log *log = calloc(1, sizeof *log + capacity * sizeof log->ring[0]);
	if (!log) return NULL;
	log->options = *options;
	log->options.capacity = capacity;
	pthread_mutex_init(&log->mutex, NULL);
	pthread_cond_init(&log->filled, NULL);
	pthread_cond_init(&log->emptied, NULL);
	pthread_mutex_init(&log->sinks_mutex, NULL);
	pthread_mutex_init(&log->categories_mutex, NULL);
	if (pthread_create(&log->thread, NULL, run, log) == 0) return log;
	destroy(log);
	return NULL;
}

void log_close(log *log)
{
	pthread_mutex_lock(&log->mutex);
	log->closing = true;
	pthread_cond_signal(&log->filled);
	pthread_mutex_unlock(&log->mutex);
	pthread_join(log->thread, NULL);
	for (int i = 0; i < SINKS; i++) close_sink(log, i);
	destroy(log);
}
