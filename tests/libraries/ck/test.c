/* SPDX-License-Identifier: MIT
 *
 * Concurrency Kit: locks, rings, stacks and safe memory reclamation. Its atomics are volatile accesses and fences.
 * Loads and stores of pointers are not even that: ck_pr_load_ptr() casts to a pointer to volatile, so that what is
 * accessed is not volatile. What is made of pointers is therefore explored at all accesses, and has races otherwise.
 * The counts are those on which all strategies agree.
 *
 * builds: gcc-O1
 *
 * variant: fas
 * arguments: fas
 * options: --volatile atomic
 * expect: optimal 16
 *
 * variant: cas
 * arguments: cas
 * options: --volatile atomic
 * expect: optimal 8
 *
 * variant: ticket
 * arguments: ticket
 * options: --volatile atomic
 * expect: optimal 6
 *
 * variant: dec
 * arguments: dec
 * options: --volatile atomic
 * expect: optimal 20
 *
 * variant: rwlock
 * arguments: rwlock
 * options: --volatile atomic
 * expect: optimal 19
 *
 * variant: ring
 * arguments: ring
 * options: --volatile atomic
 * expect: optimal 6
 *
 * variant: epoch
 * arguments: epoch
 * options: --volatile atomic
 * expect: optimal 19
 *
 * variant: mcs
 * arguments: mcs
 * options: --points all --no-races
 * expect: optimal 92
 *
 * variant: stack
 * arguments: stack
 * options: --points all --no-races
 * expect: optimal 4
 *
 * variant: pointers
 * arguments: stack
 * options: --volatile atomic
 * expect: optimal 2
 * findings: data-race
 */
#include <assert.h>
#include <ck_epoch.h>
#include <ck_ring.h>
#include <ck_rwlock.h>
#include <ck_spinlock.h>
#include <ck_stack.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

int counter;

static void together(void *(*left)(void *), void *(*right)(void *))
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, left, NULL);
	pthread_create(&threads[1], NULL, right, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}

/* ---- locks: one at a time ---- */

#define LOCK_TEST(name, type, initializer)                                                                             \
	static type name = initializer;                                                                                \
	static void *cross_##name(void *unused)                                                                        \
	{                                                                                                              \
		ck_spinlock_##name##_lock(&name);                                                                      \
		counter++;                                                                                             \
		ck_spinlock_##name##_unlock(&name);                                                                    \
		return unused;                                                                                         \
	}                                                                                                              \
	static void test_##name(void)                                                                                  \
	{                                                                                                              \
		together(cross_##name, cross_##name);                                                                  \
		assert(counter == 2);                                                                                  \
	}

LOCK_TEST(fas, ck_spinlock_fas_t, CK_SPINLOCK_FAS_INITIALIZER)
LOCK_TEST(cas, ck_spinlock_cas_t, CK_SPINLOCK_CAS_INITIALIZER)
LOCK_TEST(ticket, ck_spinlock_ticket_t, CK_SPINLOCK_TICKET_INITIALIZER)
LOCK_TEST(dec, ck_spinlock_dec_t, CK_SPINLOCK_DEC_INITIALIZER)

static ck_spinlock_mcs_t mcs = CK_SPINLOCK_MCS_INITIALIZER;

static void *cross_mcs(void *unused)
{
	ck_spinlock_mcs_context_t mine;
	ck_spinlock_mcs_lock(&mcs, &mine);
	counter++;
	ck_spinlock_mcs_unlock(&mcs, &mine);
	return unused;
}

static void test_mcs(void)
{
	together(cross_mcs, cross_mcs);
	assert(counter == 2);
}

static ck_rwlock_t rwlock = CK_RWLOCK_INITIALIZER;

static void *write_under_rwlock(void *unused)
{
	ck_rwlock_write_lock(&rwlock);
	counter++;
	counter++;
	ck_rwlock_write_unlock(&rwlock);
	return unused;
}

static void *read_under_rwlock(void *unused)
{
	ck_rwlock_read_lock(&rwlock);
	assert(counter % 2 == 0);
	ck_rwlock_read_unlock(&rwlock);
	return unused;
}

static void test_rwlock(void)
{
	together(write_under_rwlock, read_under_rwlock);
}

/* ---- a ring: every item once ---- */

static ck_ring_t ring;
static ck_ring_buffer_t ring_buffer[4];
static int ring_items[2] = {1, 2}, taken[2];

static void *enqueue(void *unused)
{
	for (int i = 0; i < 2; i++) ck_ring_enqueue_spsc(&ring, ring_buffer, &ring_items[i]);
	return unused;
}

static void *dequeue(void *unused)
{
	void *item;
	for (int i = 0; i < 2 && ck_ring_dequeue_spsc(&ring, ring_buffer, &item); i++) taken[i] = *(int *)item;
	return unused;
}

static void test_ring(void)
{
	ck_ring_init(&ring, 4);
	together(enqueue, dequeue);
	assert((taken[0] == 0 || taken[0] == 1) && (taken[1] == 0 || taken[1] == 2));
}

/* ---- a stack: nothing is lost ---- */

static ck_stack_t stack = CK_STACK_INITIALIZER;
static ck_stack_entry_t stack_entries[2];

static void *push_first(void *unused)
{
	ck_stack_push_upmc(&stack, &stack_entries[0]);
	return unused;
}

static void *push_second(void *unused)
{
	ck_stack_push_upmc(&stack, &stack_entries[1]);
	return unused;
}

static void test_stack(void)
{
	together(push_first, push_second);
	ck_stack_entry_t *first = ck_stack_pop_upmc(&stack), *second = ck_stack_pop_upmc(&stack);
	assert(first && second && first != second && !ck_stack_pop_upmc(&stack));
}

/* ---- epochs: nothing is freed while somebody looks at it ---- */

static ck_epoch_t epoch;
static ck_epoch_record_t records[2];
static _Atomic(int *) current;

static void *epoch_reader(void *unused)
{
	ck_epoch_begin(&records[0], NULL);
	int *version = atomic_load(&current);
	assert(*version == 1 || *version == 2);
	ck_epoch_end(&records[0], NULL);
	return unused;
}

static void *epoch_writer(void *unused)
{
	int *old = atomic_load(&current), *fresh = malloc(sizeof *fresh);
	*fresh = 2;
	ck_pr_fence_store();
	atomic_store(&current, fresh);
	ck_epoch_synchronize(&records[1]);
	free(old);
	return unused;
}

static void test_epoch(void)
{
	ck_epoch_init(&epoch);
	for (int i = 0; i < 2; i++) ck_epoch_register(&epoch, &records[i], NULL);
	int *first = malloc(sizeof *first);
	*first = 1;
	atomic_store(&current, first);
	together(epoch_reader, epoch_writer);
	free(atomic_load(&current));
}

static const struct {
	const char *name;
	void (*run)(void);
} tests[] = {{"fas", test_fas},   {"cas", test_cas},     {"ticket", test_ticket},
             {"dec", test_dec},   {"mcs", test_mcs},     {"rwlock", test_rwlock},
             {"ring", test_ring}, {"stack", test_stack}, {"epoch", test_epoch}};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
		if (argc > 1 && strcmp(argv[1], tests[i].name) == 0) tests[i].run();
	return 0;
}
