/* SPDX-License-Identifier: MIT
 *
 * Two threads write records to a pipe, each in two writes: another's may come in between.
 *
 * expect: optimal 6
 * expect: dfs 70
 * finding: assertion @mixed
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

struct record {
	int from, sum;
};

int ends[2];

static void *produce(void *arg)
{
	int from = *(int *)arg, sum = -from;
	assert(write(ends[1], &from, sizeof from) == sizeof from);
	assert(write(ends[1], &sum, sizeof sum) == sizeof sum);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	int names[2] = {1, 2};
	struct record record;
	assert(pipe(ends) == 0);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, produce, &names[i]);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	for (int i = 0; i < 2; i++) {
		assert(read(ends[0], &record, sizeof record) == sizeof record);
		assert(record.from + record.sum == 0); /* @mixed */
	}
	return 0;
}
