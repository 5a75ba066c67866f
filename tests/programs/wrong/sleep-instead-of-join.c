/* SPDX-License-Identifier: MIT
 *
 * A second is enough for the other thread to finish, as a rule.
 *
 * expect: optimal 2
 * finding: assertion @late
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int done;

static void *work(void *arg)
{
	usleep(1000);
	atomic_store(&done, 1);
	return arg;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, work, NULL);
	sleep(1);
	assert(atomic_load(&done)); /* @late */
	pthread_join(thread, NULL);
	return 0;
}
