/* SPDX-License-Identifier: MIT
 *
 * Turns an offset into a variable into the words that a C programmer would use for it, by means of the variable's DWARF
 * type.
 */
#ifndef MZ_REPORT_DWARF_TYPE_H
#define MZ_REPORT_DWARF_TYPE_H

#include "report/buffer.h"
#include <elfutils/libdw.h>
#include <stdint.h>

enum { MZ_DWARF_DIMENSIONS = 8 };

/* A member, and the bytes of the struct that it takes. */
struct mz_dwarf_member {
	Dwarf_Die die;
	Dwarf_Die type;
	uint64_t start;
	uint64_t size;
	unsigned first_bit; /* of a bit-field: the first bit of the first byte that belongs to it */
	unsigned bits;      /* 0: no bit-field */
};

/* Finds the type of a variable or member. Returns false if it has none. */
bool mz_dwarf_type_of(Dwarf_Die *die, Dwarf_Die *type);

/* Return the number that an attribute is, and the size of a type. Return false if the debug information says neither. */
bool mz_dwarf_number_of(Dwarf_Die *die, unsigned name, uint64_t *value);
bool mz_dwarf_size_of(Dwarf_Die *type, uint64_t *size);

/* Fills in how many elements each dimension of an array has (0: unknown). Returns the number of dimensions. */
size_t mz_dwarf_dimensions(Dwarf_Die *array, uint64_t counts[MZ_DWARF_DIMENSIONS]);

/* Fills in the type of the elements of an array, behind all of its dimensions, and their size. Returns false if the
 * type is no array. */
bool mz_dwarf_element(Dwarf_Die *array, Dwarf_Die *element, uint64_t *size);

/* Fills in a member from its debug information. Returns false if the entry is no member that takes bytes. */
bool mz_dwarf_member_at(Dwarf_Die *die, struct mz_dwarf_member *member);

/* Reports whether a name is one that only the C or C++ library may use. */
bool mz_dwarf_is_reserved(const char *name);

enum mz_dwarf_part { MZ_DWARF_NO_PART, MZ_DWARF_OBJECT, MZ_DWARF_ELEMENTS };

/* Finds what `length` bytes at an offset in an object of a type are: an object of the type `part`, several elements of
 * that type, or neither. Of a struct and its only member it is the struct. */
enum mz_dwarf_part mz_dwarf_type_part(const Dwarf_Die *type, uint64_t offset, uint64_t length, Dwarf_Die *part);

/* Adds `[3].head`, `.lock`, `+12` or nothing: where in an object of that type an access of `length` bytes (0: unknown)
 * at `offset` starts. Members whose names are reserved for the C library are not gone into. */
void mz_dwarf_type_path(const Dwarf_Die *type, uint64_t offset, uint64_t length, struct mz_buffer *path);

#endif
