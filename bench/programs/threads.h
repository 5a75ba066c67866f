/* SPDX-License-Identifier: MIT
 *
 * What the programs here share: sizes from the command line, and a row of threads. A thread's argument is its number,
 * from 0.
 */
#ifndef BENCH_THREADS_H
#define BENCH_THREADS_H

#include <mazurka.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAX_THREADS 64

/* Returns one of the numbers in TEXT, which commas separate. Which of several it is depends on an input: each is a path. */
static inline long open_number(char *text)
{
	unsigned char which = 0;
	long value = strtol(text, &text, 10);
	if (*text) mz_symbolic(&which, sizeof which, "which");
	for (int i = 0; *text && which != i; i++) value = strtol(text + 1, &text, 10);
	return value;
}

/* The n-th argument as a number from 1 to `most`, or `standard` if there is none. */
static inline int argument(int argc, char **argv, int n, int standard, int most)
{
	long value = argc > n ? open_number(argv[n]) : standard;
	if (value < 1 || value > most) exit(2);
	return (int)value;
}

/* Whether that word is one of the arguments. */
static inline bool has_word(int argc, char **argv, const char *word)
{
	for (int n = 1; n < argc; n++) {
		if (strcmp(argv[n], word) == 0) return true;
	}
	return false;
}

static inline void run_threads(int count, void *(*function)(void *))
{
	pthread_t threads[MAX_THREADS];
	for (intptr_t i = 0; i < count; i++) pthread_create(&threads[i], NULL, function, (void *)i);
	for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
}

/* For what never ends: main is the last of the threads, as nobody would be waited for. */
static inline void run_for_ever(int count, void *(*function)(void *))
{
	pthread_t thread;
	for (intptr_t i = 0; i < count - 1; i++) pthread_create(&thread, NULL, function, (void *)i);
	function((void *)(intptr_t)(count - 1));
}

static inline int number(void *arg)
{
	return (int)(intptr_t)arg;
}

#endif
