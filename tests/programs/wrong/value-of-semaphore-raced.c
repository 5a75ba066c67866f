/* SPDX-License-Identifier: MIT
 *
 * Two threads have the value of a semaphore written to the same variable.
 *
 * expect: optimal 1
 * finding: data-race @value
 */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t semaphore;
int value;

static void *look(void *arg)
{
	sem_getvalue(&semaphore, &value); /* @value */
	return arg;
}

int main(void)
{
	pthread_t threads[2];
	sem_init(&semaphore, 0, 1);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, look, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
