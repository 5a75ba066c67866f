/* SPDX-License-Identifier: MIT
 *
 * How long instructions of x86-64 are, and whether they are atomic: just enough to walk through the code of a module
 * one instruction after another. Bytes that are no instruction are passed over one by one.
 */
#include "runtime/core/arch.h"

struct decoder {
	const uint8_t *at, *end;
	bool lock, wide_immediate, short_immediate;
};

/* Opcodes of one byte that have a ModRM byte: a bit for each, from 0x00 on. */
static const uint32_t has_modrm[8] = {0x0f0f0f0f, 0x0f0f0f0f, 0x00000000, 0x00000a08,
                                      0x0000ffff, 0x00000000, 0xff0f00c3, 0xc0c00000};
/* Opcodes of two bytes (0x0f ...) that have no ModRM byte. */
static const uint32_t two_without[8] = {0x00004be0, 0x00ff0000, 0x00000000, 0x00800000,
                                        0x0000ffff, 0x00000707, 0x0000ff00, 0x00000000};
/* Opcodes of two bytes that have an immediate byte. */
static const uint32_t two_with_byte[8] = {0x00000000, 0x00000000, 0x00000000, 0x000f0000,
                                          0x00000000, 0x04001010, 0x00000074, 0x00000000};

static bool bit(const uint32_t table[8], uint8_t opcode)
{
	return table[opcode / 32] >> opcode % 32 & 1;
}

/* Returns the length of a ModRM byte and what belongs to it, and sets whether it names memory; SIZE_MAX if not all
 * bytes are there. */
static size_t modrm_length(const struct decoder *d, bool *memory)
{
	if (d->at >= d->end) return SIZE_MAX;
	uint8_t mod = *d->at >> 6, rm = *d->at & 7;
	size_t length = 1;
	*memory = mod != 3;
	if (mod == 3) return length;
	if (rm == 4) {
		if (d->at + 1 >= d->end) return SIZE_MAX;
		length++;
		if (mod == 0 && (d->at[1] & 7) == 5) length += 4;
	}
	if (mod == 0 && rm == 5) length += 4;
	return length + (mod == 1 ? 1 : mod == 2 ? 4 : 0);
}

static size_t immediate_of(const struct decoder *d, uint8_t opcode)
{
	size_t full = d->short_immediate ? 2 : 4;
	uint8_t digit = d->at < d->end ? *d->at >> 3 & 7 : 0;
	if (opcode < 0x40) return (opcode & 7) == 4 ? 1 : (opcode & 7) == 5 ? full : 0;
	if ((opcode & 0xf0) == 0x70 || (opcode >= 0xb0 && opcode < 0xb8)) return 1;
	if (opcode >= 0xb8 && opcode < 0xc0) return d->wide_immediate ? 8 : full;
	if (opcode >= 0xa0 && opcode < 0xa4) return 8;
	if (opcode >= 0xe0 && opcode < 0xe8) return 1;
	switch (opcode) {
	case 0x6a:
	case 0x6b:
	case 0x80:
	case 0x82:
	case 0x83:
	case 0xa8:
	case 0xc0:
	case 0xc1:
	case 0xc6:
	case 0xcd:
	case 0xeb: return 1;
	case 0x68:
	case 0x69:
	case 0x81:
	case 0xa9:
	case 0xc7: return full;
	case 0xc2: return 2;
	case 0xc8: return 3;
	case 0xe8:
	case 0xe9: return 4;
	case 0xf6: return digit < 2 ? 1 : 0;
	case 0xf7: return digit < 2 ? full : 0;
	default: return 0;
	}
}

/* Reports whether the opcode may have a lock prefix. */
static bool can_lock(uint8_t opcode)
{
	return opcode < 0x32 || (opcode >= 0x80 && opcode < 0x84) || opcode == 0x86 || opcode == 0x87 || opcode >= 0xf6;
}

static bool can_lock_two(uint8_t opcode)
{
	return opcode == 0xab || opcode == 0xb0 || opcode == 0xb1 || opcode == 0xb3 || opcode == 0xba ||
	       opcode == 0xbb || opcode == 0xc0 || opcode == 0xc1 || opcode == 0xc7;
}

static void prefixes(struct decoder *d)
{
	for (; d->at < d->end; d->at++) {
		switch (*d->at) {
		case 0xf0: d->lock = true; break;
		case 0x66: d->short_immediate = true; break;
		case 0x67:
		case 0xf2:
		case 0xf3:
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0x26:
		case 0x64:
		case 0x65: break;
		default: return;
		}
	}
}

/* Reports whether a ModRM byte names memory by the stack pointer: compilers write fences as atomic operations on such
 * memory. */
static bool is_on_stack(const uint8_t *modrm)
{
	return modrm[0] >> 6 != 3 && (modrm[0] & 7) == 4 && (modrm[1] & 7) == 4;
}

/* Skips what follows the opcode. Returns false if that is beyond the end. */
static bool finish(struct decoder *d, bool modrm, size_t immediate, bool *memory)
{
	size_t length = modrm ? modrm_length(d, memory) : 0;
	if (length == SIZE_MAX || length + immediate > (size_t)(d->end - d->at)) return false;
	if (modrm && *memory && is_on_stack(d->at)) *memory = false;
	d->at += length + immediate;
	return true;
}

/* VEX and EVEX: `map` says which table the opcode is of. */
static bool finish_vector(struct decoder *d, size_t payload, unsigned map)
{
	bool memory = false;
	if ((size_t)(d->end - d->at) <= payload + 1) return false;
	uint8_t opcode = d->at[payload];
	d->at += payload + 1;
	bool byte = map == 3 || (map == 1 && bit(two_with_byte, opcode));
	return finish(d, map != 1 || opcode != 0x77, byte, &memory);
}

static bool decode_two(struct decoder *d, bool *atomic)
{
	bool memory = false;
	if (d->at >= d->end) return false;
	uint8_t opcode = *d->at++;
	if (opcode == 0x38 || opcode == 0x3a) {
		if (d->at >= d->end) return false;
		d->at++;
		return finish(d, true, opcode == 0x3a, &memory);
	}
	size_t immediate = (opcode & 0xf0) == 0x80 ? 4 : bit(two_with_byte, opcode);
	if (!finish(d, !bit(two_without, opcode), immediate, &memory)) return false;
	*atomic = d->lock && memory && can_lock_two(opcode);
	return true;
}

static bool decode(struct decoder *d, bool *atomic)
{
	bool memory = false;
	prefixes(d);
	if (d->at < d->end && (*d->at & 0xf0) == 0x40) d->wide_immediate = *d->at++ & 8;
	if (d->at >= d->end) return false;
	uint8_t opcode = *d->at++;
	if (opcode == 0x0f) return decode_two(d, atomic);
	if (opcode == 0xc5) return finish_vector(d, 1, 1);
	if (opcode == 0xc4 && d->at < d->end) return finish_vector(d, 2, *d->at & 0x1f);
	if (opcode == 0x62 && d->at < d->end) return finish_vector(d, 3, *d->at & 7);
	if (!finish(d, bit(has_modrm, opcode), immediate_of(d, opcode), &memory)) return false;
	bool exchanges = opcode == 0x86 || opcode == 0x87;
	*atomic = memory && (exchanges || (d->lock && can_lock(opcode)));
	return true;
}

const uint8_t *mz_arch_find_atomic(const uint8_t *from, const uint8_t *to, const uint8_t **next)
{
	while (from < to) {
		bool atomic = false;
		struct decoder d = {.at = from, .end = to};
		bool known = decode(&d, &atomic);
		*next = known ? d.at : from + 1;
		if (known && atomic) return from;
		from = *next;
	}
	return NULL;
}

/* ---- calls ---- */

static int32_t distance_at(const uint8_t *at)
{
	int32_t distance;
	__builtin_memcpy(&distance, at, sizeof distance);
	return distance;
}

/* Returns the address that an instruction jumps to or calls which reads it from a table, `at` being behind its opcode. */
static const void *from_table(const uint8_t *at)
{
	return *(const void *const *)(at + 4 + distance_at(at));
}

/* Returns where a stub of the linker leads: one that jumps through a table; or its own address. */
static const void *behind_stub(const uint8_t *stub)
{
	static const uint8_t landing[] = {0xf3, 0x0f, 0x1e, 0xfa}; /* endbr64 */
	const uint8_t *at = stub;
	if (__builtin_memcmp(at, landing, sizeof landing) == 0) at += sizeof landing;
	if (*at == 0xf2) at++; /* bnd */
	return at[0] == 0xff && at[1] == 0x25 ? from_table(at + 2) : stub;
}

bool mz_arch_is_call(const uint8_t *place, const void *function)
{
	if (place[-6] == 0xff && place[-5] == 0x15 && from_table(place - 4) == function) return true;
	return place[-5] == 0xe8 && behind_stub(place + distance_at(place - 4)) == function;
}
