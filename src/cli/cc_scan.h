/* SPDX-License-Identifier: MIT
 *
 * Finds out what a compiler command line asks for, as far as it concerns us. gcc and clang agree on all of it.
 */
#ifndef MZ_CLI_CC_SCAN_H
#define MZ_CLI_CC_SCAN_H

#include "cli/args.h"

#define MZ_CC_SYMBOLIC "--symbolic"

struct mz_cc_request {
	bool query;        /* --version, -print-..., or nothing to compile or link: the plain compiler answers */
	bool links;        /* ends in an executable or a shared library */
	bool is_static;    /* -static, -static-pie */
	bool is_short;     /* -m32, -mx32: pointers of 32 bits */
	bool debug_chosen; /* some -g option is there */
	bool thread_given; /* -fsanitize=thread is there */
	bool thread_off;   /* -fno-sanitize=thread has the last word */
	bool by_hand;      /* some input is assembly */
	bool preprocessed; /* some of it goes through the preprocessor */
	bool sources;      /* some input is neither assembly nor a header nor for the linker alone */
	bool assembly;     /* ends in assembly: -S */
	bool no_code;      /* ends before code is made: -E, -M, -fsyntax-only */
	bool symbolic;     /* --symbolic, which is an option of Mazurka, is there */
	char conflict[32]; /* a sanitizer that cannot live beside us, or "" */
};

void mz_cc_scan(struct mz_cc_request *request, const struct mz_args *args);

#endif
