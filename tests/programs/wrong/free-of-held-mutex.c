/* SPDX-License-Identifier: MIT
 *
 * The last user of an account drops it, with its mutex, before it has unlocked it.
 *
 * expect: optimal 2
 * expect: dfs 2
 * findings: misuse @here
 * findings: use-after-free @after
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
	if (--account->users == 0) free(account); /* @here */
	pthread_mutex_unlock(&account->mutex);    /* @after */
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
