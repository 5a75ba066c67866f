/* SPDX-License-Identifier: MIT
 *
 * Interleavings checked from a plain main: no `mazurka run` around it.
 *
 *     mazurka cc -g -o plain plain.c && ./plain
 */
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

struct account {
	atomic_int balance;
};

static void *deposit_carelessly(void *arg)
{
	struct account *account = arg;
	int balance = atomic_load(&account->balance);
	atomic_store(&account->balance, balance + 10);
	return NULL;
}

static void *deposit(void *arg)
{
	struct account *account = arg;
	atomic_fetch_add(&account->balance, 10);
	return NULL;
}

/* Two deposits at the same time must both arrive. */
static void two_deposits(void *(*how)(void *))
{
	struct account account = {0};
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, how, &account);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(account.balance == 20);
}

static void test_careless(void *arg)
{
	(void)arg;
	two_deposits(deposit_carelessly);
}

static void test_careful(void *arg)
{
	(void)arg;
	two_deposits(deposit);
}

int main(void)
{
	int careful = mz_check(test_careful, NULL, NULL);
	int careless = mz_check(test_careless, NULL, &(mz_options){.quiet = 1});
	printf("careful deposits: %s\n", careful == 0 ? "no bug" : "bug");
	printf("careless deposits: %s\n", careless == 0 ? "no bug" : "bug");
	return !(careful == 0 && careless == 1);
}
