/* SPDX-License-Identifier: MIT
 *
 * A worker that is told to stop does so, whatever is left to do.
 *
 * expect: optimal 4
 * expect: dfs 4
 * finding: assertion @here
 * builds: gcc-O0 clang-O2
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int jobs, done, stop;

static void *work(void *unused)
{
	pthread_mutex_lock(&mutex);
	for (;;) {
		while (jobs == 0 && !stop) pthread_cond_wait(&condition, &mutex);
		if (stop) break;
		jobs--;
		done++;
	}
	pthread_mutex_unlock(&mutex);
	return unused;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	pthread_mutex_lock(&mutex);
	jobs++;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
	pthread_mutex_lock(&mutex);
	stop = 1;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	assert(done == 1); /* @here */
	return 0;
}
