/* SPDX-License-Identifier: MIT
 *
 * A counter is closed by destroying its mutex, while one clerk serves and another looks whether it is free. Whatever
 * goes wrong first, everything behind it is explored: who served whom, in every order of the three.
 *
 * expect: optimal 14
 * expect: dfs 14
 * findings: misuse @close|@serve|@look
 * finding: assertion @busy
 * builds: gcc-O2 clang-O0
 */
#include <assert.h>
#include <pthread.h>

pthread_mutex_t counter = PTHREAD_MUTEX_INITIALIZER;
int turned_away;

static void *serve(void *unused)
{
	pthread_mutex_lock(&counter); /* @serve */
	pthread_mutex_unlock(&counter);
	return unused;
}

static void *look(void *unused)
{
	if (pthread_mutex_trylock(&counter) != 0) /* @look */
		turned_away = 1;
	else
		pthread_mutex_unlock(&counter);
	return unused;
}

static void *close(void *unused)
{
	pthread_mutex_destroy(&counter); /* @close */
	return unused;
}

int main(void)
{
	pthread_t clerk, customer, janitor;
	pthread_create(&clerk, NULL, serve, NULL);
	pthread_create(&customer, NULL, look, NULL);
	pthread_create(&janitor, NULL, close, NULL);
	pthread_join(clerk, NULL);
	pthread_join(customer, NULL);
	pthread_join(janitor, NULL);
	assert(!turned_away); /* @busy */
	return 0;
}
