/* SPDX-License-Identifier: MIT
 *
 * A log for programs with many threads. Whoever logs formats a record into a ring and goes on; a thread in the
 * background hands the records to sinks, in order. Records have a level and a category; what is below the category's
 * level is not even formatted.
 *
 *     log *log = log_open(&(log_options){.capacity = 256});
 *     log_add_sink(log, log_file_sink(stderr));
 *     log_write(log, LOG_INFO, "net", "%d connections", n);
 *     log_close(log);
 */
#ifndef LOG_H
#define LOG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { LOG_TEXT = 120, LOG_CATEGORY = 12, LOG_CATEGORIES = 16 };

typedef enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARNING, LOG_ERROR, LOG_NOTHING } log_level;

typedef struct log_record {
	uint64_t number; /* from 1, without gaps */
	log_level level;
	char category[LOG_CATEGORY];
	char text[LOG_TEXT]; /* cut off if it was longer */
} log_record;

/* Where records go. Its functions are called by one thread at a time; any may be NULL but the first. */
typedef struct log_sink {
	void (*write)(void *context, const log_record *record);
	void (*flush)(void *context);
	void (*close)(void *context); /* the last call */
	void *context;
} log_sink;

typedef struct log_options {
	size_t capacity;         /* records in the ring; 0: a good number of them */
	bool drop;               /* if there is no room: forget the record instead of waiting */
	log_level least;         /* for categories of which nothing else was said */
	uint64_t (*clock)(void); /* if set, each record begins with its time */
} log_options;

typedef struct log log;

/* NULL if there is no memory, or no thread. */
log *log_open(const log_options *options);

/* Writes what is there, closes all sinks, and ends. Nobody may use the log any more. */
void log_close(log *log);

/* A number by which the sink can be removed, or -1. It gets what is written from now on. */
int log_add_sink(log *log, log_sink sink);

/* Closes the sink: nobody uses it any more when this returns. */
void log_remove_sink(log *log, int number);

/* False if there are too many categories. */
bool log_set_level(log *log, const char *category, log_level least);
bool log_is_enabled(log *log, log_level level, const char *category);

/* Whether the record is on its way. */
bool log_write(log *log, log_level level, const char *category, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool log_vwrite(log *log, log_level level, const char *category, const char *format, va_list arguments);

/* Returns when all that was logged before is written, and the sinks are flushed. */
void log_flush(log *log);

/* How many records were forgotten for lack of room. */
uint64_t log_dropped(log *log);

/* To a stream, which is left open. */
log_sink log_file_sink(FILE *file);

const char *log_level_name(log_level level);

#endif
