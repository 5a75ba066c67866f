/* SPDX-License-Identifier: MIT
 *
 * The ELF note that tells a program or shared library built with `mazurka cc` from any other: section .note.mazurka,
 * name "Mazurka", type 1, and as its content the version of the interface between compiled code and libmazurka.so
 * (32 bits). Plain macros only: the assembler reads this file too.
 */
#ifndef MZ_BASE_NOTE_H
#define MZ_BASE_NOTE_H

#define MZ_NOTE_SECTION ".note.mazurka"
#define MZ_NOTE_NAME "Mazurka"
#define MZ_NOTE_TYPE 1
#define MZ_ABI_VERSION 1

#endif
