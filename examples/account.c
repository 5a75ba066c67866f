/* SPDX-License-Identifier: MIT
 *
 * An account that two people withdraw from. Every access to the balance is under the lock, so there is no data race and
 * nothing for a race detector to see; by itself the program rarely fails. And yet the balance can go below zero.
 *
 *     mazurka cc -g examples/account.c -o account && mazurka run ./account
 *
 * With -DFIXED the check and the withdrawal are one critical section, and Mazurka shows that this is enough.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static bool covered(int amount)
{
	pthread_mutex_lock(&lock);
	bool enough = balance >= amount;
	pthread_mutex_unlock(&lock);
	return enough;
}

static void take(int amount)
{
	pthread_mutex_lock(&lock);
#ifdef FIXED
	if (balance >= amount)
#endif
		balance -= amount;
	pthread_mutex_unlock(&lock);
}

static void *withdraw(void *arg)
{
	int amount = *(int *)arg;
	if (covered(amount)) take(amount);
	return NULL;
}

int main(void)
{
	int amounts[] = {70, 60};
	pthread_t people[2];
	for (int i = 0; i < 2; i++) pthread_create(&people[i], NULL, withdraw, &amounts[i]);
	for (int i = 0; i < 2; i++) pthread_join(people[i], NULL);
	assert(balance >= 0);
	return 0;
}
