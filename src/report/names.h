/* SPDX-License-Identifier: MIT
 *
 * Turns addresses in a process that is gone into the words of its source: functions, lines, variables, heap blocks,
 * stacks. First add everything that is known, then ask for names; both may go on in turns. Addresses may be anything at
 * all: an address of which nothing is known gets the name of its module and an offset, or its number.
 *
 * Functions that return int return -1 only when there is no memory.
 */
#ifndef MZ_REPORT_NAMES_H
#define MZ_REPORT_NAMES_H

#include "trace/trace.h"

struct mz_names;

/* Makes an empty collection of names. Files under `directory` will be named relative to it; NULL is the current
 * directory. Returns NULL when there is no memory. */
struct mz_names *mz_names_new(const char *directory);
void mz_names_free(struct mz_names *names);

/* Adds a loaded file, with its load bias and the addresses that it takes. The first one added is the program. */
int mz_names_add_module(struct mz_names *names, const char *path, uint64_t base, uint64_t start, uint64_t end);
int mz_names_add_stack(struct mz_names *names, uint64_t low, uint64_t high, const char *thread);
/* Adds a heap block, with the thread that allocated it and the return addresses of that call. Older blocks whose memory
 * overlaps are forgotten; without `replace` they are kept, and the new block is forgotten instead. Adding the same
 * block again changes nothing. */
int mz_names_add_block(struct mz_names *names, uint64_t address, uint64_t length, uint32_t thread,
                       const uint64_t *frames, size_t n, bool replace);

/* Fills in `place` with the innermost of these return addresses that lies in the program itself or in a library of its
 * own (not in the C library and the like); with an empty place if there is none. */
int mz_names_place(struct mz_names *names, const uint64_t *frames, size_t n, struct mz_place *place);

/* Returns in `*name` the function that starts at an address. */
int mz_names_function(struct mz_names *names, uint64_t address, char **name);

/* Returns in `*name` the object, or part of one, at which an access of `length` bytes (0: unknown) starts: `counter`,
 * `table[3].head`, `heap block of 24 bytes from p.c:31 (make_node), +8`, `stack of main/2, top-64`. */
int mz_names_object(struct mz_names *names, uint64_t address, uint64_t length, char **name);

/* Finds the heap block that the address is in or next to, and says where and by which thread it was allocated. Returns
 * false if there is none. `*place` is borrowed, valid until the next call. */
bool mz_names_allocation(struct mz_names *names, uint64_t address, const struct mz_place **place, uint32_t *thread,
                         uint64_t *length);

/* Adds the bytes of an object that the program marked as an input, as the type of the variable has them that the object
 * is, or is a part of: a static one, or one of the functions that were running (the innermost first). Returns false, with nothing added, if the debug
 * information does not tell. */
struct mz_marked;
struct mz_record_frame;
struct mz_buffer;
bool mz_names_value(struct mz_names *names, const struct mz_record_frame *frames, size_t n,
                    const struct mz_marked *marked, struct mz_buffer *text);

/* Returns a copy of a file's name, relative to the directory if the file is under it. NULL when there is no memory. */
char *mz_names_file(const struct mz_names *names, const char *file);

/* Adds a place as "p.c:31 (make_node)", or as much of that as is known. */
void mz_place_add(struct mz_buffer *text, const struct mz_place *place);

#endif
