/* SPDX-License-Identifier: MIT
 *
 * The last user of an account drops it, with its mutex, once it has unlocked and destroyed it.
 *
 * expect: optimal 2
 * expect: dfs 2
 */
#include <pthread.h>
#include <stdlib.h>

struct account {
	pthread_mutex_t mutex;
	int users;
};

static void *drop(void *arg)
{
	struct account *account = arg;
	pthread_mutex_lock(&account->mutex);
	int left = --account->users;
	pthread_mutex_unlock(&account->mutex);
	if (left) return NULL;
	pthread_mutex_destroy(&account->mutex);
	free(account);
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	struct account *account = malloc(sizeof *account);
	pthread_mutex_init(&account->mutex, NULL);
	account->users = 2;
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, drop, account);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
