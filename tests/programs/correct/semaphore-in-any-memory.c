/* SPDX-License-Identifier: MIT
 *
 * A semaphore may lie in memory that holds anything before it is initialised, and is as new when it is initialised again.
 *
 * expect: optimal 1
 * expect: dfs 1
 */
#include <assert.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

static void use(sem_t *semaphore)
{
	int value;
	assert(sem_init(semaphore, 0, 1) == 0);
	assert(sem_wait(semaphore) == 0 && sem_trywait(semaphore) != 0 && sem_post(semaphore) == 0);
	assert(sem_getvalue(semaphore, &value) == 0 && value == 1);
	assert(sem_destroy(semaphore) == 0);
}

int main(void)
{
	sem_t *block = malloc(sizeof *block);
	use(block);
	block = realloc(block, 64 * sizeof *block);
	use(block + 63);
	memset(block, 0xff, sizeof *block);
	use(block);
	use(block);
	free(block);
	assert(posix_memalign((void **)&block, 128, sizeof *block) == 0);
	use(block);
	free(block);
	struct {
		char before;
		sem_t semaphore;
	} *object = malloc(sizeof *object);
	use(&object->semaphore);
	free(object);
	return 0;
}
