/* SPDX-License-Identifier: MIT
 *
 * C11: a lock and a wait that give up after a while.
 *
 * expect: optimal 4
 */
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t mutex;
static cnd_t condition;
int ready;

static struct timespec in_a_second(void)
{
	struct timespec time;
	timespec_get(&time, TIME_UTC);
	time.tv_sec++;
	return time;
}

static int wait(void *arg)
{
	(void)arg;
	struct timespec until = in_a_second(), nap = {0, 1};
	thrd_sleep(&nap, NULL);
	mtx_lock(&mutex);
	if (!ready) {
		int result = cnd_timedwait(&condition, &mutex, &until);
		assert(result == thrd_success ? ready : result == thrd_timedout);
	}
	mtx_unlock(&mutex);
	return 0;
}

int main(void)
{
	thrd_t thread;
	mtx_init(&mutex, mtx_timed);
	cnd_init(&condition);
	thrd_create(&thread, wait, NULL);
	mtx_lock(&mutex);
	ready = 1;
	cnd_signal(&condition);
	mtx_unlock(&mutex);
	thrd_join(thread, NULL);
	struct timespec until = in_a_second();
	assert(mtx_timedlock(&mutex, &until) == thrd_success);
	assert(mtx_timedlock(&mutex, &until) == thrd_timedout);
	mtx_unlock(&mutex);
	return 0;
}
