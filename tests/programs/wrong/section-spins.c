/* SPDX-License-Identifier: MIT
 *
 * A thread waits in a loop for another one, inside of an atomic section: the other never gets a chance.
 *
 * finding: livelock @loop
 * expect: optimal 2
 */
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag;

static void *spin(void *arg)
{
	(void)arg;
	mz_atomic_begin();
	while (!flag) /* @loop */
		;
	mz_atomic_end();
	return NULL;
}

static void *set(void *arg)
{
	(void)arg;
	flag = 1;
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, spin, NULL);
	pthread_create(&threads[1], NULL, set, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
