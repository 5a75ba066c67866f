/* SPDX-License-Identifier: MIT
 *
 * A bit that is set already is set once more, to release a note, and looked at by an operation that changes nothing
 * either. Who came first cannot be told from values, and decides whether the note is ordered.
 *
 * expect: optimal 2
 * expect: dfs 2
 * finding: data-race @wrote|@read
 */
#include <pthread.h>
#include <stdatomic.h>

atomic_uint flags = 1;
int note, copy;

static void *leave(void *unused)
{
	note = 7; /* @wrote */
	atomic_fetch_or_explicit(&flags, 1, memory_order_release);
	return unused;
}

static void *look(void *unused)
{
	if (atomic_fetch_and_explicit(&flags, ~0U, memory_order_acquire) & 1) copy = note; /* @read */
	return unused;
}

int main(void)
{
	pthread_t leaves, looks;
	pthread_create(&leaves, NULL, leave, NULL);
	pthread_create(&looks, NULL, look, NULL);
	pthread_join(leaves, NULL);
	pthread_join(looks, NULL);
	return 0;
}
