/* SPDX-License-Identifier: MIT
 *
 * Virtual randomness. Every thread has streams of its own, which come from those of its parent and from how many
 * children that had before; the first thread's come from --seed. So what a thread gets depends on its past alone, as
 * with time: to draw a number touches no object. The streams are those of rand and random, of drand48 and its kin, and
 * of the system; the program seeds the first two, for the thread that does and the threads that it creates from then
 * on.
 */
#ifndef MZ_RUNTIME_WORLD_CHANCE_H
#define MZ_RUNTIME_WORLD_CHANCE_H

#include "runtime/core/core.h"

/* Called when the program draws or seeds before the first execution: returns the first thread, whose streams it
 * uses. */
struct mz_fiber *mz_chance_early(void);
/* Notes the streams of the first thread as the program has left them. Called before the first execution. */
void mz_chance_save(void);
/* Gives the first thread of an execution its streams. */
void mz_chance_start(struct mz_fiber *first);
/* Gives `child`, which `parent` has just created, its streams. */
void mz_chance_inherit(const struct mz_fiber *parent, struct mz_fiber *child);

/* Seeds a stream of the thread. */
void mz_chance_seed(struct mz_fiber *self, enum mz_chance_stream stream, uint64_t seed);
/* Fills `size` bytes with the system's randomness (getrandom). */
void mz_chance_fill(struct mz_fiber *self, void *to, size_t size);
/* Fills in six letters and digits for the name of a temporary file: the same in all executions of a process, others in
 * other processes. */
void mz_chance_name(struct mz_fiber *self, char blank[6]);
/* Opens a file with the bytes that a program will read from /dev/urandom. Returns its descriptor, or -1 with errno
 * set. */
int mz_chance_file(struct mz_fiber *self);

#endif
