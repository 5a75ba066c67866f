/* SPDX-License-Identifier: MIT */
#include "explorer/shared_memory.h"
#include "base/fd.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int mz_shared_memory_make(const char *name, size_t size)
{
	int fd = mz_fd_high(memfd_create(name, MFD_ALLOW_SEALING));
	if (fd < 0) return -1;
	/* sealed, so that the program cannot shrink the memory while others use it */
	if (ftruncate(fd, (off_t)size) == 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
		return fd;
	close(fd);
	return -1;
}

void *mz_shared_memory_map(int fd, size_t size, uintptr_t address)
{
	int fixed = address ? MAP_FIXED_NOREPLACE : 0;
	void *got = mmap((void *)address, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | fixed, fd, 0);
	return got == MAP_FAILED ? NULL : got;
}

int mz_shared_lock_make(pthread_mutex_t *mutex)
{
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	int failed = pthread_mutex_init(mutex, &attributes);
	pthread_mutexattr_destroy(&attributes);
	return failed;
}
