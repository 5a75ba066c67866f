/* SPDX-License-Identifier: MIT
 *
 * Variables on the stack of who calls mz_check(), which are what an argument most often points to: each execution finds
 * them as they were.
 */
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

struct account {
	atomic_int balance;
	int deposits;
};

static void *deposit(void *arg)
{
	struct account *account = arg;
	atomic_fetch_add(&account->balance, 10);
	return NULL;
}

static void two_deposits(void *arg)
{
	struct account *account = arg;
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, deposit, account);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	account->deposits += 2;
	assert(account->balance == 20 && account->deposits == 2);
}

int main(void)
{
	struct account account = {0};
	printf("%d\n", mz_check(two_deposits, &account, NULL));
	assert(account.balance == 0 && account.deposits == 0);
	return 0;
}
