/* SPDX-License-Identifier: MIT
 *
 * Memory that several processes share by a file descriptor, and locks in it.
 */
#ifndef MZ_EXPLORER_SHARED_MEMORY_H
#define MZ_EXPLORER_SHARED_MEMORY_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

/* Makes a memory of a fixed size. Returns its descriptor, or -1 with errno set. */
int mz_shared_memory_make(const char *name, size_t size);

/* Maps a memory at an address; 0: anywhere. Returns NULL, with errno set, if that fails. */
void *mz_shared_memory_map(int fd, size_t size, uintptr_t address);

/* Makes a lock that the next process gets if its holder dies. Returns 0 or an error number. */
int mz_shared_lock_make(pthread_mutex_t *mutex);

#endif
