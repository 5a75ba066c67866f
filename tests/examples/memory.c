/* SPDX-License-Identifier: MIT
 *
 * Memory from before an mz_check(): each execution finds it as it was, whatever the one before did to it, and so does
 * who called.
 */
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_int order;
static int global = 1;
static _Thread_local int own = 2;
static char *changed, *freed;

static void *take_part(void *arg)
{
	(void)arg;
	atomic_fetch_add(&order, 1);
	return NULL;
}

static void as_before(void)
{
	assert(atomic_load(&order) == 0);
	assert(global == 1 && own == 2);
	assert(strcmp(changed, "changed") == 0 && strcmp(freed, "freed") == 0);
}

static void change_everything(void *arg)
{
	(void)arg;
	as_before();
	pthread_t threads[3];
	for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, take_part, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	global = own = 9;
	strcpy(changed, "CHANGED");
	free(freed);
	freed = strdup("replaced");
	changed = freed;
	setenv("LEFT_BEHIND", "yes", 1);
}

int main(void)
{
	changed = strdup("changed");
	freed = strdup("freed");
	for (int i = 0; i < 2; i++) {
		printf("%d\n", mz_check(change_everything, NULL, NULL));
		as_before();
		assert(!getenv("LEFT_BEHIND"));
	}
	free(changed);
	free(freed);
	return 0;
}
