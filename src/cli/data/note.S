/* SPDX-License-Identifier: MIT
 *
 * The note that `mazurka cc` links into everything it links. See base/note.h.
 */
#include "base/note.h"

	.section MZ_NOTE_SECTION, "a", @note
	.balign 4
	.long 2f - 1f
	.long 4f - 3f
	.long MZ_NOTE_TYPE
1:	.asciz MZ_NOTE_NAME
2:	.balign 4
3:	.long MZ_ABI_VERSION
4:	.balign 4

	.section .note.GNU-stack, "", @progbits
