/* SPDX-License-Identifier: MIT
 *
 * mmap and its kin.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "runtime/channels/channels.h"
#include "runtime/core/core.h"
#include "runtime/inputs/inputs.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"
#include "runtime/watch/watch.h"
#include <stdarg.h>
#include <sys/mman.h>

/* Ends the shadows of memory that is mapped anew, or no more. */
static void end_shadows(const void *address, size_t size)
{
	if (MZ_LIKELY(!mz_inputs_space)) return;
	mz_follow_end();
	if (address != MAP_FAILED) mz_shadow_fill((uintptr_t)address, size, 0);
}

/* Tells that a file comes to memory, where no shadow follows. */
static void looked(int fd, uintptr_t caller)
{
	mz_follow_looked(fd, caller);
	mz_stdin_lose_all(fd, "mmap", caller);
}

#define MAP(name)                                                                                                      \
	MZ_EXPORT MZ_PASSED_ON void *mz_mapping_##name(void *address, size_t size, int protection, int flags, int fd,  \
	                                               off_t offset) __asm__(#name);                                   \
	void *mz_mapping_##name(void *address, size_t size, int protection, int flags, int fd, off_t offset)           \
	{                                                                                                              \
		const struct mz_mapping wanted = {address, size, protection, flags, fd, offset};                       \
		if (!MZ_SELF()) return MZ_REAL(mmap)(address, size, protection, flags, fd, offset);                    \
		if (MZ_UNLIKELY(__mz_sym_active) && !(flags & MAP_ANONYMOUS)) looked(fd, MZ_CALLER());                 \
		if ((flags & MAP_SHARED) && !(flags & MAP_ANONYMOUS)) mz_shared_file_mapped(mz_current, fd);           \
		void *made = mz_mapping_make(mz_current, &wanted);                                                     \
		end_shadows(made, size);                                                                               \
		return made;                                                                                           \
	}
MAP(mmap)
MAP(mmap64)

/* mprotect is no operation: whether an access faults is explored only as far as other operations order it with this
 * call. */
MZ_EXPORT MZ_PASSED_ON int mprotect(void *address, size_t size, int protection)
{
	if (!MZ_SELF()) return MZ_REAL(mprotect)(address, size, protection);
	mz_spin_forget(mz_current);
	mz_uncontrolled(MZ_UNCONTROLLED_PROTECTIONS);
	return mz_protection_set(address, size, protection);
}

MZ_EXPORT MZ_PASSED_ON int munmap(void *address, size_t size)
{
	if (!MZ_SELF()) return MZ_REAL(munmap)(address, size);
	if (MZ_UNLIKELY(mz_rt.seen.leaves_stacks))
		mz_attributes_release(mz_current, (uintptr_t)address, size, MZ_CALLER());
	end_shadows(address, size);
	return mz_mapping_remove(address, size);
}

MZ_EXPORT MZ_PASSED_ON void *mremap(void *address, size_t old_size, size_t size, int flags, ...)
{
	va_list more;
	va_start(more, flags);
	void *new_address = flags & MREMAP_FIXED ? va_arg(more, void *) : NULL;
	va_end(more);
	if (!MZ_SELF()) return MZ_REAL(mremap)(address, old_size, size, flags, new_address);
	void *moved = mz_mapping_resize(address, old_size, size, flags, new_address);
	if (MZ_UNLIKELY(mz_inputs_space) && moved != MAP_FAILED && moved != address) {
		mz_follow_end();
		mz_shadow_copy((uintptr_t)moved, (uintptr_t)address, old_size < size ? old_size : size);
		mz_shadow_fill((uintptr_t)address, old_size, 0);
	}
	return moved;
}
