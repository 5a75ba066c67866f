/* SPDX-License-Identifier: MIT */
#include "concolic/solver/path.h"
#include "base/alloc.h"
#include "base/array.h"
#include <string.h>

#define NONE UINT32_MAX

static uint32_t *new_table(void)
{
	return mz_alloc(MZ_SPACE_BYTES * sizeof(uint32_t));
}

bool mz_path_init(struct mz_path *path)
{
	*path = (struct mz_path){.members = new_table(), .parents = new_table(), .sizes = new_table()};
	if (!path->members || !path->parents || !path->sizes) return false;
	for (uint32_t i = 0; i < MZ_SPACE_BYTES; i++) {
		path->members[i] = NONE;
		path->parents[i] = i;
		path->sizes[i] = 1;
	}
	return true;
}

void mz_path_release(struct mz_path *path)
{
	void *const blocks[] = {path->literals, path->next,    path->logged, path->log,
	                        path->members,  path->parents, path->sizes};
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) mz_free(blocks[i]);
	*path = (struct mz_path){0};
}

/* ---- classes of bytes ---- */

static uint32_t class_of(const struct mz_path *path, uint32_t byte)
{
	while (path->parents[byte] != byte) byte = path->parents[byte];
	return byte;
}

/* Joins two rings of constraints, or parts one into two: the same operation. */
static void cross(struct mz_path *path, uint32_t i, uint32_t k)
{
	uint32_t next = path->next[i];
	path->next[i] = path->next[k];
	path->next[k] = next;
}

static bool unite(struct mz_path *path, uint32_t a, uint32_t b)
{
	a = class_of(path, a);
	b = class_of(path, b);
	if (a == b) return true;
	if (!mz_array_reserve(&path->log, &path->log_capacity, (size_t)path->nlog + 1)) return false;
	uint32_t large = path->sizes[a] >= path->sizes[b] ? a : b, small = large == a ? b : a;
	path->log[path->nlog++] = small;
	path->parents[small] = large;
	path->sizes[large] += path->sizes[small];
	if (path->members[small] == NONE) return true;
	if (path->members[large] == NONE) {
		path->members[large] = path->members[small];
	} else {
		cross(path, path->members[large], path->members[small]);
	}
	return true;
}

static void part(struct mz_path *path)
{
	uint32_t small = path->log[--path->nlog], large = path->parents[small];
	path->parents[small] = small;
	path->sizes[large] -= path->sizes[small];
	if (path->members[small] == NONE) return;
	if (path->members[large] == path->members[small]) {
		path->members[large] = NONE;
	} else {
		cross(path, path->members[large], path->members[small]);
	}
}

/* ---- constraints ---- */

static const struct mz_bytes *bytes_of(const struct mz_mirror *mirror, mz_literal literal)
{
	return mirror->support[literal >> 1];
}

static bool reserve(struct mz_path *path, uint32_t count)
{
	return mz_array_reserve(&path->literals, &path->literals_capacity, count) &&
	       mz_array_reserve(&path->next, &path->next_capacity, count) &&
	       mz_array_reserve(&path->logged, &path->logged_capacity, count);
}

static bool unite_all(struct mz_path *path, const struct mz_bytes *bytes)
{
	uint32_t first = bytes->ranges[0].first;
	for (unsigned i = 0; i < bytes->nranges; i++) {
		for (uint32_t byte = bytes->ranges[i].first; byte <= bytes->ranges[i].last; byte++) {
			if (!unite(path, first, byte)) return false;
		}
	}
	return true;
}

/* Adds a constraint to the ring of its class, after the one by which the class knows its ring. */
static void enter(struct mz_path *path, uint32_t class, uint32_t constraint)
{
	path->next[constraint] = constraint;
	if (path->members[class] == NONE) {
		path->members[class] = constraint;
	} else {
		cross(path, path->members[class], constraint);
	}
}

static void leave(struct mz_path *path, uint32_t class, uint32_t constraint)
{
	if (path->members[class] == constraint) {
		path->members[class] = NONE;
	} else {
		cross(path, path->members[class], constraint);
	}
}

static bool push(struct mz_path *path, const struct mz_mirror *mirror, mz_literal literal)
{
	const struct mz_bytes *bytes = bytes_of(mirror, literal);
	uint32_t constraint = path->count, before = path->nlog;
	if (bytes->nranges && !unite_all(path, bytes)) {
		while (path->nlog > before) part(path);
		return false;
	}
	path->literals[constraint] = literal;
	path->logged[constraint] = before;
	path->next[constraint] = constraint;
	if (bytes->nranges) enter(path, class_of(path, bytes->ranges[0].first), constraint);
	path->count++;
	return true;
}

static void pop(struct mz_path *path, const struct mz_mirror *mirror)
{
	uint32_t constraint = --path->count;
	const struct mz_bytes *bytes = bytes_of(mirror, path->literals[constraint]);
	if (bytes->nranges) leave(path, class_of(path, bytes->ranges[0].first), constraint);
	while (path->nlog > path->logged[constraint]) part(path);
}

bool mz_path_follow(struct mz_path *path, const struct mz_mirror *mirror, const mz_literal *literals, uint32_t count,
                    uint32_t *kept)
{
	uint32_t common = 0;
	while (common < count && common < path->count && path->literals[common] == literals[common]) common++;
	while (path->count > common) pop(path, mirror);
	*kept = common;
	if (!reserve(path, count)) return false;
	while (path->count < count) {
		if (!push(path, mirror, literals[path->count])) return false;
	}
	return true;
}

void mz_path_slice(const struct mz_path *path, void (*visit)(mz_literal literal, void *data), void *data)
{
	uint32_t last = path->count - 1, i = last;
	do {
		visit(path->literals[i], data);
		i = path->next[i];
	} while (i != last);
}
