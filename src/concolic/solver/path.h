/* SPDX-License-Identifier: MIT
 *
 * The constraints of a query, and which of them have to do with the last one: those that share an input byte with it,
 * or with another one that has to do with it. Queries come from a walk through a tree, so that most of them begin as
 * the one before: what they have in common is kept.
 *
 * Bytes are in classes (union-find, by size); each class has a ring of the constraints on its bytes. Nothing is
 * compressed, so that unions can be undone from the last to the first.
 */
#ifndef MZ_CONCOLIC_SOLVER_PATH_H
#define MZ_CONCOLIC_SOLVER_PATH_H

#include "concolic/solver/mirror.h"

/* An expression and the value that it must have: expression << 1 | value. */
typedef uint32_t mz_literal;

struct mz_path {
	mz_literal *literals;
	uint32_t *next;    /* by constraint: the next one of its ring */
	uint32_t *logged;  /* by constraint: how long the log was before */
	uint32_t *log;     /* unions: the byte that became part of another class */
	uint32_t *members; /* by byte that represents a class: a constraint of its ring, or none */
	uint32_t *parents; /* by byte: another byte of its class, or itself */
	uint32_t *sizes;
	uint32_t count, nlog;
	size_t literals_capacity, next_capacity, logged_capacity, log_capacity;
};

bool mz_path_init(struct mz_path *path);
void mz_path_release(struct mz_path *path);

/* Makes the path hold these constraints; all of them are sound. Stores in `*kept` how many of them, the first ones,
 * were there already. Returns false when there is no memory: the path then is shorter. */
bool mz_path_follow(struct mz_path *path, const struct mz_mirror *mirror, const mz_literal *literals, uint32_t count,
                    uint32_t *kept);

/* Calls `visit` for the constraints that have to do with the last one, which comes first. The path is not empty, and
 * the last constraint depends on some byte. */
void mz_path_slice(const struct mz_path *path, void (*visit)(mz_literal literal, void *data), void *data);

#endif
