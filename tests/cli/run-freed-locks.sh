# SPDX-License-Identifier: MIT
# Locks in blocks that are freed by a thread that does not know of their last use: found, also where that use came first.
. "$SOURCE/tests/cli/lib.sh"

# A thread uses an object once more after it has said that it is done; main frees the object then, or after the join.
cat >freed.c <<'END'
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static union {
	pthread_mutex_t mutex;
	pthread_cond_t condition;
	pthread_rwlock_t shared;
	pthread_spinlock_t spin;
	sem_t semaphore;
} *object;
static char kind;
static atomic_int done;

static void *uses(void *argument)
{
	if (kind == 'm') pthread_mutex_lock(&object->mutex);
	if (kind == 'r') pthread_rwlock_rdlock(&object->shared);
	if (kind == 's') pthread_spin_lock(&object->spin);
	done = 1;
	if (kind == 'm') pthread_mutex_unlock(&object->mutex);
	if (kind == 'r') pthread_rwlock_unlock(&object->shared);
	if (kind == 's') pthread_spin_unlock(&object->spin);
	if (kind == 'c') pthread_cond_signal(&object->condition);
	if (kind == 'p') sem_post(&object->semaphore);
	return argument;
}

int main(int argc, char **argv)
{
	pthread_t user;
	kind = argv[1][0];
	object = malloc(sizeof *object);
	if (kind == 'm') pthread_mutex_init(&object->mutex, NULL);
	if (kind == 'r') pthread_rwlock_init(&object->shared, NULL);
	if (kind == 's') pthread_spin_init(&object->spin, 0);
	if (kind == 'c') pthread_cond_init(&object->condition, NULL);
	if (kind == 'p') sem_init(&object->semaphore, 0, 0);
	pthread_create(&user, NULL, uses, NULL);
	if (argc > 2) {
		if (kind == 'p') sem_wait(&object->semaphore);
		else pthread_join(user, NULL);
		free(object);
	} else if (done) {
		free(object);
	}
	return 0;
}
END
mazurka cc -g -O1 freed.c -o freed -pthread

for strategy in optimal dfs random; do
	for kind in m r s c p; do
		status=0
		said=$(mazurka run --strategy $strategy --max-executions 100 ./freed $kind 2>&1) || status=$?
		case "$status $said" in
		"1 "*"free by main against"* | "1 "*"use-after-free"* | "1 "*"free of memory with a synchronization object"*) result=found ;;
		*) result="status $status: $said" ;;
		esac
		equal "freed too early, $kind, $strategy" found "$result"
	done
done
for kind in m r s c p; do
	status=0
	mazurka run ./freed $kind waits >/dev/null 2>&1 || status=$?
	equal "freed in time, $kind" 0 "$status"
done
