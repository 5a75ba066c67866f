/* SPDX-License-Identifier: MIT
 *
 * Reads what one file (the program, or a library of it) says about its addresses: symbols and debug information.
 * Addresses are those in the file, before the load bias. There are two implementations: symbols_dwarf.c reads with
 * libdw, symbols_none.c is for builds without it and knows nothing.
 */
#ifndef MZ_REPORT_SYMBOLS_H
#define MZ_REPORT_SYMBOLS_H

#include "report/buffer.h"
#include "trace/recording.h"
#include "trace/trace.h"

struct mz_symbols;

/* Returns whether this build can read symbols at all. */
bool mz_symbols_available(void);

/* Opens a file. Returns NULL if the file cannot be read, is no regular file or has no symbols. */
struct mz_symbols *mz_symbols_new(const char *path);
void mz_symbols_free(struct mz_symbols *symbols);

/* Fills in the function (the innermost inlined one) and source line of an instruction. A field of `place` that is
 * unknown is left as it is. The file is named as the compiler was given it. Returns 0, or -1 when there is no memory.
 */
int mz_symbols_place(struct mz_symbols *symbols, uint64_t address, struct mz_place *place);

/* Adds the name of the variable, or part of one, at which an access of `length` bytes starts: `table[3].head`. Returns
 * false, with nothing added, if there is none. */
bool mz_symbols_object(struct mz_symbols *symbols, uint64_t address, uint64_t length, struct mz_buffer *name);

/* An object that the program marked as an input. */
struct mz_marked {
	uint64_t address; /* of the object */
	const char *name; /* what the program calls it */
	const uint8_t *bytes;
	uint64_t size;
};

/* Add the bytes of an object as the type of the variable has them that the object is, or is a part of. The first looks
 * for a variable with a fixed address, which is `address`; the second for one that is in scope in a frame (its `code` is
 * an address in the file), by its address or `by_name`. Return false, with nothing added, if there is none. */
bool mz_symbols_static_value(struct mz_symbols *symbols, uint64_t address, const struct mz_marked *marked,
                             struct mz_buffer *text);
bool mz_symbols_local_value(struct mz_symbols *symbols, const struct mz_record_frame *frame,
                            const struct mz_marked *marked, bool by_name, struct mz_buffer *text);

#endif
