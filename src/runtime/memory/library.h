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

/* All of it is 0 at first. */
struct mz_library {
	char *words; /* where strtok goes on */
	struct mz_options_state options;
	char **environment;          /* the array that setenv made last, */
	size_t environment_room;     /* which has room for so many */
	void *environment_blocks;    /* everything that setenv ever made, each block with a pointer to the next */
	char *random_state;          /* of initstate and setstate */
	char random_first[128];      /* before they were called */
	uint64_t multiplier, addend; /* of lcong48; 0: those that POSIX prescribes */
	unsigned short seed[3];      /* that seed48 returned */
	char name[64];               /* of tmpnam */
};

/* A page of its own. */
union mz_library_page {
	struct mz_library kept;
	uint8_t bytes[4096];
};
extern union mz_library_page mz_library_page;
#define mz_library mz_library_page.kept

/* Reports whether these functions replace those of the C library: the caller is code of the program, in a process that
 * explores or may come to. */
#define MZ_IS_KEPT() (mz_rt.fibers && mz_image_owns_code(MZ_CALLER()))

/* Makes all this part of the image: before mz_image_save(). */
void mz_library_save(void);
/* Copies the arguments and the environment that the process was started with to memory that is restored, and has
 * `environ` point there. */
void mz_library_adopt(int argc, char ***argv, char ***environment);

/* Shows what is kept, for leak.h. */
void mz_library_roots(void (*look_through)(const void *from, const void *to));

#endif
