/* SPDX-License-Identifier: MIT
 *
 * add() looks at what a type is and calls the function for that; those for arrays and structs call add() for what is
 * in them. A type that is incomplete, or has another size than the bytes, ends this: then nothing is shown at all.
 */
#include "report/dwarf_value.h"
#include "report/dwarf_type.h"
#include "report/literal.h"
#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 16, ELEMENTS_SHOWN = 32, LENGTH_SHOWN = 1000 };

static bool add(struct mz_buffer *text, const Dwarf_Die *type, const uint8_t *bytes, uint64_t size, int depth);

/* ---- numbers and characters ---- */

static uint64_t encoding_of(Dwarf_Die *type)
{
	uint64_t encoding;
	if (dwarf_tag(type) != DW_TAG_base_type) return 0;
	return mz_dwarf_number_of(type, DW_AT_encoding, &encoding) ? encoding : 0;
}

static bool is_signed(Dwarf_Die *type)
{
	uint64_t encoding = encoding_of(type);
	return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
}

/* Reports whether a type is one of whose elements a string is: char, also with a sign, and char8_t. */
static bool is_letter(Dwarf_Die *type)
{
	uint64_t size, encoding = encoding_of(type);
	bool letter = encoding == DW_ATE_signed_char || encoding == DW_ATE_unsigned_char || encoding == DW_ATE_UTF;
	return letter && mz_dwarf_size_of(type, &size) && size == 1;
}

/* A char with a sign is a small number more often than a letter. */
static bool is_character(Dwarf_Die *type)
{
	const char *name = dwarf_diename(type);
	return is_letter(type) && name && (strcmp(name, "char") == 0 || strcmp(name, "char8_t") == 0);
}

/* Adds a number with as few digits as tell it from others of its type. */
static bool add_real(struct mz_buffer *text, const uint8_t *bytes, uint64_t size)
{
	char digits[64];
	float small = 0;
	double middle = 0;
	long double large = 0;
	bool same = false;
	if (size != sizeof small && size != sizeof middle && size != sizeof large) return false;
	memcpy(size == sizeof small    ? (void *)&small
	       : size == sizeof middle ? (void *)&middle
	                               : (void *)&large,
	       bytes, size);
	for (int precision = 6; !same && precision <= 21; precision++) {
		if (size == sizeof large)
			snprintf(digits, sizeof digits, "%.*Lg", precision, large);
		else
			snprintf(digits, sizeof digits, "%.*g", precision,
			         size == sizeof small ? (double)small : middle);
		same = size == sizeof small    ? strtof(digits, NULL) == small
		       : size == sizeof middle ? strtod(digits, NULL) == middle
		                               : strtold(digits, NULL) == large;
	}
	mz_buffer_add_string(text, digits);
	return true;
}

static bool add_base(struct mz_buffer *text, Dwarf_Die *type, const uint8_t *bytes, uint64_t size)
{
	switch (encoding_of(type)) {
	case DW_ATE_float: return add_real(text, bytes, size);
	case DW_ATE_boolean:
		if (bytes[0] > 1) break;
		mz_buffer_add_string(text, bytes[0] ? "true" : "false");
		return true;
	case DW_ATE_signed_char:
	case DW_ATE_unsigned_char:
	case DW_ATE_UTF:
		if (!is_character(type)) break;
		mz_literal_add_character(text, bytes[0], is_signed(type));
		return true;
	case DW_ATE_signed:
	case DW_ATE_unsigned: break;
	default: return false;
	}
	mz_literal_add_integer(text, bytes, size, is_signed(type));
	return true;
}

static bool add_pointer(struct mz_buffer *text, const uint8_t *bytes, uint64_t size)
{
	if (size > 8) return false;
	mz_buffer_add(text, "0x%" PRIx64, mz_literal_number(bytes, size));
	return true;
}

/* ---- enumerations ---- */

/* Reports whether an enumerator stands for a number. Some compilers write it down with a sign, some without. */
static bool stands_for(Dwarf_Die *enumerator, uint64_t number, uint64_t size)
{
	Dwarf_Attribute attribute;
	Dwarf_Sword value;
	if (dwarf_tag(enumerator) != DW_TAG_enumerator || !dwarf_attr(enumerator, DW_AT_const_value, &attribute))
		return false;
	uint64_t bits = size < 8 ? (1ULL << (8 * size)) - 1 : UINT64_MAX;
	return dwarf_formsdata(&attribute, &value) == 0 && (((uint64_t)value ^ number) & bits) == 0;
}

static bool add_enumeration(struct mz_buffer *text, Dwarf_Die *type, const uint8_t *bytes, uint64_t size)
{
	Dwarf_Die child, underlying;
	if (size > 8) return false;
	uint64_t number = mz_literal_number(bytes, size);
	for (int more = dwarf_child(type, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
		if (!stands_for(&child, number, size) || !dwarf_diename(&child)) continue;
		mz_buffer_add_string(text, dwarf_diename(&child));
		return true;
	}
	bool known = mz_dwarf_type_of(type, &underlying) && dwarf_peel_type(&underlying, &underlying) == 0;
	mz_literal_add_integer(text, bytes, size, known && is_signed(&underlying));
	return true;
}

/* ---- arrays ---- */

/* An array, or a row of one. */
struct array {
	Dwarf_Die element; /* not an alias */
	uint64_t size;     /* of an element */
	uint64_t counts[MZ_DWARF_DIMENSIONS];
	size_t dimensions;
};

/* Adds "..." and returns true if there is so much already that nothing more should follow. */
static bool is_cut(struct mz_buffer *text, bool much)
{
	if (!much && text->length < LENGTH_SHOWN) return false;
	mz_buffer_add_string(text, "...");
	return true;
}

/* Adds the bytes as rows of the dimension `from`, whose elements are rows of the next, if there is one. */
static bool add_rows(struct mz_buffer *text, struct array *array, size_t from, const uint8_t *bytes, uint64_t size,
                     int depth)
{
	bool last = from + 1 >= array->dimensions;
	uint64_t row = array->size;
	for (size_t i = from + 1; i < array->dimensions; i++) row *= array->counts[i];
	if (row == 0 || size % row != 0) return size == 0 && (mz_buffer_add_string(text, "{}"), true);
	if (last && is_letter(&array->element)) {
		mz_literal_add_text(text, bytes, size);
		return true;
	}
	mz_buffer_add_string(text, "{");
	for (uint64_t at = 0; at < size; at += row) {
		if (at) mz_buffer_add_string(text, ", ");
		if (is_cut(text, at >= ELEMENTS_SHOWN * row)) break;
		bool good = last ? add(text, &array->element, bytes + at, row, depth + 1)
		                 : add_rows(text, array, from + 1, bytes + at, row, depth + 1);
		if (!good) return false;
	}
	mz_buffer_add_string(text, "}");
	return true;
}

static bool add_array(struct mz_buffer *text, Dwarf_Die *type, const uint8_t *bytes, uint64_t size, int depth)
{
	struct array array;
	if (!mz_dwarf_element(type, &array.element, &array.size)) return false;
	if (dwarf_peel_type(&array.element, &array.element) != 0) return false;
	array.dimensions = mz_dwarf_dimensions(type, array.counts);
	return add_rows(text, &array, 0, bytes, size, depth);
}

/* ---- structs and unions ---- */

/* Moves the bits of a bit-field to the low end of an object of its type, with the sign or zeros before them. */
static bool extract(const struct mz_dwarf_member *member, const uint8_t *bytes, uint64_t size, uint8_t field[8])
{
	Dwarf_Die type;
	if (size > 8 || member->size > 8 || member->bits == 0 || member->bits > 64 ||
	    dwarf_peel_type((Dwarf_Die *)&member->type, &type) != 0)
		return false;
	uint64_t value = mz_literal_number(bytes, member->size) >> member->first_bit;
	uint64_t sign = 1ULL << (member->bits - 1);
	value &= sign | (sign - 1);
	if (is_signed(&type)) value = (value ^ sign) - sign;
	memcpy(field, &value, sizeof value);
	return true;
}

static bool add_member(struct mz_buffer *text, const struct mz_dwarf_member *member, const uint8_t *bytes,
                       uint64_t size, int depth)
{
	uint64_t whole;
	uint8_t field[8];
	if (member->start > size || member->size > size - member->start) return false;
	bytes += member->start;
	if (!member->bits) return add(text, &member->type, bytes, member->size, depth);
	return mz_dwarf_size_of((Dwarf_Die *)&member->type, &whole) && extract(member, bytes, whole, field) &&
	       add(text, &member->type, field, whole, depth);
}

/* Returns the name of a member, or of the class that is a base; NULL if it has none. */
static const char *name_of(struct mz_dwarf_member *member)
{
	return dwarf_diename(dwarf_tag(&member->die) == DW_TAG_member ? &member->die : &member->type);
}

/* Returns whether the only member has a name of the library: std::array and std::atomic are what is in them. */
static bool is_wrapper(Dwarf_Die *type, struct mz_dwarf_member *only)
{
	Dwarf_Die child;
	struct mz_dwarf_member member;
	int n = 0;
	for (int more = dwarf_child(type, &child); more == 0; more = dwarf_siblingof(&child, &child))
		if (mz_dwarf_member_at(&child, &member) && n++ == 0) *only = member;
	return n == 1 && name_of(only) && mz_dwarf_is_reserved(name_of(only));
}

static bool add_struct(struct mz_buffer *text, Dwarf_Die *type, const uint8_t *bytes, uint64_t size, int depth)
{
	Dwarf_Die child;
	struct mz_dwarf_member member;
	bool any = false;
	if (is_wrapper(type, &member)) return add_member(text, &member, bytes, size, depth + 1);
	mz_buffer_add_string(text, "{");
	for (int more = dwarf_child(type, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
		if (!mz_dwarf_member_at(&child, &member)) continue;
		if (any) mz_buffer_add_string(text, ", ");
		any = true;
		if (is_cut(text, false)) break;
		const char *name = name_of(&member);
		if (name) mz_buffer_add(text, "%s = ", name);
		if (!add_member(text, &member, bytes, size, depth + 1)) return false;
	}
	mz_buffer_add_string(text, "}");
	return true;
}

/* ---- all ---- */

static bool add(struct mz_buffer *text, const Dwarf_Die *of, const uint8_t *bytes, uint64_t size, int depth)
{
	Dwarf_Die type;
	uint64_t known;
	if (depth > DEPTH_MAX || dwarf_peel_type((Dwarf_Die *)of, &type) != 0) return false;
	bool sized = mz_dwarf_size_of(&type, &known);
	if (sized && known != size) return false;
	int tag = dwarf_tag(&type);
	if (tag == DW_TAG_array_type) return add_array(text, &type, bytes, size, depth);
	if (!sized || size == 0) return false;
	switch (tag) {
	case DW_TAG_base_type: return add_base(text, &type, bytes, size);
	case DW_TAG_enumeration_type: return add_enumeration(text, &type, bytes, size);
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type: return add_pointer(text, bytes, size);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type: return add_struct(text, &type, bytes, size, depth);
	default: return false;
	}
}

/* Adds the text if it is `good`. */
static bool add_if(struct mz_buffer *text, struct mz_buffer *value, bool good)
{
	if (good && !value->failed) mz_buffer_add_bytes(text, value->text, value->length);
	if (good) text->failed |= value->failed;
	mz_buffer_release(value);
	return good;
}

bool mz_dwarf_value_add(struct mz_buffer *text, const Dwarf_Die *type, const uint8_t *bytes, uint64_t size)
{
	struct mz_buffer value = {0};
	return add_if(text, &value, add(&value, type, bytes, size, 0));
}

bool mz_dwarf_value_add_elements(struct mz_buffer *text, const Dwarf_Die *type, const uint8_t *bytes, uint64_t size)
{
	struct mz_buffer value = {0};
	struct array array = {.counts = {0}, .dimensions = 1};
	if (dwarf_peel_type((Dwarf_Die *)type, &array.element) != 0 || !mz_dwarf_size_of(&array.element, &array.size))
		return false;
	return add_if(text, &value, add_rows(&value, &array, 0, bytes, size, 0));
}
