/* SPDX-License-Identifier: MIT
 *
 * Two threads write records to a pipe, each in one write: they arrive whole, in any order, and then the end.
 *
 * expect: optimal 4
 * expect: dfs 96
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

struct record {
	int from, sum;
};

int ends[2];

static void *produce(void *arg)
{
	int from = *(int *)arg;
	struct record record = {from, -from};
	assert(write(ends[1], &record, sizeof record) == sizeof record);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	int names[2] = {1, 2};
	struct record record;
	assert(pipe(ends) == 0);
	assert(lseek(ends[0], 0, SEEK_CUR) == -1 && errno == ESPIPE);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, produce, &names[i]);
	for (int i = 0; i < 2; i++) {
		assert(read(ends[0], &record, sizeof record) == sizeof record);
		assert(record.from + record.sum == 0);
	}
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	close(ends[1]);
	assert(read(ends[0], &record, sizeof record) == 0);
	close(ends[0]);
	return 0;
}
