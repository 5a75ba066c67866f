/* SPDX-License-Identifier: MIT
 *
 * The same, with a switch before every access: the addition that is lost shows, race or not.
 *
 * options: --points all --no-races
 * expect: optimal 4
 * finding: assertion @lost
 */
#include <assert.h>
#include <pthread.h>

static int counter;

static void *run(void *arg)
{
	(void)arg;
	counter++;
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(counter == 2); /* @lost */
	return 0;
}
