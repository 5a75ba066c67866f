/* SPDX-License-Identifier: MIT
 *
 * The address of a local variable is an offset from the base of its frame, which is the value of a register or the
 * canonical frame address (CFA). That is again an offset from a register, by the tables for unwinding. Of the registers
 * two are known: the stack pointer and the frame pointer.
 */
#include "report/frame.h"
#include "report/dwarf_type.h"
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 100, BP = 6, SP = 7 };

/* ---- addresses ---- */

static bool register_of(const struct mz_frame_search *s, uint64_t number, uint64_t *value)
{
	*value = number == SP ? s->sp : s->bp;
	return number == SP || number == BP;
}

static bool is_register(const Dwarf_Op *op)
{
	return op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31;
}

/* Evaluates an expression that is a register, with or without an offset. */
static bool based(const struct mz_frame_search *s, const Dwarf_Op *op, uint64_t *value)
{
	uint64_t offset = 0, number;
	if (is_register(op)) {
		number = op->atom - DW_OP_reg0;
	} else if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		number = op->atom - DW_OP_breg0;
		offset = op->number;
	} else if (op->atom == DW_OP_bregx) {
		number = op->number;
		offset = op->number2;
	} else {
		return false;
	}
	if (!register_of(s, number, value)) return false;
	*value += offset;
	return true;
}

static bool cfa_by(const struct mz_frame_search *s, Dwarf_CFI *cfi, uint64_t bias, uint64_t *value)
{
	Dwarf_Frame *frame = NULL;
	Dwarf_Op *ops;
	size_t n;
	bool good = cfi && dwarf_cfi_addrframe(cfi, s->code - bias, &frame) == 0;
	good = good && dwarf_frame_cfa(frame, &ops, &n) == 0 && n == 1 && based(s, ops, value);
	free(frame);
	return good;
}

static bool cfa(const struct mz_frame_search *s, uint64_t *value)
{
	Dwarf_Addr bias;
	Dwarf_CFI *cfi = dwfl_module_eh_cfi(s->module, &bias);
	if (cfa_by(s, cfi, bias, value)) return true;
	cfi = dwfl_module_dwarf_cfi(s->module, &bias);
	return cfa_by(s, cfi, bias, value);
}

/* Fills in the expression that an attribute has at the call. Returns how many operations it has: 0 if there is none. */
static size_t operations(const struct mz_frame_search *s, Dwarf_Die *die, unsigned name, Dwarf_Op **ops)
{
	Dwarf_Attribute attribute;
	size_t n;
	if (!dwarf_attr(die, name, &attribute)) return 0;
	return dwarf_getlocation_addr(&attribute, s->code - s->bias, ops, &n, 1) == 1 ? n : 0;
}

static bool frame_base(const struct mz_frame_search *s, Dwarf_Die *function, uint64_t *value)
{
	Dwarf_Op *op;
	if (operations(s, function, DW_AT_frame_base, &op) != 1) return false;
	return op->atom == DW_OP_call_frame_cfa ? cfa(s, value) : based(s, op, value);
}

static bool is_fixed(const Dwarf_Op *op)
{
	return op->atom == DW_OP_addr || op->atom == DW_OP_addrx || op->atom == DW_OP_GNU_addr_index;
}

/* Looks for the address of a variable. Sets `elsewhere` if the variable is not in the frame: it has a fixed address, or
 * none, because a register has its value or the compiler left it out. Returns false if the address is not known. */
static bool address_of(const struct mz_frame_search *s, Dwarf_Die *function, Dwarf_Die *variable, uint64_t *address,
                       bool *elsewhere)
{
	Dwarf_Op *ops;
	size_t n = operations(s, variable, DW_AT_location, &ops);
	*elsewhere = n == 0 || is_fixed(ops) || is_register(ops) || ops[n - 1].atom == DW_OP_stack_value;
	if (*elsewhere || n > 1) return false;
	if (ops->atom != DW_OP_fbreg) return based(s, ops, address);
	if (!frame_base(s, function, address)) return false;
	*address += ops->number;
	return true;
}

/* ---- the search ---- */

static bool has_object(const struct mz_frame_search *s, Dwarf_Die *variable, uint64_t address)
{
	Dwarf_Die type;
	uint64_t size;
	if (!mz_dwarf_type_of(variable, &type) || !mz_dwarf_size_of(&type, &size)) return false;
	return address <= s->object && s->object - address <= size && s->size <= size - (s->object - address);
}

static void consider(struct mz_frame_search *s, Dwarf_Die *function, Dwarf_Die *variable)
{
	uint64_t address;
	const char *name = dwarf_diename(variable);
	bool elsewhere, known = address_of(s, function, variable, &address, &elsewhere);
	if (known && has_object(s, variable, address)) {
		s->is_placed = true;
		s->placed = *variable;
		s->offset = s->object - address;
	}
	if (!s->name || !name || strcmp(name, s->name) != 0) return;
	s->is_named = true;
	s->named = *variable;
	s->is_elsewhere = elsewhere || (known && address != s->object);
}

/* Looks at the variables of a scope (outside of functions it is those of the unit), then at those of the scopes in it that have the call: what is found last is the
 * innermost. */
static void search(struct mz_frame_search *s, Dwarf_Die *function, Dwarf_Die *scope, int depth)
{
	Dwarf_Die die;
	if (depth == DEPTH_MAX) return;
	for (int more = dwarf_child(scope, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
		int tag = dwarf_tag(&die);
		if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) consider(s, function, &die);
	}
	for (int more = dwarf_child(scope, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
		int tag = dwarf_tag(&die);
		bool block = tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine;
		if (tag == DW_TAG_namespace)
			search(s, function, &die, depth + 1);
		else if ((block || tag == DW_TAG_subprogram) && dwarf_haspc(&die, s->code - s->bias) > 0)
			search(s, block ? function : &die, &die, depth + 1);
	}
}

void mz_frame_search(struct mz_frame_search *s)
{
	s->is_placed = s->is_named = s->is_elsewhere = false;
	search(s, NULL, s->unit, 0);
}
