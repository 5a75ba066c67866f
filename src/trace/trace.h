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
/* in the file, shared files are listed before the option of this place in configuration/configuration.h */
#define MZ_TRACE_FILES 10

/* A place in the source. Every string of a trace comes from mz_alloc(). A string that is unknown is NULL, a line that
 * is unknown is 0. */
struct mz_place {
	char *function;
	char *file;
	uint32_t line;
};

/* A thread. Thread 0 is main, with no parent and nth 0. Another thread without a parent is a number that this execution
 * did not use. */
struct mz_trace_thread {
	uint32_t parent; /* less than its own number; MZ_NO_THREAD for main */
	uint32_t nth;    /* the parent's n-th child, from 1 */
	char *function;  /* the function that the thread runs */
};

/* An input that is explored: an object that a thread has marked with mz_symbolic(), and the bytes that it got. */
struct mz_trace_input {
	uint32_t thread; /* the thread that marked it; MZ_NO_THREAD: an argument or standard input, see event.h */
	uint32_t nth;    /* how many inputs that thread had marked before */
	char *name;
	uint8_t *bytes; /* from mz_alloc(); NULL if there are none */
	size_t size;
	char *text; /* the bytes as the object's type has them; NULL if that is not known */
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
	char *object; /* name of the object; NULL if the step touches none */
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
	size_t ndetails, details_capacity;
};

struct mz_trace {
	char **program;                        /* path and arguments, NULL-terminated */
	char *identity;                        /* identity of the program file; replay refuses another one */
	struct mz_configuration configuration; /* the options of the run; those that have a key are in the file */
	/* files that threads share, see runtime/channels/shared_file.h; NULL-terminated, or NULL: none */
	char **files;
	bool cancels; /* threads looked for cancellations: some execution of the run had one */
	bool signals; /* threads looked for signals: some execution of the run sent one */
	bool exits;   /* ends of the process were steps: in some execution of the run two threads asked for it */
	bool
	    ignored; /* sending a signal looked whether it is ignored: in some execution of the run one was, or became so */
	bool
	    handlers; /* uses of the list of exit handlers were steps: in some execution of the run threads shared it */
	/* the signals that some execution of the run sent to the process: a bit by number, bit 0 for 64 */
	uint64_t process_signals;
	uint64_t execution; /* this is the n-th execution of the run that found it, from 1 */
	uint32_t check;     /* it was explored by the n-th mz_check() of the program, from 1; 0: the whole program */
	uint32_t preemptions;
	struct mz_trace_thread *threads;
	size_t nthreads, threads_capacity;
	struct mz_trace_input *inputs; /* in the order in which executions of the run first marked them */
	size_t ninputs, inputs_capacity;
	struct mz_trace_step *steps;
	size_t nsteps, steps_capacity;
	struct mz_trace_finding *findings; /* the first is the one that the trace was written for */
	size_t nfindings, findings_capacity;
};

/* Frees what the trace holds and leaves it empty, which is all zero. A trace that is all zero is ready for use. */
void mz_trace_release(struct mz_trace *trace);

/* Copies the program's path and arguments into the trace. Returns 0, or -1 when there is no memory.
 * mz_trace_copy_string() returns a copy of a string; NULL for NULL, and when there is no memory. */
int mz_trace_set_program(struct mz_trace *trace, char *const *argv);
char *mz_trace_copy_string(const char *text);

/* Adds a thread, input, step, finding or detail and returns it, or NULL when there is no memory. It is all zero, but a thread
 * is one that the execution did not use, and a step has 1 alternative. The pointer is valid until the next item of its
 * kind is added. */
struct mz_trace_thread *mz_trace_add_thread(struct mz_trace *trace);
struct mz_trace_input *mz_trace_add_input(struct mz_trace *trace);
struct mz_trace_step *mz_trace_add_step(struct mz_trace *trace);
struct mz_trace_finding *mz_trace_add_finding(struct mz_trace *trace);
struct mz_trace_detail *mz_trace_add_detail(struct mz_trace_finding *finding);

/* Copies an input, and releases what one holds. mz_trace_input_copy() returns 0, or -1 when there is no memory: then
 * `to` is empty. */
int mz_trace_input_copy(struct mz_trace_input *to, const struct mz_trace_input *from);
void mz_trace_input_release(struct mz_trace_input *input);

/* Returns what keeps the trace from being written, in words, or NULL if nothing does. */
const char *mz_trace_check(const struct mz_trace *trace);

/* Writes the trace. Returns 0, or -1 with errno set: EINVAL if mz_trace_check() has something to say. A file that was
 * written is read back as the same trace, and that is written as the same bytes. */
int mz_trace_write(const struct mz_trace *trace, FILE *out);

/* Reads a whole trace. On failure returns -1, leaves `trace` empty and in `error` one line without a newline that says
 * what is wrong and in which line of the file. The trace takes no more memory than a small multiple of the size of the
 * file, and satisfies mz_trace_check(). */
int mz_trace_read(struct mz_trace *trace, FILE *in, char *error, size_t error_size);

/* Return the word for a kind of access, and the kind for a word; mz_access_kind_from_name() returns -1 for an unknown
 * word. */
const char *mz_access_kind_name(enum mz_access_kind kind);
int mz_access_kind_from_name(const char *name);

/* Writes the path of a thread, such as "main/2/1", to `buffer`; "?" for a thread that the trace does not have. If the
 * path does not fit, its end is kept. Returns `buffer`. */
const char *mz_trace_thread_name(const struct mz_trace *trace, uint32_t thread, char *buffer, size_t size);

#endif
