/* SPDX-License-Identifier: MIT
 *
 * The memory that a supervisor and its worker share: what is to be done, how far the worker got, and the schedule under
 * way, which survives the worker whatever happens to it. A worker finds the memory by the file descriptor whose number
 * is in the environment variable MZ_SESSION_VARIABLE.
 */
#ifndef MZ_SESSION_SESSION_H
#define MZ_SESSION_SESSION_H

#include "configuration/configuration.h"
#include "trace/event.h"
#include "trace/finding.h"
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#define MZ_SESSION_VARIABLE "MAZURKA_SESSION"
#define MZ_SESSION_MAGIC 0x6d7a73657373696fULL
#define MZ_SESSION_ITERATIONS 250
#define MZ_SESSION_CALLS 128
#define MZ_SESSION_FILE_NAME 256
#define MZ_SESSION_THINKING 0x7468696eU /* a number that a stray write of the program hardly leaves by chance */
#define MZ_SESSION_RETURNS 32
#ifndef MZ_SMALL_TABLES
#define MZ_SESSION_FINDINGS 256 /* distinct findings that are kept of a run */
#define MZ_SESSION_THREADS 4096
#define MZ_SESSION_FILES 32
#define MZ_SESSION_OBSERVED 16384
#define MZ_SESSION_LIBRARIES 128
#else /* all that there is to explore of ourselves can be explored (tests/self) */
#define MZ_SESSION_FINDINGS 2
#define MZ_SESSION_THREADS 8
#define MZ_SESSION_FILES 1
#define MZ_SESSION_OBSERVED 2
#define MZ_SESSION_LIBRARIES 1
#endif
#define MZ_SESSION_MIXED 512
/* Added to the message about a program that is not deterministic. */
#define MZ_TRY_ISOLATION " (if its state is not all in its memory, try --isolation process)"

enum mz_session_mode {
	MZ_MODE_EXPLORE,
	MZ_MODE_REPLAY, /* follow the schedule to its end and record what happens */
};

/* What threads can ask of each other: to be cancelled (pthread_cancel), to handle a signal (pthread_kill), to end with the
 * process (exit) although another thread has asked for that, too. IGNORED: no request, but what becomes of one: signals are sent, or
 * pending, that are ignored, which are discarded. RACES: no request, but learned like one: what threads
 * know of each other, and data races, are noted (`raced`) in a run that does not look for races, because something has to be explained, or
 * a stack frame may have been used after its end. HANDLERS: no request either: threads use the list of exit handlers in either order. */
enum mz_requests {
	MZ_REQUESTS_CANCEL = 1,
	MZ_REQUESTS_SIGNAL = 2,
	MZ_REQUESTS_EXIT = 4,
	MZ_REQUESTS_RACES = 8,
	MZ_REQUESTS_IGNORED = 16,
	MZ_REQUESTS_HANDLERS = 32
};
#define MZ_REQUESTS_ALL 63U
/* What threads look for, because some execution made such a request. */
struct mz_session_requests {
	uint64_t process_signals; /* the signals that were sent to the process: a bit by number, bit 0 for 64 */
	uint64_t kinds;           /* enum mz_requests */
};

/* How a worker ended. */
enum mz_outcome {
	MZ_OUTCOME_NONE,        /* the worker is running, or died */
	MZ_OUTCOME_DONE,        /* everything was explored */
	MZ_OUTCOME_BUG,         /* the worker stopped at the first finding */
	MZ_OUTCOME_LIMIT,       /* a limit ended the search: `message` says which */
	MZ_OUTCOME_UNSUPPORTED, /* the program cannot be run: `message` says why */
	MZ_OUTCOME_INTERNAL,    /* an invariant of ours is broken: `message` says which */
	MZ_OUTCOME_FOREIGN,     /* of several workers, this one can take no part: `message` says why */
	/* a search of states has to begin anew, with what was learned; or, if several workers explore executions, a process has to
	 * take the place of this one that loads the libraries which were learned before anything else */
	MZ_OUTCOME_AGAIN
};

/* Which thread has a number: the n-th child of its parent. */
struct mz_session_thread {
	uint32_t parent;
	uint32_t nth;
};

/* A shared library, or the program. */
struct mz_session_module {
	uint64_t base, start, end;
	char path[1024]; /* empty: the address is in no module */
};

/* A place where values that depend on inputs go where no shadow follows them, and how often. */
#define MZ_SESSION_LOSSES 64
struct mz_session_lost {
	uint64_t code; /* an address, */
	uint64_t count;
	uint32_t kind;                   /* enum mz_sym_lost of concolic/abi.h */
	char what[44];                   /* the function that is called, or empty */
	struct mz_session_module module; /* and where that is */
};

/* Limits of the runtime that a program can reach and go on, but not as it would without them: name, and words for what happened
 * (struct mz_session_reached), after how often it did. */
#define MZ_SESSION_REACHED(X)                                                                                          \
	X(HEAP, "allocation",                                                                                          \
	  "refused: the heap of a thread has 64 GiB, that of any after 128 threads 2 GiB (--heap reuse needs less)")   \
	X(STACK, "stack", "refused: the stack of a thread has at most 255 MiB")

enum mz_session_limit {
#define X(name, ...) MZ_LIMIT_##name,
	MZ_SESSION_REACHED(X)
#undef X
	    MZ_LIMIT_COUNT
};

/* How often a limit was reached, and the most that was asked for then. */
struct mz_session_reached {
	uint64_t count, most;
};

#define MZ_SESSION_LIMITS 16
#define MZ_SESSION_INPUTS 8192
#define MZ_SESSION_ARGUMENTS 128 /* further arguments of main */
#define MZ_SESSION_INPUT_BYTES 65536

/* Of a use of memory that is gone: whether something orders it after the end of that memory. If not, the use might have come
 * first, and what the thread does then is behind an order that is explored only where that end is a step: the release of heap
 * memory is one with --points all, the end of a stack frame never is. */
enum mz_unordered { MZ_ORDERED, MZ_UNORDERED_RELEASE, MZ_UNORDERED_FRAME };

/* A finding as the exploring worker knows it: enough to replay it and to tell it from others. */
struct mz_session_finding {
	uint32_t kind;
	uint32_t steps; /* length of its schedule */
	uint32_t files; /* how many of the session's files were objects of steps in its execution */
	struct mz_session_requests requests; /* those that threads looked for in its execution */
	uint64_t key;                        /* equal for findings that are the same bug */
	uint64_t execution;
	uint32_t bound;  /* --iterate: on preemptions, when it was found */
	uint32_t inputs; /* how many inputs there were; what they had is in mz_session_inputs */
	uint32_t parts;  /* 1: a data race, of an access that is one step here and that a machine may make in parts */
	uint32_t unordered; /* enum mz_unordered */
	uint32_t unseen;    /* 1: nondeterminism, of steps that no operation orders: a data race may explain it */
	uint32_t reordered; /* 1: the schedule is not the one that showed it, but one that is held to be equivalent */
	uint64_t signature; /* a hash of what all threads would have done next */
	uint64_t schedule;  /* offset of its steps from the start of the session, in bytes */
	char message[192];
};

/* An object that the program has marked with mz_symbolic(): the `nth` of that thread, from 0; see also MZ_INPUT_STDIN. */
struct mz_session_input {
	uint32_t thread;
	uint32_t nth;
	uint32_t marked; /* some execution of this session has marked it */
	uint32_t first;  /* its first byte among those of all inputs */
	uint32_t size;
	char name[48];
};

/* What the solver was asked. */
struct mz_session_solver {
	uint64_t queries, sat, unsat, timeouts, nanoseconds;
};

/* The limits at which an execution is given up: the field of its option, its name, what such an execution is called, and what
 * there are too many of. */
#define MZ_PATH_LIMITS(X)                                                                                              \
	X(INPUTS, max_inputs, "--max-inputs", "path", "inputs")                                                        \
	X(BYTES, max_input_bytes, "--max-input-bytes", "path", "bytes of inputs")                                      \
	X(BRANCHES, max_branches, "--max-branches", "path", "branches on inputs")                                      \
	X(EXPRESSIONS, max_expressions, "--max-expressions", "path", "expressions over inputs")                        \
	X(THREADS, max_threads, "--max-threads", "execution", "threads and timers")                                    \
	X(EXPIRATIONS, max_expirations, "--max-expirations", "execution", "expirations of timers")

enum mz_path_limit {
#define X(id, ...) MZ_PATH_LIMIT_##id,
	MZ_PATH_LIMITS(X)
#undef X
	    MZ_PATH_LIMIT_COUNT
};

/* Inputs, in the order in which executions first marked them. */
struct mz_session_inputs {
	int32_t memory; /* file descriptor of the memory shared with the solver (concolic/expression.h), or -1: none */
	int32_t socket; /* file descriptor by which the solver is asked (concolic/solver.h) */
	uint32_t count;
	uint32_t nbytes;
	uint32_t
	    unexplored;   /* inputs were marked and had one value each: the program was not built for exploring them */
	int32_t tests;    /* file descriptor of the folder for inputs of paths (--tests), or -1: none are written */
	uint32_t written; /* files that were written there, */
	uint32_t unwritten; /* and those that could not be */
	uint64_t undecided; /* queries that the solver did not answer */
	uint64_t disagreed; /* shadows that did not have the value of what they stood for */
	uint64_t missed;    /* branches that inputs did not take which were found for them */
	uint64_t lost;      /* values that depended on inputs and went where no shadow follows */
	uint64_t limited;   /* how often something had more possible values than are tried (--max-values) */
	struct mz_session_solver solver;
	uint32_t nlosses;
	uint32_t nlimits;
	struct mz_session_lost losses[MZ_SESSION_LOSSES];
	struct mz_session_lost limits[MZ_SESSION_LIMITS]; /* where there were too many values */
	struct mz_session_input inputs[MZ_SESSION_INPUTS];
	uint8_t values[MZ_SESSION_INPUT_BYTES]; /* where there is no solver: what inputs get */
};

/* What was explored within a bound on preemptions: the n-th iteration allows n of them, from 0 on. */
struct mz_session_iteration {
	uint64_t executions;
	uint64_t redundant;
	uint64_t traces;
	uint32_t nfindings; /* findings of this iteration and all before it */
	uint16_t traces_known;
	uint16_t counted; /* `traces` is not just the number of executions: graphs were counted */
};

/* A function that the program calls and the runtime does not control. */
struct mz_session_call {
	char name[24]; /* empty: the entry is not used */
	_Atomic uint64_t calls;
};

/* A library that the program loads while it runs: the arguments of the call that loads it. */
struct mz_session_library {
	char path[1020];
	int32_t flags;
};

#define MZ_SESSION_UNSEEN "unseen write" /* the name under which unseen writes are counted among the calls */

/* The first value that was read and that no write seen by the runtime has left there. Addresses are those of the
 * process. */
struct mz_session_unseen {
	_Atomic uint32_t claimed; /* 1: a thread is filling it in */
	_Atomic uint32_t filled;  /* 1: it is filled in */
	uint32_t size;
	uint64_t object;
	uint64_t code;                       /* return address of the call that read it */
	struct mz_session_module modules[2]; /* the modules that `object` and `code` are in */
};

/* A call that is passed on to the C library, while it is under way: a worker that makes no step may be waiting in
 * it. */
struct mz_session_waiting {
	_Atomic uint32_t thread; /* 1 + the number of the calling thread; 0: no such call is under way */
	char name[24];
	uint64_t code;                   /* return address of the call, */
	struct mz_session_module module; /* and where that is */
};

/* Code of the program that the runtime does not see, by kind: instructions of assembly that cannot be followed,
 * libraries that were not built with `mazurka cc`, and other code, known by its address. */
enum mz_session_hidden_kind { MZ_HIDDEN_ASSEMBLY, MZ_HIDDEN_LIBRARY, MZ_HIDDEN_CODE };
#define MZ_SESSION_HIDDEN 48
struct mz_session_hidden {
	uint32_t kind;
	uint64_t code;                   /* of CODE: an address, */
	struct mz_session_module module; /* and where that is */
	char place[256];                 /* where it is: file and line of assembly, path of a library */
	char what[128];                  /* the instruction, or the reason why it is not seen */
};

/* What executions found out about the program. Something that is found out for the first time can make the search begin
 * anew; it is known from then on. */
struct mz_session_learned {
	uint32_t ordered_arrivals; /* some barrier is used by more threads than its count */
	uint32_t loops; /* a thread came back to a place and had only read in between: see runtime/watch/spin.h */
	struct mz_session_requests requests;
	uint32_t crowded; /* a strategy that remembers graphs took too much memory: another one does its work */
	/* return addresses that threads with deep stacks were seen to come back to: see runtime/watch/spin.c */
	uint32_t nreturns;
	uint64_t returns[MZ_SESSION_RETURNS];
	/* addresses of memory that atomic operations use and that depends on inputs, see runtime/inputs/shadow.h; if there are
	 * more than fit, any may */
	uint32_t nmixed;
	uint64_t mixed[MZ_SESSION_MIXED];
	uint32_t nfiles; /* files that threads share, see runtime/channels/shared_file.h */
	char files[MZ_SESSION_FILES][MZ_SESSION_FILE_NAME];
	/* words of memory that invariants have read, see runtime/watch/invariant.h; if there are more than fit, any may be one */
	uint32_t nobserved;
	uint64_t observed[MZ_SESSION_OBSERVED];
	uint8_t observed_writers
	    [MZ_SESSION_THREADS]; /* 1: the thread wrote to such a word by a plain write that is no operation */
	uint32_t nlibraries; /* libraries that executions have loaded, in the order in which every process loads them */
	struct mz_session_library libraries[MZ_SESSION_LIBRARIES];
};

struct mz_session {
	uint64_t magic;
	uint32_t header_size; /* sizeof(struct mz_session): a library of another build does not fit */
	uint32_t mode;
	uint64_t size; /* size of the whole mapping */

	/* What is to be done. The worker writes none of it. */
	struct mz_configuration configuration;
	uint32_t replay_steps;   /* MZ_MODE_REPLAY: how many steps of the schedule are given, */
	uint32_t replay_threads; /* and how many thread numbers */
	int32_t recording;       /* MZ_MODE_REPLAY: file descriptor the records go to, or -1 */
	uint32_t stepwise;       /* MZ_MODE_REPLAY: wait before each step until it is allowed */
	int32_t states;          /* file descriptor of the known states, in a stateful search */
	int32_t trunk;           /* file descriptor of what workers of other searches share, or -1 */
	uint32_t worker;         /* the number of this worker among several of this machine, */
	uint32_t seat;           /* and among all that ever shared the trunk */
	uint32_t check; /* MZ_MODE_REPLAY: the n-th call of mz_check() is replayed, from 1; 0: the whole program */

	/* What is known of the program. The worker adds to it. */
	struct mz_session_learned learned;

	/* How far the worker got. Only the worker writes this, but for `stop` and `allowed`. */
	_Atomic uint32_t stop;     /* written by the supervisor: end soon, as if a limit was reached */
	_Atomic uint32_t allowed;  /* written by the supervisor: how many steps may be made */
	_Atomic uint32_t thinking; /* MZ_SESSION_THINKING between executions: no step is made, and that is no stall */
	uint32_t running;          /* the program has reached its main function */
	uint32_t outcome;
	uint64_t pulse; /* changes as long as the worker makes progress that no other field shows */
	/* Steps after many plain accesses and nothing else, as in an endless loop, are no progress. How many there were, how many
	 * others when one of the others was made last, and how long the schedule was then: */
	uint64_t idle, moved;
	uint32_t still;
	uint64_t executions;
	uint64_t redundant;
	uint64_t traces;
	uint32_t counted;      /* traces are being counted */
	uint32_t traces_known; /* `traces` was counted, or equals `executions` because the strategy promises so */
	uint64_t steps;
	uint64_t local_states; /* local states of threads, if they are counted */
	uint64_t cut;          /* executions that max_steps ended */
	uint64_t assumed;      /* executions that mz_assume() dropped: they are not among the others */
	uint64_t operations;   /* how often workers have had the lock of what they share; 0: nothing is shared */
	uint64_t executed;     /* executions within smaller bounds, or by another method, before the present search */
	char method[32];       /* the strategy that explores */
	uint64_t graphs;       /* graphs that are remembered, and the memory they take */
	uint64_t graph_bytes;
	uint32_t exhausted;           /* the bound leaves nothing out */
	uint32_t raising;             /* --iterate: a bound is being explored */
	uint32_t bound;               /* and it allows so many preemptions */
	uint32_t raced;               /* MZ_REQUESTS_RACES: there was a data race */
	uint32_t frames;              /* it is not known whether a stack frame was used after its end */
	uint64_t signature;           /* MZ_MODE_REPLAY: a hash of what all threads would do after the last step */
	uint32_t never_ends;          /* all states are known, and the program ends in none of them */
	_Atomic uint32_t niterations; /* bounds that were explored */
	struct mz_session_iteration iterations[MZ_SESSION_ITERATIONS];
	uint64_t nanoseconds; /* how long exploring took; 0 if it did not come to an end */
	double promise;       /* see mz_search_promise() */
	uint32_t nsteps;      /* length of the schedule under way */
	uint32_t nthreads;
	uint32_t nfindings;
	uint32_t findings_dropped; /* distinct ones beyond MZ_SESSION_FINDINGS */
	char message[256];
	struct mz_session_call uncontrolled[MZ_SESSION_CALLS];
	struct mz_session_unseen unseen;
	struct mz_session_waiting waiting;
	struct mz_session_reached reached[MZ_LIMIT_COUNT];
	uint64_t given_up[MZ_PATH_LIMIT_COUNT]; /* executions that a limit ended; they are among those that were cut */
	uint32_t nhidden;
	uint32_t hidden_dropped; /* how many there were beyond MZ_SESSION_HIDDEN */
	struct mz_session_hidden hidden[MZ_SESSION_HIDDEN];
	/* for a replay: the threads that get the numbers 0, 1, ... */
	struct mz_session_thread given_threads[MZ_SESSION_THREADS];
	struct mz_session_thread threads[MZ_SESSION_THREADS];
	struct mz_session_finding findings[MZ_SESSION_FINDINGS];
	struct mz_session_inputs inputs;

	/* The steps of the schedule under way (room for max_steps), then the schedules of the findings, then what inputs had
	 * when each finding was made. */
	struct mz_step schedule[];
};

/* Returns the number of the finding of a kind that has a key, or `nfindings` if there is none yet. */
static inline uint32_t mz_session_find(const struct mz_session *session, uint32_t kind, uint64_t key)
{
	uint32_t n = 0;
	while (n < session->nfindings && (session->findings[n].kind != kind || session->findings[n].key != key)) n++;
	return n;
}

/* Lists code that is not seen, unless it is listed already. */
static inline void mz_session_hide(struct mz_session *session, const struct mz_session_hidden *hidden)
{
	for (uint32_t i = 0; i < session->nhidden; i++) {
		const struct mz_session_hidden *other = &session->hidden[i];
		if (other->kind == hidden->kind && other->code == hidden->code &&
		    strcmp(other->place, hidden->place) == 0 && strcmp(other->what, hidden->what) == 0)
			return;
	}
	if (session->nhidden == MZ_SESSION_HIDDEN)
		session->hidden_dropped++;
	else
		session->hidden[session->nhidden++] = *hidden;
}

/* Returns the schedule of a finding, by its index in `findings`. */
static inline struct mz_step *mz_session_schedule(struct mz_session *session, uint32_t finding)
{
	return session->schedule + (size_t)(finding + 1) * session->configuration.max_steps;
}

/* Returns what inputs had when a finding was made, by its index in `findings`. */
static inline uint8_t *mz_session_found_inputs(struct mz_session *session, uint32_t finding)
{
	return (uint8_t *)mz_session_schedule(session, MZ_SESSION_FINDINGS) + (size_t)finding * MZ_SESSION_INPUT_BYTES;
}

/* The same for a finding of a session that is only read. */
static inline const uint8_t *mz_session_found_inputs_of(const struct mz_session *session,
                                                        const struct mz_session_finding *finding)
{
	const struct mz_step *end =
	    session->schedule + (size_t)(MZ_SESSION_FINDINGS + 1) * session->configuration.max_steps;
	return (const uint8_t *)end + (size_t)(finding - session->findings) * MZ_SESSION_INPUT_BYTES;
}

#endif
