/* SPDX-License-Identifier: MIT
 *
 * A struct is copied while another thread writes one of its members.
 *
 * expect: optimal 1
 * expect: dfs 1
 * findings: data-race @copy|@write
 */
#include <pthread.h>

struct record {
	long values[10];
};
struct record source, copy;

static void *run_copy(void *arg)
{
	(void)arg;
	copy = source; /* @copy */
	return NULL;
}

static void *run_write(void *arg)
{
	(void)arg;
	source.values[9] = 1; /* @write */
	return NULL;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, run_copy, NULL);
	pthread_create(&threads[1], NULL, run_write, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	return 0;
}
