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
/* Saves the data of modules that were added since mz_image_save(). */
void mz_image_save_more(void);
void mz_image_restore(void);
/* Reports whether the module of that path is rolled back. */
bool mz_image_rolls_back(const char *path);
/* Reports whether a module with this load bias is known. */
bool mz_image_knows(uint64_t base);
/* Adds a module that is loaded later. Reports whether the module is rolled back: then the caller has to bring its data
 * into the state that is to be restored, and call mz_image_save_more(). */
bool mz_image_add_late(const struct dl_phdr_info *info);
/* Finds the part of a module's segment that is data of the program. Returns false if there is none. */
bool mz_image_data(const struct dl_phdr_info *info, const ElfW(Phdr) * header, uint8_t **low, uint8_t **high);
/* Restores the data, in [low, high), of the module with this load bias as they were saved, and its thread-local
 * variables as every thread starts with them. */
void mz_image_renew(uint64_t base, uintptr_t low, uintptr_t high);
/* Globals: see state.h. */
void mz_image_store(struct mz_state *state);
void mz_image_load(struct mz_state *state);
size_t mz_image_bytes(void); /* about how many bytes mz_image_store() adds to a state */
/* Store and load the thread-local variables and errno of a thread; nothing if the thread is NULL. */
void mz_image_store_thread(const struct mz_fiber *fiber, struct mz_state *state);
void mz_image_load_thread(struct mz_fiber *fiber, struct mz_state *state);
/* Put into `state`, for identity.h, the globals that differ from what was saved, with their addresses; and the thread-
 * local variables and errno of a thread. */
void mz_image_identity(struct mz_state *state);
void mz_image_thread_identity(const struct mz_fiber *fiber, struct mz_state *state);
/* Return hashes for the same purpose: what globals add to a mirror's sum when they are as they were saved; and `hash`
 * extended by the thread-local variables and errno of a thread. */
struct mz_key mz_image_saved_sum(void);
struct mz_key mz_image_hash_thread(const struct mz_fiber *fiber, struct mz_key hash);
/* Adds memory that is saved and restored besides the modules. Called before mz_image_save(), at most MZ_IMAGE_PARTS
 * times. */
#define MZ_IMAGE_PARTS 256
void mz_image_add(void *low, void *high);
/* The same for whole pages that are hardly ever written to: writes to them are watched for however small the image
 * is. */
void mz_image_add_apart(void *low, void *high);
/* The same for the stack of a caller of mz_check(). */
void mz_image_add_stack(void *low, void *high);
/* Gives a thread fresh thread-local variables; the first thread gets those that were saved. */
void mz_image_start_thread(struct mz_fiber *fiber);

/* Pass the variables of all modules but our own, and the thread-local ones of a thread, to `look_through`, for
 * leak.h. */
void mz_image_roots(void (*look_through)(const void *from, const void *to));
void mz_image_thread_roots(const struct mz_fiber *fiber, void (*look_through)(const void *from, const void *to));

/* Reports whether the code at this address belongs to a module that is rolled back. */
bool mz_image_owns_code_slow(uintptr_t address);

/* Reports whether the address lies in a loaded module: code, or a variable. */
bool mz_image_holds(uintptr_t address);

/* The address ranges of the program itself and of this library: most calls come from there. */
extern uintptr_t mz_image_program_start, mz_image_program_size, mz_image_own_start, mz_image_own_size;

/* The same, quick for the program itself and for this library. */
static inline bool mz_image_owns_code(uintptr_t address)
{
	if (address - mz_image_program_start < mz_image_program_size) return true;
	return address - mz_image_own_start >= mz_image_own_size && mz_image_owns_code_slow(address);
}

/* Returns the innermost return address on the stack that lies in the program itself; 0 if there is none. */
uintptr_t mz_image_program_frame(void);

/* Returns a number for a code address that is the same in every process, wherever modules are loaded. */
uint64_t mz_image_code_id(uintptr_t address);

/* The running thread if the function that uses this was called by the program within an execution, else NULL: calls by
 * the C library and its kin go to the real functions. */
#define MZ_SELF() (mz_current && mz_image_owns_code(MZ_NOTED_CALLER(mz_current)) ? mz_current : NULL)

/* Returns what was saved for an address of the image; NULL if it is not in the image, or the memory around it was never
 * written to. */
const void *mz_image_saved(uintptr_t address);

/* Reports whether the address is in the image: that of a variable of a module that is rolled back. */
bool mz_image_is_data(uintptr_t address);

/* Handles a fault at a page that is watched for writes. Returns true if the page is writable now and the write can be
 * tried again. */
bool mz_image_page_fault(uintptr_t address);
/* Makes memory writable that the kernel is about to write to: where a thread would fault, the system call would
 * fail. */
void mz_image_touch(const void *address, size_t size);

/* Calls `visit` for every module: the program itself comes first. */
void mz_image_modules(void (*visit)(uint64_t base, uint64_t start, uint64_t end, const char *path));

#endif
