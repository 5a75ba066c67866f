/* SPDX-License-Identifier: MIT
 *
 * What gcc finds under the name libtsan_preinit.o: an object with nothing in it.
 */
	.section .note.GNU-stack, "", @progbits
