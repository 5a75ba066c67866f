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

/* Before the first execution the program draws or seeds: returns the first thread, which begins with what it comes to.
 */
struct mz_fiber *mz_chance_early(void);
/* That is over. */
void mz_chance_save(void);
/* The first thread of an execution. */
void mz_chance_start(struct mz_fiber *first);
/* `child` was just created by `parent`. */
void mz_chance_inherit(const struct mz_fiber *parent, struct mz_fiber *child);

/* As after seeding with this. */
void mz_chance_seed(struct mz_fiber *self, enum mz_chance_stream stream, uint64_t seed);
/* The system's randomness: so many bytes. */
void mz_chance_fill(struct mz_fiber *self, void *to, size_t size);
/* Six letters and digits for the name of a temporary file: the same in all executions of a process, and others in other
 * processes. */
void mz_chance_name(struct mz_fiber *self, char blank[6]);
/* A file that has of it what a program reads of /dev/urandom; -1 if there can be none, see errno. */
int mz_chance_file(struct mz_fiber *self);

#endif
