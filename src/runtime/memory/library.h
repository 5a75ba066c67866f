/* SPDX-License-Identifier: MIT
 *
 * What the C library keeps for the program from one call to the next, where no caller sees it: where strtok goes on,
 * how far getopt has come, what setenv made, the state of random numbers. In a process that explores, the functions of
 * hooks/options.c, hooks/environment.c and others replace the C library's, before main too, and keep it here instead:
 * in memory that is the program's, restored for every execution, stored in checkpoints, and part of what tells states
 * apart. So is what the process was started with, arguments and environment, for programs write to that.
 *
 * What is kept by variables of the C library that programs can name (optind, environ, stdout) is restored as well, if
 * they are not the program's own by a copy.
 *
 * surroundings.h has what is kept elsewhere and can only be put back by calls.
 */
#ifndef MZ_RUNTIME_MEMORY_LIBRARY_H
#define MZ_RUNTIME_MEMORY_LIBRARY_H

#include "runtime/core/core.h"
#include "runtime/memory/image.h"

/* How far getopt has come in the arguments. */
struct mz_options_state {
	bool begun;
	char order;      /* what to do about arguments that are no options: '+' stop, '-' return them, 0 move them */
	char *next;      /* in an argument of several options: the next of them */
	int wrong;       /* the option that optopt has */
	int first, last; /* arguments in [first, last) are no options, and were passed over */
};

/* What is kept for the program. All members are 0 at first. */
struct mz_library {
	char *words; /* where strtok goes on */
	struct mz_options_state options;
	char **environment;          /* the array that setenv made last, */
	size_t environment_room;     /* which has room for so many */
	void *environment_blocks;    /* everything that setenv ever made, each block with a pointer to the next */
	char *random_state;          /* the buffer that initstate or setstate was given */
	char random_first[128];      /* the buffer until then */
	uint64_t multiplier, addend; /* set by lcong48; 0: the values that POSIX prescribes */
	unsigned short seed[3];      /* the old seed that seed48 returned a pointer to */
	char name[64];               /* the name that tmpnam returned a pointer to */
};

/* The struct has a page of its own, so that the page can be part of the image. */
union mz_library_page {
	struct mz_library kept;
	uint8_t bytes[4096];
};
extern union mz_library_page mz_library_page;
#define mz_library mz_library_page.kept

/* Reports whether these functions replace those of the C library: the caller is code of the program, in a process that
 * explores or may come to. */
#define MZ_IS_KEPT() (mz_rt.fibers && mz_image_owns_code(MZ_CALLER()))

/* Makes mz_library and the like part of the image. Called before mz_image_save(). */
void mz_library_save(void);
/* Copies the arguments and the environment that the process was started with to memory that is restored, and has
 * `environ` point there. */
void mz_library_adopt(int argc, char ***argv, char ***environment);

/* Passes what is kept to `look_through`, for leak.h. */
void mz_library_roots(void (*look_through)(const void *from, const void *to));

#endif
