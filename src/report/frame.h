/* SPDX-License-Identifier: MIT
 *
 * Variables of a function while it makes a call: which of them an object is, by its address, or by its name where the
 * debug information does not tell the address.
 */
#ifndef MZ_REPORT_FRAME_H
#define MZ_REPORT_FRAME_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>

/* What is looked for, and what was found. */
struct mz_frame_search {
	Dwfl_Module *module;
	uint64_t code;    /* an address within the call, as in the file */
	uint64_t sp, bp;  /* registers of the function that makes the call */
	uint64_t object;  /* address of the object */
	uint64_t size;    /* bytes of it */
	const char *name; /* what the variable may be called */
	/* Of the unit that has the code: */
	Dwarf_Die *unit;
	uint64_t bias;
	/* Set by mz_frame_search(): */
	Dwarf_Die placed; /* the innermost variable that has all of the object's bytes ... */
	uint64_t offset;  /* ... and where in it they are */
	Dwarf_Die named;  /* the innermost variable of that name */
	bool is_placed, is_named;
	bool is_elsewhere; /* that variable of that name is known to be at another address than the object */
};

/* Looks through the variables and parameters that are in scope at the call. Of those with a fixed address only
 * the names count. */
void mz_frame_search(struct mz_frame_search *search);

#endif
