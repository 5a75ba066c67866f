/* SPDX-License-Identifier: MIT
 *
 * Functions lend their variables to threads and wait until these are done with them, by a semaphore or a join;
 * then others are in the same place, which lend theirs to threads that were there all the time.
 *
 * expect: optimal 1
 * expect: dfs 1
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

struct work {
	int *place;
	sem_t go, done;
};

static void *serves(void *argument)
{
	struct work *work = argument;
	for (int i = 0; i < 3; i++) {
		sem_wait(&work->go);
		*work->place += i;
		sem_post(&work->done);
	}
	return NULL;
}

static __attribute__((noinline)) void lend(struct work *work, int expected)
{
	int variable = 1;
	work->place = &variable;
	sem_post(&work->go);
	sem_wait(&work->done);
	assert(variable == 1 + expected);
}

static __attribute__((noinline)) void lend_deeper(struct work *work)
{
	int variables[16] = {0};
	lend(work, 1);
	work->place = &variables[3];
	sem_post(&work->go);
	sem_wait(&work->done);
	assert(variables[3] == 2);
}

static void *adds(void *place)
{
	++*(int *)place;
	return NULL;
}

static __attribute__((noinline)) int joins(void)
{
	pthread_t thread;
	int variable = 1;
	pthread_create(&thread, NULL, adds, &variable);
	pthread_join(thread, NULL);
	return variable;
}

int main(void)
{
	struct work work = {NULL};
	pthread_t thread;
	sem_init(&work.go, 0, 0);
	sem_init(&work.done, 0, 0);
	pthread_create(&thread, NULL, serves, &work);
	lend(&work, 0);
	lend_deeper(&work);
	assert(joins() == 2 && joins() == 2);
	pthread_join(thread, NULL);
	return 0;
}
