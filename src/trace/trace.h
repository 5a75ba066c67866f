/* SPDX-License-Identifier: MIT
 *
 * A recorded execution, everything in it named: what `mazurka show` prints and `mazurka replay` follows. The file
 * format (docs/TRACE-FORMAT.md) is text, one line per item, versioned.
 */
#ifndef MZ_TRACE_TRACE_H
#define MZ_TRACE_TRACE_H

#include "configuration/configuration.h"
#include "trace/event.h"
#include "trace/finding.h"
#include <stddef.h>
#include <stdio.h>

#define MZ_TRACE_VERSION 1
#define MZ_TRACE_FILES 10 /* the files come before the option of this place in configuration/configuration.h */

/* A place in the source. Every string of a trace comes from mz_alloc(). Any string may be NULL when unknown; line 0 is
 * unknown. */
struct mz_place {
	char *function;
	char *file;
	uint32_t line;
};

/* Thread 0 is main: no parent, nth 0. A later one without a parent is a number that this execution did not use. */
struct mz_trace_thread {
	uint32_t parent; /* less than its own number; MZ_NO_THREAD for main */
	uint32_t nth;    /* the parent's n-th child, from 1 */
	char *function;  /* that it runs */
};

struct mz_trace_step {
	struct mz_step step;
	uint32_t alternatives;
	enum mz_op op;
	enum mz_access_kind kind; /* what it turned out to be */
	bool preemption;
	bool has_value;
	uint32_t length; /* bytes touched, which are those of the value; 0 if unknown */
	uint64_t value;
	char *object; /* name, NULL if it touches none */
	struct mz_place place;
};

struct mz_trace_detail {
	char *text;
	struct mz_place place;
};

struct mz_trace_finding {
	enum mz_finding_kind kind;
	uint32_t thread; /* or MZ_NO_THREAD */
	uint32_t step;   /* how many steps had been executed */
	char *message;
	struct mz_place place;
	struct mz_trace_detail *details;
	size_t ndetails;
};

struct mz_trace {
	char **program;                        /* path and arguments, NULL-terminated */
	char *identity;                        /* of the program file; replay refuses another one */
	struct mz_configuration configuration; /* of the run; in a file, the options that have a key */
	char **files;       /* that threads share, see runtime/shared_file.h; NULL-terminated, or NULL: none */
	bool cancels;       /* threads looked for being cancelled, */
	bool signals;       /* and for signals: some execution of the run asked for it */
	uint64_t execution; /* the n-th of the run that found it, from 1 */
	uint32_t check;     /* the n-th mz_check() of the program, from 1; 0: the whole program */
	uint32_t preemptions;
	struct mz_trace_thread *threads;
	size_t nthreads;
	struct mz_trace_step *steps;
	size_t nsteps;
	struct mz_trace_finding *findings; /* the one the trace was written for is the first */
	size_t nfindings;
};

/* Frees what the trace holds and leaves it empty: all zero, as one starts. */
void mz_trace_release(struct mz_trace *trace);

/* A copy of the program's path and arguments, and of any string (NULL stays NULL: ask beforehand). -1 and NULL when
 * there is no memory. */
int mz_trace_set_program(struct mz_trace *trace, char *const *argv);
char *mz_trace_string(const char *text);

/* One more of each, all zero but for threads (absent) and alternatives (1); NULL when there is no memory. The pointer
 * is good until the next one is added. */
struct mz_trace_thread *mz_trace_add_thread(struct mz_trace *trace);
struct mz_trace_step *mz_trace_add_step(struct mz_trace *trace);
struct mz_trace_finding *mz_trace_add_finding(struct mz_trace *trace);
struct mz_trace_detail *mz_trace_add_detail(struct mz_trace_finding *finding);

/* What is wrong with the trace that it cannot be written, or NULL. */
const char *mz_trace_check(const struct mz_trace *trace);

/* 0, or -1 with errno set: EINVAL if mz_trace_check() has something to say. What is written is read back as the same
 * trace, and written again byte for byte the same. */
int mz_trace_write(const struct mz_trace *trace, FILE *out);

/* Reads a whole trace. On failure returns -1, leaves `trace` empty and in `error` one line without a newline that says
 * what is wrong and in which line of the file. What is read is never more than a small multiple of what is there, and
 * satisfies mz_trace_check(). */
int mz_trace_read(struct mz_trace *trace, FILE *in, char *error, size_t error_size);

/* The word for a kind of access, and back; mz_access_kind_from_name() returns -1 for what is none. */
const char *mz_access_kind_name(enum mz_access_kind kind);
int mz_access_kind_from_name(const char *name);

/* "main/2/1": the path of a thread; "?" for none. A long one keeps its end. Returns `buffer`. */
const char *mz_trace_thread_name(const struct mz_trace *trace, uint32_t thread, char *buffer, size_t size);

#endif
