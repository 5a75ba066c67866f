/* SPDX-License-Identifier: MIT
 *
 * Each round of mz_dwarf_type_path() goes one level down: into the element of an array, or the member of a struct or
 * union that has the byte at `offset`. It ends where the access covers the whole of what it has reached, or nothing
 * more can be said.
 */
#include "report/dwarf_type.h"
#include <ctype.h>
#include <dwarf.h>
#include <inttypes.h>

enum { DEPTH_MAX = 64 };

struct cursor {
	Dwarf_Die type;
	uint64_t offset;
	uint64_t length;
	bool nameless;   /* the current type is that of an anonymous member, so the path has to go on into it */
	uint64_t hidden; /* offset of the anonymous member in the last object that has a name */
	struct mz_buffer *path;
};

bool mz_dwarf_type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attribute;
	return dwarf_attr_integrate(die, DW_AT_type, &attribute) && dwarf_formref_die(&attribute, type);
}

bool mz_dwarf_number_of(Dwarf_Die *die, unsigned name, uint64_t *value)
{
	Dwarf_Attribute attribute;
	Dwarf_Word word;
	if (!dwarf_attr_integrate(die, name, &attribute) || dwarf_formudata(&attribute, &word) != 0) return false;
	*value = word;
	return true;
}

bool mz_dwarf_size_of(Dwarf_Die *type, uint64_t *size)
{
	Dwarf_Word word;
	if (dwarf_aggregate_size(type, &word) != 0) return false;
	*size = word;
	return true;
}

/* ---- arrays ---- */

static uint64_t count_of(Dwarf_Die *subrange)
{
	uint64_t count;
	if (mz_dwarf_number_of(subrange, DW_AT_count, &count)) return count;
	return mz_dwarf_number_of(subrange, DW_AT_upper_bound, &count) ? count + 1 : 0;
}

size_t mz_dwarf_dimensions(Dwarf_Die *array, uint64_t counts[MZ_DWARF_DIMENSIONS])
{
	Dwarf_Die child;
	size_t n = 0;
	if (dwarf_child(array, &child) != 0) return 0;
	do {
		if (dwarf_tag(&child) == DW_TAG_subrange_type && n < MZ_DWARF_DIMENSIONS)
			counts[n++] = count_of(&child);
	} while (dwarf_siblingof(&child, &child) == 0);
	return n;
}

static bool enter_array(struct cursor *c)
{
	Dwarf_Die element;
	uint64_t size, counts[MZ_DWARF_DIMENSIONS];
	size_t n = mz_dwarf_dimensions(&c->type, counts);
	if (!mz_dwarf_type_of(&c->type, &element) || !mz_dwarf_size_of(&element, &size) || size == 0 || n == 0)
		return false;
	uint64_t index = c->offset / size, row = 1;
	for (size_t i = 1; i < n; i++) row *= counts[i];
	for (size_t i = 0; i < n && row; i++) {
		mz_buffer_add(c->path, "[%" PRIu64 "]", index / row);
		index %= row;
		if (i + 1 < n) row /= counts[i + 1];
	}
	c->offset %= size;
	c->type = element;
	return row != 0;
}

/* ---- structs and unions ---- */

/* Finds where a bit-field starts, in bits from the start of the struct. Before DWARF 5, and with clang, the debug
 * information counts from the top of the unit that the bit-field is stored in. Returns false if it says nothing. */
static bool first_bit(Dwarf_Die *die, uint64_t unit, uint64_t bits, uint64_t *first)
{
	uint64_t from_top, start = 0;
	if (mz_dwarf_number_of(die, DW_AT_data_bit_offset, first)) return true;
	if (!mz_dwarf_number_of(die, DW_AT_bit_offset, &from_top) || from_top + bits > unit * 8) return false;
	mz_dwarf_number_of(die, DW_AT_data_member_location, &start);
	*first = start * 8 + unit * 8 - from_top - bits;
	return true;
}

/* Ordinary members have an offset in bytes, bit-fields one in bits, members of unions none. */
bool mz_dwarf_member_at(Dwarf_Die *die, struct mz_dwarf_member *member)
{
	uint64_t bit, bits = 0;
	int tag = dwarf_tag(die);
	if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || dwarf_hasattr(die, DW_AT_external)) return false;
	*member = (struct mz_dwarf_member){.die = *die};
	if (!mz_dwarf_type_of(die, &member->type) || !mz_dwarf_size_of(&member->type, &member->size)) return false;
	mz_dwarf_number_of(die, DW_AT_data_member_location, &member->start);
	if (!mz_dwarf_number_of(die, DW_AT_bit_size, &bits) || bits == 0) return true;
	if (!first_bit(die, member->size, bits, &bit)) return true;
	member->start = bit / 8;
	member->size = (bit + bits - 1) / 8 - bit / 8 + 1;
	member->first_bit = (unsigned)(bit % 8);
	member->bits = (unsigned)bits;
	return true;
}

static bool has_byte(const struct mz_dwarf_member *member, uint64_t offset)
{
	return member->start <= offset && offset - member->start < member->size;
}

/* Returns how well a member of a union explains an access: 2 if it is exactly the bytes accessed, 1 if it has members
 * or elements of its own, else 0. */
static int fitness(struct mz_dwarf_member *member, const struct cursor *c)
{
	Dwarf_Die type;
	if (member->start == c->offset && member->size == c->length) return 2;
	if (dwarf_peel_type(&member->type, &type) != 0) return 0;
	int tag = dwarf_tag(&type);
	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_array_type;
}

/* Finds the member that has the byte at the cursor; in a union, the one that explains the access best. Returns false if
 * there is none, or if bit-fields share the byte. */
static bool find_member(struct cursor *c, struct mz_dwarf_member *found)
{
	Dwarf_Die child;
	struct mz_dwarf_member member;
	size_t n = 0;
	if (dwarf_child(&c->type, &child) != 0) return false;
	do {
		if (!mz_dwarf_member_at(&child, &member) || !has_byte(&member, c->offset)) continue;
		if (n++ == 0 || fitness(&member, c) > fitness(found, c)) *found = member;
	} while (dwarf_siblingof(&child, &child) == 0);
	return n == 1 || (n > 1 && dwarf_tag(&c->type) == DW_TAG_union_type);
}

bool mz_dwarf_is_reserved(const char *name)
{
	return name[0] == '_' && (name[1] == '_' || isupper((unsigned char)name[1]));
}

/* Moves the cursor into the member that has the byte, and adds its name to the path. Anonymous members and base classes
 * have no name. Returns false if the path ends here. */
static bool enter_struct(struct cursor *c)
{
	struct mz_dwarf_member member;
	if (!find_member(c, &member)) return false;
	if (c->offset == 0 && c->length > member.size && !c->nameless) return false;
	const char *name = dwarf_tag(&member.die) == DW_TAG_member ? dwarf_diename(&member.die) : NULL;
	if (name && mz_dwarf_is_reserved(name)) return false;
	if (name) mz_buffer_add(c->path, ".%s", name);
	c->hidden = name ? 0 : c->hidden + member.start;
	c->nameless = !name;
	c->offset -= member.start;
	c->type = member.type;
	return true;
}

bool mz_dwarf_element(Dwarf_Die *array, Dwarf_Die *element, uint64_t *size)
{
	return dwarf_tag(array) == DW_TAG_array_type && mz_dwarf_type_of(array, element) &&
	       mz_dwarf_size_of(element, size) && *size != 0;
}

/* ---- both ---- */

/* Moves the cursor one level down. Returns false when it can go no further. */
static bool go_down(struct cursor *c)
{
	uint64_t size;
	if (dwarf_peel_type(&c->type, &c->type) != 0) return false;
	if (c->offset == 0 && !c->nameless && mz_dwarf_size_of(&c->type, &size) && c->length >= size) return false;
	switch (dwarf_tag(&c->type)) {
	case DW_TAG_array_type: return enter_array(c);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type: return enter_struct(c);
	default: return false;
	}
}

void mz_dwarf_type_path(const Dwarf_Die *type, uint64_t offset, uint64_t length, struct mz_buffer *path)
{
	struct cursor c = {.type = *type, .offset = offset, .length = length ? length : 1, .path = path};
	for (int depth = 0; depth < DEPTH_MAX && go_down(&c); depth++) {}
	if (c.offset + c.hidden != 0) mz_buffer_add(path, "+%" PRIu64, c.offset + c.hidden);
}

/* Returns whether the cursor is at an array of which the bytes are whole elements. */
static bool are_elements(struct cursor *c, Dwarf_Die *part)
{
	uint64_t size;
	return mz_dwarf_element(&c->type, part, &size) && c->offset % size == 0 && c->length % size == 0 &&
	       c->length > size;
}

enum mz_dwarf_part mz_dwarf_type_part(const Dwarf_Die *type, uint64_t offset, uint64_t length, Dwarf_Die *part)
{
	struct mz_buffer path = {0};
	struct cursor c = {.type = *type, .offset = offset, .length = length, .path = &path};
	enum mz_dwarf_part found = MZ_DWARF_NO_PART;
	for (int depth = 0; depth < DEPTH_MAX && found == MZ_DWARF_NO_PART; depth++) {
		uint64_t size;
		if (dwarf_peel_type(&c.type, &c.type) != 0) break;
		*part = c.type;
		if (c.offset == 0 && mz_dwarf_size_of(&c.type, &size) && size == length)
			found = MZ_DWARF_OBJECT;
		else if (are_elements(&c, part))
			found = MZ_DWARF_ELEMENTS;
		else if (!go_down(&c))
			break;
	}
	mz_buffer_release(&path);
	return found;
}
