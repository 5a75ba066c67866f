/* SPDX-License-Identifier: MIT
 *
 * The vocabulary shared by runtime, engine and reports: operations, accesses, events, steps.
 *
 * A *visible operation* is a point where other threads may come before a thread. Before it is executed it is *pending*;
 * once executed it is an *event*. It touches a set of objects, each in one way (an access).
 */
#ifndef MZ_TRACE_EVENT_H
#define MZ_TRACE_EVENT_H

#include "trace/space.h"
#include <mazurka.h>
#include <stdbool.h>
#include <stdint.h>

#define MZ_NO_THREAD UINT32_MAX

/* Of thread MZ_NO_THREAD are inputs that are there before main begins: standard input is number 0, further arguments of
 * main are 1, 2, ..., and the length of standard input is the last one. */
#define MZ_INPUT_STDIN 0
#define MZ_INPUT_LENGTH 1000

/* The class of an operation decides how it touches its objects, and whether it can be executed (is enabled).
 *   FIXED    its accesses are always the same; always enabled
 *   COMPARE  a write if every access finds what it expects, else a read; always enabled
 *   SET      a read if every access finds what it expects (what it would leave there), else a write; always enabled
 *   RAISE    a read if every access finds all bits that it expects, else a write; always enabled
 *   LOWER    a read if every access finds none of the bits that it expects, else a write; always enabled
 *   ACQUIRE  a write; enabled only while nobody holds the object
 *   SHARE    a weak write; enabled only while nobody holds the object alone or is about to
 *   TAKE     a write; enabled only while the object's state is more than `expected`
 *   ANY      a read; enabled only while the state of any of its objects is more than that access expects
 *   TRY      a write if ACQUIRE would be enabled, else a read; always enabled
 *   TRY_SHARE  a weak write if SHARE would be enabled, else a weak read; always enabled
 *   TRY_TAKE a write if TAKE would be enabled, else a read; always enabled
 *   WAKE     a write if the object's state (number of waiters, of freed blocks) is not 0, else a read; always enabled
 *   LEAVE    a read if the thread was woken (`expected` says by which WAKE), else a write; always enabled, unless it
 *            awaits: see below
 *   LOCAL    touches nothing */
enum mz_op_class {
	MZ_CLASS_FIXED,
	MZ_CLASS_COMPARE,
	MZ_CLASS_SET,
	MZ_CLASS_RAISE,
	MZ_CLASS_LOWER,
	MZ_CLASS_ACQUIRE,
	MZ_CLASS_SHARE,
	MZ_CLASS_TAKE,
	MZ_CLASS_ANY,
	MZ_CLASS_TRY,
	MZ_CLASS_TRY_SHARE,
	MZ_CLASS_TRY_TAKE,
	MZ_CLASS_WAKE,
	MZ_CLASS_LEAVE,
	MZ_CLASS_LOCAL
};

/* Every operation there is: identifier, the word a person reads, class. Names in trace files are these words.
 *
 * The releasing forms share the words of those without: exchange, or, and are releasing while data races are looked for
 * and others may acquire what their thread has done. Then their order matters even if they change nothing, and they are
 * writes whatever they find (see "Data races" in docs/internals/engine.md). Traces do not tell the two forms apart. */
#define MZ_OPS(X)                                                                                                      \
	X(READ, "read", FIXED)                                                                                         \
	X(WRITE, "write", FIXED)                                                                                       \
	X(FREE, "free", FIXED)                                                                                         \
	X(ALLOCATE, "allocate", WAKE)                                                                                  \
	X(LOAD, "load", FIXED)                                                                                         \
	X(STORE, "store", FIXED)                                                                                       \
	X(UPDATE, "update", FIXED)                                                                                     \
	X(EXCHANGE, "exchange", SET)                                                                                   \
	X(OR, "or", RAISE)                                                                                             \
	X(AND, "and", LOWER)                                                                                           \
	X(RELEASING_EXCHANGE, "exchange", FIXED)                                                                       \
	X(RELEASING_OR, "or", FIXED)                                                                                   \
	X(RELEASING_AND, "and", FIXED)                                                                                 \
	X(COMPARE_EXCHANGE, "compare-exchange", COMPARE)                                                               \
	X(LOCK, "lock", ACQUIRE)                                                                                       \
	X(TRYLOCK, "trylock", TRY)                                                                                     \
	X(TIMEDLOCK, "timed-lock", TRY)                                                                                \
	X(UNLOCK, "unlock", FIXED)                                                                                     \
	X(LOCK_SHARED, "lock-shared", SHARE)                                                                           \
	X(TRYLOCK_SHARED, "trylock-shared", TRY_SHARE)                                                                 \
	X(UNLOCK_SHARED, "unlock-shared", FIXED)                                                                       \
	X(ANNOUNCE, "announce", FIXED)                                                                                 \
	X(TAKE, "take", TAKE)                                                                                          \
	X(TRYTAKE, "try-take", TRY_TAKE)                                                                               \
	X(POST, "post", FIXED)                                                                                         \
	X(OPEN, "open", FIXED)                                                                                         \
	X(CLOSE, "close", FIXED)                                                                                       \
	X(LOOK_UP, "look-up", FIXED)                                                                                   \
	X(RECEIVE, "receive", TAKE)                                                                                    \
	X(TRYRECEIVE, "try-receive", TRY_TAKE)                                                                         \
	X(SEND, "send", TAKE)                                                                                          \
	X(TRYSEND, "try-send", TRY_TAKE)                                                                               \
	X(SHUTDOWN, "shutdown", FIXED)                                                                                 \
	X(POLL, "poll", ANY)                                                                                           \
	X(TRYPOLL, "poll-once", FIXED)                                                                                 \
	X(WATCH, "watch", FIXED)                                                                                       \
	X(ARRIVE, "arrive", FIXED)                                                                                     \
	X(PASS, "pass", ANY)                                                                                           \
	X(WAIT, "wait", FIXED)                                                                                         \
	X(LEAVE, "leave", LEAVE)                                                                                       \
	X(END_WAIT, "end-wait", LEAVE)                                                                                 \
	X(FUTEX_WAIT, "futex-wait", FIXED)                                                                             \
	X(FUTEX_REQUEUE, "futex-requeue", FIXED)                                                                       \
	X(FUTEX_WAKE, "futex-wake", WAKE)                                                                              \
	X(WAKEUP, "wake-up", ACQUIRE)                                                                                  \
	X(SIGNAL, "signal", WAKE)                                                                                      \
	X(BROADCAST, "broadcast", WAKE)                                                                                \
	X(ATOMIC, "atomic", FIXED)                                                                                     \
	X(ACCESS, "access", FIXED)                                                                                     \
	X(CANCEL, "cancel", RAISE)                                                                                     \
	X(TEST_CANCEL, "test-cancel", LOWER)                                                                           \
	X(KILL, "kill", RAISE)                                                                                         \
	X(QUEUE, "kill", FIXED)                                                                                        \
	X(TAKE_SIGNAL, "take-signal", LOWER)                                                                           \
	X(DESTROY, "destroy", FIXED)                                                                                   \
	X(END, "end", FIXED)                                                                                           \
	X(EXIT, "exit", RAISE)                                                                                         \
	X(JOIN, "join", FIXED)                                                                                         \
	X(READ_FILE, "read-file", FIXED)                                                                               \
	X(WRITE_FILE, "write-file", FIXED)                                                                             \
	X(YIELD, "yield", LOCAL)                                                                                       \
	X(CHOOSE, "choose", LOCAL)

enum mz_op {
#define X(id, text, class) MZ_OP_##id,
	MZ_OPS(X)
#undef X
	    MZ_OP_COUNT
};

const char *mz_op_name(enum mz_op op);
enum mz_op_class mz_op_class(enum mz_op op);
/* Returns the first operation of that name, or MZ_OP_COUNT if there is none. */
enum mz_op mz_op_from_name(const char *name);

/* One object touched by an operation. For memory, `object` is the address of an aligned 8-byte word, `mask` says which
 * bytes of it are touched (bit n is byte n), and `before` is the whole word before the event. For a synchronization
 * object, `object` is its address, `mask` 0xff, `before` its state, and `effect` what the event added to the state: so
 * the state after any part of the events is known, in whatever order events that commute came. The state of a lock is
 * the sum of enum mz_held, 0 while nobody holds or announces it; that of a semaphore is its value, that of a condition
 * the number of waiters. Whether an operation that may have to wait is enabled depends on its first object (ANY: on
 * all, no two of which are the same). In a pending operation `kind` is the strongest it may turn out to be and `before`
 * means nothing, but for ANY: there it is the state when the operation became pending.
 *
 * A thread that spins *awaits* a write, and its operation is said to await, whatever its class: the thread has read
 * some bytes, and is not enabled until others have written any of them since. Those bytes are among the accesses of the
 * operation, each with an age that says which event of the thread read them: the one just before the operation (1), the
 * one before that (2), ... With MZ_AGE_EVER any write counts, however early. The first access is always an awaited one.
 * Once enabled the operation stays enabled. If a LEAVE awaits, only the event that woke the thread counts as a write of
 * the object that it leaves.
 *
 * A thread that waits for one of several things, such as a semaphore or a cancellation, awaits in the same way: it
 * looks at them one after another, and then awaits a write to any of them. */
#define MZ_AGE_EVER UINT16_MAX
struct mz_access {
	uint64_t object; /* of which space.h says what it stands for */
	uint64_t before;
	/* COMPARE, SET, RAISE, LOWER: what decides whether it is a write, in the bytes under `mask`. TAKE, TRY_TAKE,
	 * ANY: what the state has to exceed. WAKE: which one of the object's in the execution, from 1; LEAVE: of the
	 * one that woke the thread. Else 0. */
	uint64_t expected;
	uint8_t mask;
	uint8_t kind;         /* enum mz_access_kind */
	bool only_waited : 1; /* the operation awaits these bytes and does not touch them otherwise */
	bool is_io : 1;       /* input or output, of a file; only optimal as published makes a difference */
	uint8_t really;       /* 1 + the actual kind, where the engine takes the access for a stronger one; else 0 */
	uint16_t age;         /* 0: these bytes are not awaited */
	int16_t effect;       /* of an executed operation, on the state of a synchronization object */
};

/* The state of a lock is the sum of these. */
enum mz_held {
	MZ_HELD_SHARED = 1,      /* for each thread that shares the lock; and for the one holder of a mutex */
	MZ_HELD_ALONE = 1 << 13, /* one thread holds the lock alone, and it is a lock that can be shared */
	/* for each thread that is to hold the lock alone next and keeps others from sharing it */
	MZ_HELD_ANNOUNCED = 1 << 14
};

/* Returns whether an operation of this class may have to wait for its object. */
static inline bool mz_class_waits(enum mz_op_class class)
{
	return class == MZ_CLASS_ACQUIRE || class == MZ_CLASS_SHARE || class == MZ_CLASS_TAKE || class == MZ_CLASS_ANY;
}

/* Returns whether an operation of this class gets an object that is in this state; a class that waits is enabled only
 * then. `expected` is that of its access. */
static inline bool mz_class_passes(enum mz_op_class class, uint64_t state, uint64_t expected)
{
	switch (class) {
	case MZ_CLASS_ACQUIRE:
	case MZ_CLASS_TRY: return (state & (MZ_HELD_ANNOUNCED - 1)) == 0;
	case MZ_CLASS_SHARE:
	case MZ_CLASS_TRY_SHARE: return state < MZ_HELD_ALONE;
	case MZ_CLASS_TAKE:
	case MZ_CLASS_ANY:
	case MZ_CLASS_TRY_TAKE: return state > expected;
	default: return true;
	}
}

/* Returns whether an operation of this class is to get an object for which threads may have to wait, by waiting or by
 * trying. */
static inline bool mz_class_contends(enum mz_op_class class)
{
	return mz_class_waits(class) || class == MZ_CLASS_TRY || class == MZ_CLASS_TRY_SHARE ||
	       class == MZ_CLASS_TRY_TAKE;
}

/* Returns whether an operation of this class reads or writes depending on the state or value that it finds. */
static inline bool mz_class_has_outcomes(enum mz_op_class class)
{
	return class != MZ_CLASS_FIXED && class != MZ_CLASS_LOCAL && !mz_class_waits(class);
}

/* Returns how an operation with outcomes touches its objects: `does` says whether it turns out to do what it might. */
static inline uint8_t mz_class_kind(enum mz_op_class class, bool does)
{
	if (class == MZ_CLASS_TRY_SHARE) return does ? MZ_WEAK_WRITE : MZ_WEAK_READ;
	return does ? MZ_WRITE : MZ_READ;
}

static inline uint8_t mz_access_really(const struct mz_access *access)
{
	return access->really ? (uint8_t)(access->really - 1) : access->kind;
}

static inline bool mz_accesses_await(const struct mz_access *accesses, unsigned count)
{
	return count && accesses[0].age;
}

/* A choice of the explorer: which thread goes, and which of the alternatives of its operation it takes (which value of
 * mz_choose, which waiter of a signal; 0 where there is one only). */
struct mz_step {
	uint32_t thread;
	uint32_t choice;
};

/* In schedules that a runtime keeps: the step is a branch on inputs. A replay, which has the inputs, makes no step of
 * it. */
#define MZ_STEP_BRANCH 0x80000000U

/* An executed operation. `accesses` is borrowed: valid during the call that passes the event. */
struct mz_event {
	uint32_t thread;
	uint32_t choice;
	uint32_t alternatives; /* at least 1 */
	uint16_t op;           /* enum mz_op */
	uint16_t naccesses;
	const struct mz_access *accesses;
	uint64_t reads, writes; /* the engine's own summary of the accesses; both 0 while there is none */
	uint32_t condition;     /* of a branch that inputs decide: the number of its condition; else 0 */
	/* of an event that is still to be made: it is not known what it touches, and it may be anything */
	bool guessed;
};

static inline bool mz_kinds_conflict(uint8_t a, uint8_t b)
{
	/* one bit per (a, b): rows and columns in the order of enum mz_access_kind */
	static const uint8_t conflicts[4] = {
	    [MZ_READ] = 1 << MZ_WRITE | 1 << MZ_WEAK_WRITE,
	    [MZ_WRITE] = 0xf,
	    [MZ_WEAK_READ] = 1 << MZ_WRITE,
	    [MZ_WEAK_WRITE] = 1 << MZ_READ | 1 << MZ_WRITE,
	};
	return conflicts[a] >> b & 1;
}

/* Returns whether an operation of this class, whose first access is `own`, was not enabled when the executed access
 * came. Says false for accesses of weak kinds, because events that commute with them may have changed the state that
 * they found. */
static inline bool mz_access_excludes(const struct mz_access *access, enum mz_op_class class,
                                      const struct mz_access *own)
{
	bool ordered = access->kind == MZ_READ || access->kind == MZ_WRITE;
	if (!ordered || !mz_class_waits(class) || class == MZ_CLASS_ANY) return false;
	return !mz_class_passes(class, access->before, own->expected);
}

static inline bool mz_accesses_conflict(const struct mz_access *a, const struct mz_access *b)
{
	return a->object == b->object && (a->mask & b->mask) && mz_kinds_conflict(a->kind, b->kind);
}

#endif
