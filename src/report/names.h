/* SPDX-License-Identifier: MIT
 *
 * From addresses in a process that is gone to the words of its source: functions, lines, variables, heap blocks,
 * stacks. First everything that is known is added, then names are asked for; both may go on in turns. Addresses may be
 * anything at all: what is not known gets the name of its module and an offset, or its number.
 *
 * Functions that return int return -1 only when there is no memory.
 */
#ifndef MZ_REPORT_NAMES_H
#define MZ_REPORT_NAMES_H

#include "trace/trace.h"

struct mz_names;

/* Files under `directory` are named relative to it; NULL is the current one. NULL when there is no memory. */
struct mz_names *mz_names_new(const char *directory);
void mz_names_free(struct mz_names *names);

/* A loaded file: its load bias, and the addresses it takes. The first one is the program. */
int mz_names_add_module(struct mz_names *names, const char *path, uint64_t base, uint64_t start, uint64_t end);
int mz_names_add_stack(struct mz_names *names, uint64_t low, uint64_t high, const char *thread);
/* A heap block, who allocated it, and the return addresses of the call that did. Blocks whose memory it takes are
 * replaced by it, or, without `replace`, kept and the new one is forgotten. Adding the same block again changes
 * nothing. */
int mz_names_add_block(struct mz_names *names, uint64_t address, uint64_t length, uint32_t thread,
                       const uint64_t *frames, size_t n, bool replace);

/* Where the innermost of these return addresses is that lies in the program itself or in a library of its own (not in
 * the C library and the like). `place` is filled in: an empty one if there is none. */
int mz_names_place(struct mz_names *names, const uint64_t *frames, size_t n, struct mz_place *place);

/* The function that starts at an address. */
int mz_names_function(struct mz_names *names, uint64_t address, char **name);

/* The object, or part of one, at which an access of `length` bytes (0: unknown) starts: `counter`, `table[3].head`,
 * `heap block of 24 bytes from p.c:31 (make_node), +8`, `stack of main/2, top-64`. */
int mz_names_object(struct mz_names *names, uint64_t address, uint64_t length, char **name);

/* Where and by whom the heap block was allocated that the address is in or next to. False if there is none. `*place` is
 * borrowed, valid until the next call. */
bool mz_names_allocation(struct mz_names *names, uint64_t address, const struct mz_place **place, uint32_t *thread,
                         uint64_t *length);

/* A copy of a file's name, relative to the directory if it is under it. NULL when there is no memory. */
char *mz_names_file(const struct mz_names *names, const char *file);

/* Adds "p.c:31 (make_node)", or what of it is known. */
struct mz_buffer;
void mz_place_add(struct mz_buffer *text, const struct mz_place *place);

#endif
