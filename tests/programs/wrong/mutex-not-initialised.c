/* SPDX-License-Identifier: MIT
 *
 * A mutex in a block of the heap, which only one of two ways to make one initialises.
 *
 * expect: optimal 2
 * expect: dfs 2
 * findings: misuse @here|@again|@destroy
 */
#include <mazurka.h>
#include <pthread.h>
#include <stdlib.h>

struct account {
	pthread_mutex_t mutex;
	int balance;
};

int main(void)
{
	struct account *account = malloc(sizeof *account);
	account->balance = 0;
	if (mz_choose(2)) pthread_mutex_init(&account->mutex, NULL);
	pthread_mutex_lock(&account->mutex); /* @here */
	account->balance++;
	pthread_mutex_unlock(&account->mutex);  /* @again */
	pthread_mutex_destroy(&account->mutex); /* @destroy */
	free(account);
	return 0;
}
