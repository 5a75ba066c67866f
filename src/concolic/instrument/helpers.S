/* SPDX-License-Identifier: MIT
 *
 * The text of helpers.ll, for the instrumenter to parse.
 */
	.section .rodata
	.globl mz_helpers_text
	.globl mz_helpers_end
mz_helpers_text:
	.incbin "concolic/instrument/helpers.ll"
mz_helpers_end:
	.byte 0

	.section .note.GNU-stack, "", @progbits
