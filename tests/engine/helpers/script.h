/* SPDX-License-Identifier: MIT
 *
 * Programs as data: what the engine is tested against. machine.h runs them, without threads and native code.
 *
 * A thread is a list of instructions and one register, which holds what its last operation returned (a value, or
 * whether it succeeded). Everything else is in memory words, mutexes and conditions. Operations that are no events
 * (start, join, branches, loops) are executed as soon as the thread gets there.
 */
#ifndef MZ_TESTS_SCRIPT_H
#define MZ_TESTS_SCRIPT_H

#include "trace/event.h"
#include <stddef.h>
#include <stdio.h>

/* Inputs are numbers below this. Each execution has one of them, which its branches narrow down. */
#define SCRIPT_INPUTS 16

enum script_kind {
	SCRIPT_LOAD,
	SCRIPT_STORE,
	SCRIPT_ADD,      /* modulo `expected`, unless that is 0 */
	SCRIPT_CAS,      /* stores `value` if `expected` is there; register: whether it did */
	SCRIPT_EXCHANGE, /* stores `value`; register: what was there, as for the next two */
	SCRIPT_OR,
	SCRIPT_AND,
	SCRIPT_ACCESS,
	SCRIPT_LOCK,
	SCRIPT_UNLOCK,
	SCRIPT_TRYLOCK,    /* register: whether it got it */
	SCRIPT_LOCK_ALONE, /* lock `object`, which can be shared; `value`: it was announced */
	SCRIPT_UNLOCK_ALONE,
	SCRIPT_TRYLOCK_ALONE,
	SCRIPT_ANNOUNCE,
	SCRIPT_LOCK_SHARED,
	SCRIPT_UNLOCK_SHARED,
	SCRIPT_TRYLOCK_SHARED,
	SCRIPT_TAKE, /* semaphore `object`, while it is more than `expected` */
	SCRIPT_TRYTAKE,
	SCRIPT_POST,
	SCRIPT_SEND, /* the same, ordered */
	SCRIPT_PASS, /* takes from `object`, while it is more than `expected`, and gives to `other` */
	SCRIPT_TRYPASS,
	SCRIPT_POLL,   /* waits until `object` is more than `expected`, or `other`, another one, more than 0; register:
	                * which
	                */
	SCRIPT_ARRIVE, /* at barrier `object`, and wait for the others */
	SCRIPT_WAIT,   /* on condition `object`, with mutex `other` */
	SCRIPT_TIMED_WAIT, /* likewise; register: whether it was woken */
	SCRIPT_SIGNAL,
	SCRIPT_BROADCAST,
	SCRIPT_CHOOSE, /* register: 0 .. value-1 */
	/* On inputs: a bit of `value` for each of which the condition holds; of `expected`, if the register is not 0.
	 * Register: whether it holds. */
	SCRIPT_BRANCH,
	SCRIPT_YIELD,
	SCRIPT_START,  /* thread `object` */
	SCRIPT_JOIN,   /* thread `object` */
	SCRIPT_UNLESS, /* skip `other` instructions unless the register is `value` */
	SCRIPT_REPEAT, /* go back `other` instructions, `value` times in all */
	SCRIPT_UNTIL,  /* go back `other` instructions unless the register is `value` */
	SCRIPT_JUMP,   /* go back `other` instructions */
	SCRIPT_ASSERT, /* fails if the register is `value` */
	SCRIPT_PEEK,   /* what LOAD and STORE are where plain accesses are not visible */
	SCRIPT_POKE,
	/* An atomic section: reads `object`; if `expected` is there, stores `value` in `other`, else reads word `access`.
	 * Register: what was there */
	SCRIPT_SECTION,
};

struct script_instruction {
	uint8_t kind;
	uint8_t mask;   /* bytes of the word; contiguous */
	uint8_t access; /* enum mz_access_kind, of SCRIPT_ACCESS */
	bool plain;     /* LOAD, STORE: not atomic */
	uint32_t object;
	uint32_t other;
	uint64_t value; /* counted from the lowest byte of the mask */
	uint64_t expected;
};

struct script_thread {
	struct script_instruction *code;
	size_t length, capacity;
	bool started; /* lives from the beginning */
};

struct script {
	struct script_thread *threads;
	uint32_t nthreads;
	uint32_t nwords, nmutexes, nconditions;
	uint32_t nlocks, nsemaphores, nbarriers; /* locks that can be shared; all start with 0 */
	uint32_t value;                          /* that semaphores start with */
	uint32_t parties;                        /* of a barrier */
	bool unrolled;                           /* threads that spin do not wait */
	/* What has to hold, if `watched`: not at the same time this value in one word, and that in another. */
	bool watched;
	uint32_t watched_words[2];
	uint64_t watched_values[2];
};

void script_init(struct script *script, uint32_t nthreads, uint32_t nwords, uint32_t nmutexes, uint32_t nconditions);
void script_release(struct script *script);
/* Adds objects of other kinds, before anything is run. */
void script_share(struct script *script, uint32_t nlocks, uint32_t nsemaphores, uint32_t value, uint32_t nbarriers,
                  uint32_t parties);
/* Appends to a thread; returns where. */
size_t script_add(struct script *script, uint32_t thread, struct script_instruction instruction);
void script_print(const struct script *script, FILE *out);

/* The block, which there has to be. */
void *script_checked(void *block);

#endif
