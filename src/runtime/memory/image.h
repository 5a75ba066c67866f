/* SPDX-License-Identifier: MIT
 *
 * The program's writable memory: saved once before the first execution, restored before each.
 */
#ifndef MZ_RUNTIME_MEMORY_IMAGE_H
#define MZ_RUNTIME_MEMORY_IMAGE_H

#include "runtime/core/core.h"
#include <link.h>

/* Finds the loaded modules. Rolled back are all but the C library and its kin, the loader, and ourselves. */
void mz_image_init(void);
/* Saves what mz_image_restore() restores. */
void mz_image_save(void);
/* Of modules that were added since. */
void mz_image_save_more(void);
void mz_image_restore(void);
/* Whether the module of that path is rolled back. */
bool mz_image_rolls_back(const char *path);
/* Whether there is a module with this load bias. */
bool mz_image_knows(uint64_t base);
/* One that is loaded later. Whether it is rolled back; then its data have to be saved as they are to be restored. */
bool mz_image_add_late(const struct dl_phdr_info *info);
/* That part of a segment of a module that is data of the program; false if there is none. */
bool mz_image_data(const struct dl_phdr_info *info, const ElfW(Phdr) * header, uint8_t **low, uint8_t **high);
/* The data of the module with this load bias, which are in [low, high), as they were saved; those of its thread-local
 * variables as every thread starts with them. */
void mz_image_renew(uint64_t base, uintptr_t low, uintptr_t high);
/* Globals: see state.h. */
void mz_image_store(struct mz_state *state);
void mz_image_load(struct mz_state *state);
size_t mz_image_bytes(void); /* of a state, about */
/* Thread-local variables and errno of a thread; NULL: it has none any more. */
void mz_image_store_thread(const struct mz_fiber *fiber, struct mz_state *state);
void mz_image_load_thread(struct mz_fiber *fiber, struct mz_state *state);
/* Globals that are not what they were at first, by address, and what a thread has: to identity.h. */
void mz_image_identity(struct mz_state *state);
void mz_image_thread_identity(const struct mz_fiber *fiber, struct mz_state *state);
/* The same, hashed: what globals add to the sum of a mirror when they are as they were at first; `hash` and more. */
struct mz_key mz_image_saved_sum(void);
struct mz_key mz_image_hash_thread(const struct mz_fiber *fiber, struct mz_key hash);
/* Besides the modules, this is saved and restored. Before mz_image_save(), at most MZ_IMAGE_PARTS times. */
#define MZ_IMAGE_PARTS 256
void mz_image_add(void *low, void *high);
/* The same for whole pages that are hardly ever written to: they are watched however small the image is. */
void mz_image_add_apart(void *low, void *high);
/* The same for the stack of a caller of mz_check(). */
void mz_image_add_stack(void *low, void *high);
/* Fresh thread-local variables; for the first thread those that were saved. */
void mz_image_start_thread(struct mz_fiber *fiber);

/* Shows variables of all modules but our own, and those of a thread, for leak.h. */
void mz_image_roots(void (*look_through)(const void *from, const void *to));
void mz_image_thread_roots(const struct mz_fiber *fiber, void (*look_through)(const void *from, const void *to));

/* Whether the code at this address belongs to a module that is rolled back. */
bool mz_image_owns_code_slow(uintptr_t address);

/* Whether it is an address of a loaded module: code, or a variable that is not on a stack. */
bool mz_image_holds(uintptr_t address);

/* Where the program itself is, and this library: most calls come from there. */
extern uintptr_t mz_image_program_start, mz_image_program_size, mz_image_own_start, mz_image_own_size;

static inline bool mz_image_owns_code(uintptr_t address)
{
	if (address - mz_image_program_start < mz_image_program_size) return true;
	return address - mz_image_own_start >= mz_image_own_size && mz_image_owns_code_slow(address);
}

/* Returns the innermost return address on the stack that lies in the program itself; 0 if there is none. */
uintptr_t mz_image_program_frame(void);

/* An address of code as the same number in every process, wherever modules are loaded. */
uint64_t mz_image_code_id(uintptr_t address);

/* The running thread if the calling function was called by the program, within an execution; else NULL: the C library
 * and its kin get what they always got. */
#define MZ_SELF() (mz_current && mz_image_owns_code(MZ_NOTED_CALLER(mz_current)) ? mz_current : NULL)

/* What was at an address of the image at first; NULL if it is not in the image, or nothing near it was ever written. */
const void *mz_image_saved(uintptr_t address);

/* Whether the address is in the image: a variable of a module that is rolled back. */
bool mz_image_is_data(uintptr_t address);

/* A write hit a page that was watched for changes: true if it is now writable and the write can be tried again. */
bool mz_image_page_fault(uintptr_t address);
/* The kernel is about to write there: it does not fault, it fails. */
void mz_image_touch(const void *address, size_t size);

/* Calls `visit` for every module: the program itself comes first. */
void mz_image_modules(void (*visit)(uint64_t base, uint64_t start, uint64_t end, const char *path));

#endif
