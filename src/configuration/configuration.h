/* SPDX-License-Identifier: MIT
 *
 * What a run is asked to do. One table lists the options; the struct, the defaults, the command line, --help and the
 * head of the trace file come from it. The struct is plain data without pointers: it lies in the memory that processes
 * share (session/session.h), in traces (trace/trace.h) and in subjects (campaign/confirm.h), and is copied as a whole.
 *
 * To add an option, add a line to MZ_CONFIGURATION and use the field of that name.
 */
#ifndef MZ_CONFIGURATION_CONFIGURATION_H
#define MZ_CONFIGURATION_CONFIGURATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MZ_MAX_STEPS 100000000     /* the largest limit on the steps of an execution */
#define MZ_MAX_THREADS 4095        /* the largest limit on the threads that an execution creates */
#define MZ_EXPIRATIONS 1000        /* how often timers expire in an execution if no limit is given */
#define MZ_ANY UINT64_MAX          /* a bound that is not given */
#define MZ_ORDER_UNSAID UINT32_MAX /* no order is given: there is one for programs with inputs, and one for others */
#define MZ_NAME_SIZE 32
#define MZ_FAIL_SIZE 512

/* The value of an option of kind WORD is the number of its word in the table's list. MZ_POINTS_UNSAID is in no list: it
 * leaves the choice to the strategy. */
enum mz_points { MZ_POINTS_SYNC, MZ_POINTS_ALL, MZ_POINTS_UNSAID }; /* the last: not given */
enum mz_heap { MZ_HEAP_FRESH, MZ_HEAP_REUSE };
enum mz_isolation { MZ_ISOLATION_IMAGE, MZ_ISOLATION_PROCESS };
enum mz_volatile { MZ_VOLATILE_PLAIN, MZ_VOLATILE_ATOMIC };
enum mz_checkpoints { MZ_CHECKPOINTS_AUTO, MZ_CHECKPOINTS_ALWAYS, MZ_CHECKPOINTS_NEVER };

/* The table, in the order of --help. Columns of OPTION:
 *
 *     field, kind (enum mz_option_kind), name, what its value is called (of a WORD: the words), default,
 *     least and most (of numbers that are given), key in the trace file (NOT_KEPT, or KEPT(place, key)), help
 *
 * Places are the order of the keys in the trace file, from 1 on without gaps; a key that is empty continues the line of
 * the key before. ALIAS is another name for a field that has its line already. */
#define MZ_CONFIGURATION(OPTION, ALIAS)                                                                                \
	OPTION(strategy, STRATEGY, "--strategy", "NAME", "optimal", 0, 0, NOT_KEPT, "how to search (default optimal)") \
	OPTION(order, ORDER, "--order", "NAME", MZ_ORDER_UNSAID, 0, 0, NOT_KEPT,                                       \
	       "which branch to take first (default dfs; interleaved where inputs are explored)")                      \
	OPTION(sleep, FLAG, "--sleep", NULL, 1, 0, 0, NOT_KEPT,                                                        \
	       "use sleep sets, where the strategy has the choice (default)")                                          \
	ALIAS(sleep, UNFLAG, "--no-sleep", NULL, "do not use sleep sets")                                              \
	OPTION(no_opt, OPTS, "--no-opt", "NAME", 0, 0, 0, NOT_KEPT,                                                    \
	       "switch off this optimisation, where the strategy has it")                                              \
	OPTION(as_published, FLAG, "--as-published", NULL, 0, 0, 0, NOT_KEPT,                                          \
	       "search as the strategy's source prints it, where ours differs; that may miss executions")              \
	OPTION(preemptions, NUMBER, "--preemptions", "K", MZ_ANY, 0, 1000000, NOT_KEPT,                                \
	       "explore only executions with at most K preemptions")                                                   \
	OPTION(iterate, FLAG, "--iterate", NULL, 0, 0, 0, NOT_KEPT,                                                    \
	       "raise that bound from 0 until it leaves nothing out, or up to K")                                      \
	OPTION(fair, NUMBER, "--fair", "K", MZ_ANY, 0, 1000000, NOT_KEPT,                                              \
	       "explore only executions in which a thread that goes is at most K yields ahead of others that could")   \
	OPTION(switches, NUMBER, "--switches", "K", MZ_ANY, 0, 1000000, NOT_KEPT,                                      \
	       "explore only executions with at most K switches between threads, preemptions or not")                  \
	OPTION(delays, NUMBER, "--delays", "D", MZ_ANY, 0, 1000000, NOT_KEPT,                                          \
	       "explore only executions that depart from a fixed scheduler at most D times")                           \
	OPTION(max_depth, NUMBER32, "--max-depth", "N", 0, 1, 100000000, NOT_KEPT,                                     \
	       "explore only executions of at most N steps")                                                           \
	OPTION(prefixes, FLAG, "--prefixes", NULL, 0, 0, 0, NOT_KEPT,                                                  \
	       "cbpor: visit every state on the way, not only complete executions")                                    \
	OPTION(seed, NUMBER, "--seed", "N", 1, 0, UINT64_MAX, KEPT(10, "seed"),                                        \
	       "for random strategies, for --order random, and for the random numbers the program gets (default 1)")   \
	OPTION(depth, NUMBER32, "--depth", "D", 3, 1, 1000, NOT_KEPT,                                                  \
	       "for pct: the depth of bugs it promises to find (default 3)")                                           \
	OPTION(points, WORD, "--points", "sync|all", MZ_POINTS_UNSAID, 0, 0, KEPT(1, "points"),                        \
	       "switch threads at synchronization, or at every access (default sync; all for cartesian and states)")   \
	OPTION(races, UNFLAG, "--no-races", NULL, 1, 0, 0, KEPT(3, "races"), "do not report data races")               \
	OPTION(volatiles, WORD, "--volatile", "plain|atomic", MZ_VOLATILE_PLAIN, 0, 0, KEPT(4, "volatile"),            \
	       "what volatile accesses count as when looking for data races (default plain)")                          \
	OPTION(spins, UNFLAG, "--no-spin", NULL, 1, 0, 0, KEPT(5, "spins"),                                            \
	       "let threads that spin go round, instead of making them wait for a change")                             \
	OPTION(isolation, WORD, "--isolation", "image|process", MZ_ISOLATION_IMAGE, 0, 0, NOT_KEPT,                    \
	       "start over by restoring memory, or with a fresh process for every execution (default image)")          \
	OPTION(heap, WORD, "--heap", "fresh|reuse", MZ_HEAP_FRESH, 0, 0, KEPT(2, "heap"),                              \
	       "never hand out freed memory again within an execution (default), or the last freed first")             \
	OPTION(leaks, FLAG, "--leaks", NULL, 0, 0, 0, KEPT(6, "leaks"),                                                \
	       "report memory that nothing refers to when the program ends")                                           \
	OPTION(thread_leaks, FLAG, "--thread-leaks", NULL, 0, 0, 0, KEPT(7, "thread-leaks"),                           \
	       "report threads that are neither joined nor detached then")                                             \
	OPTION(fail, FAULTS, "--fail", "LIST", "", 0, 0, KEPT(8, "fails"),                                             \
	       "also explore what happens when these calls fail")                                                      \
	OPTION(max_faults, NUMBER32, "--max-faults", "N", 0, 1, UINT32_MAX, KEPT(9, ""),                               \
	       "in an execution, let at most N calls of each thread fail")                                             \
	OPTION(checkpoints, WORD, "--checkpoints", "auto|always|never", MZ_CHECKPOINTS_AUTO, 0, 0, NOT_KEPT,           \
	       "go on from the middle of earlier executions where that is quicker (default auto)")                     \
	OPTION(no_checkpoints, FLAG, "--no-checkpoints", NULL, 0, 0, 0, NOT_KEPT, "the same as --checkpoints never")   \
	OPTION(exact_states, FLAG, "--exact-states", NULL, 0, 0, 0, NOT_KEPT,                                          \
	       "compare states byte by byte, not by hashes of 128 bits")                                               \
	OPTION(jobs, NUMBER32, "--jobs", "N", 1, 0, 64, NOT_KEPT,                                                      \
	       "explore in N processes; 0: one per core (default 1)")                                                  \
	OPTION(max_executions, NUMBER, "--max-executions", "N", 0, 1, UINT64_MAX, NOT_KEPT, "stop after N executions") \
	OPTION(max_steps, NUMBER32, "--max-steps", "N", 100000, 1, MZ_MAX_STEPS, KEPT(11, "max-steps"),                \
	       "end an execution after N steps (default 100000)")                                                      \
	OPTION(max_threads, NUMBER32, "--max-threads", "N", MZ_MAX_THREADS, 1, MZ_MAX_THREADS, NOT_KEPT,               \
	       "give up an execution that creates more than N threads and timers (default 4095)")                      \
	OPTION(max_expirations, NUMBER32, "--max-expirations", "N", MZ_EXPIRATIONS, 1, 60000, NOT_KEPT,                \
	       "give up an execution in which timers expire more than N times (default 1000)")                         \
	OPTION(max_memory, SIZE, "--max-memory", "SIZE", 0, 0, 0, NOT_KEPT,                                            \
	       "limit for known states, remembered graphs or checkpoints: bytes, or like 500M")                        \
	OPTION(timeout, SECONDS, "--timeout", "SECONDS", 0, 0, 0, NOT_KEPT,                                            \
	       "stop after that time; bugs are replayed in a tenth more")                                              \
	OPTION(stall_timeout, SECONDS, "--stall-timeout", "SECONDS", 10, 0, 0, NOT_KEPT,                               \
	       "give up when no step is made for that long (default 10)")                                              \
	OPTION(solver_timeout, SECONDS, "--solver-timeout", "SECONDS", 10, 0, 0, NOT_KEPT,                             \
	       "give up a question about inputs after that time (default 10)")                                         \
	OPTION(max_values, NUMBER32, "--max-values", "N", 1000, 1, UINT32_MAX, NOT_KEPT,                               \
	       "try N values of an index, address or size that depends on inputs (default 1000)")                      \
	OPTION(max_inputs, NUMBER32, "--max-inputs", "N", 1000, 1, 8000, NOT_KEPT,                                     \
	       "give up a path that marks more than N inputs (default 1000)")                                          \
	OPTION(max_input_bytes, NUMBER32, "--max-input-bytes", "N", 65536, 1, 65536, NOT_KEPT,                         \
	       "give up a path whose inputs would make more than N bytes, with those of other paths (default 65536)")  \
	OPTION(max_branches, NUMBER32, "--max-branches", "N", 100000, 1, 1000000, NOT_KEPT,                            \
	       "give up a path after N branches on inputs (default 100000)")                                           \
	OPTION(max_expressions, NUMBER32, "--max-expressions", "N", 16000000, 1000, 16000000, NOT_KEPT,                \
	       "give up paths that need more than N different expressions, with all others (default 16000000)")        \
	OPTION(symbolic_args, PAIR, "--symbolic-args", "N,LEN", {0}, 1, 60000, NOT_KEPT,                               \
	       "give main N further arguments of up to LEN bytes, and explore them")                                   \
	OPTION(symbolic_stdin, NUMBER32, "--symbolic-stdin", "LEN", 0, 1, 60000, NOT_KEPT,                             \
	       "give the program up to LEN bytes of standard input, and explore them")                                 \
	OPTION(keep_going, FLAG, "--keep-going", NULL, 0, 0, 0, NOT_KEPT,                                              \
	       "go on after a bug and report each distinct one")                                                       \
	OPTION(count_traces, FLAG, "--count-traces", NULL, 0, 0, 0, NOT_KEPT,                                          \
	       "count the distinct happens-before graphs")                                                             \
	OPTION(count_local_states, FLAG, "--count-local-states", NULL, 0, 0, 0, NOT_KEPT,                              \
	       "count the distinct local states of threads: a thread's last step with all that happens before it")

/* The number of lines in the table. */
#define MZ_EACH_LINE(...) +1
enum { MZ_CONFIGURATION_LINES = MZ_CONFIGURATION(MZ_EACH_LINE, MZ_EACH_LINE) };

/* Kinds of options, and the types of their fields. */
enum mz_option_kind {
	MZ_OPTION_FLAG,     /* takes no value and sets the field to 1 */
	MZ_OPTION_UNFLAG,   /* takes no value and sets the field to 0 */
	MZ_OPTION_NUMBER,   /* a whole number from `least` to `most` */
	MZ_OPTION_NUMBER32, /* the same, in 32 bits */
	MZ_OPTION_PAIR,     /* two whole numbers from `least` to `most`, separated by a comma */
	MZ_OPTION_SIZE,     /* a number of bytes; 0: no limit */
	MZ_OPTION_SECONDS,  /* 0: no limit */
	MZ_OPTION_WORD,     /* the number of one of the words in `value`, which are separated by | */
	MZ_OPTION_STRATEGY, /* the name of a strategy */
	MZ_OPTION_ORDER,    /* enum mz_order of engine/options.h */
	MZ_OPTION_OPTS,     /* bits of enum mz_opt of engine/options.h */
	MZ_OPTION_FAULTS,   /* names of trace/fault.h, separated by commas; empty: none */
	MZ_OPTION_TEXT,     /* the string as it was given; the field is a pointer, so it is not in a configuration */
};

#define MZ_FIELD_FLAG(field) uint32_t field;
#define MZ_FIELD_UNFLAG(field) uint32_t field;
#define MZ_FIELD_NUMBER(field) uint64_t field;
#define MZ_FIELD_NUMBER32(field) uint32_t field;
#define MZ_FIELD_PAIR(field) struct mz_argument_shape field;
#define MZ_FIELD_SIZE(field) uint64_t field;
#define MZ_FIELD_SECONDS(field) double field;
#define MZ_FIELD_WORD(field) uint32_t field;
#define MZ_FIELD_STRATEGY(field) char field[MZ_NAME_SIZE];
#define MZ_FIELD_ORDER(field) uint32_t field;
#define MZ_FIELD_OPTS(field) uint32_t field;
#define MZ_FIELD_FAULTS(field) char field[MZ_FAIL_SIZE];

/* So many of that size. */
struct mz_argument_shape {
	uint32_t count;
	uint32_t size;
};

struct mz_configuration {
#define OPTION(field, kind, ...) MZ_FIELD_##kind(field)
#define ALIAS(...)
	MZ_CONFIGURATION(OPTION, ALIAS)
#undef OPTION
#undef ALIAS
	/* Derived from the options by mz_configuration_complete() of campaign/configure.h. */
	uint64_t faults;    /* the calls that `fail` names: a bit for each of trace/fault.h */
	uint32_t livelocks; /* an execution that reaches max_steps is a finding (livelock) */
};

/* One line of the table. */
struct mz_option {
	const char *name;
	enum mz_option_kind kind;
	size_t offset;     /* offset of the field in struct mz_configuration */
	const char *value; /* what --help calls the value; NULL: the option takes none */
	uint64_t least, most;
	unsigned place;  /* order of its key in the trace file; 0: the option is not kept there */
	const char *key; /* in the trace file; NULL: the option is not kept there */
	const char *help;
};

/* Returns the configuration of a run that is given no option. */
struct mz_configuration mz_configuration_default(void);

/* Returns the n-th line of the table, or NULL past the last. */
const struct mz_option *mz_configuration_option(size_t n);

/* Returns the option at a place in the trace file, from 1 on, or NULL past the last. */
const struct mz_option *mz_configuration_kept(unsigned place);

/* Copies the n-th word of an option of kind WORD to `text`. Returns false past the last. */
bool mz_option_word(const struct mz_option *option, uint32_t n, char text[MZ_NAME_SIZE]);

/* Finds the number of a word of an option of kind WORD. Returns false if the option has no such word. */
bool mz_option_find_word(const struct mz_option *option, const char *word, uint32_t *n);

#endif
