# SPDX-License-Identifier: MIT
# Steps that no operation orders, and that cannot be made in another order: a data race explains that, and is what is reported; what nobody
# saw is nondeterminism.
. "$SOURCE/tests/cli/lib.sh"

# Whether the second thread waits depends on whether the first one has been there: LOOK and SET are how they tell each other.
cat >waits.c <<'END'
#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static sem_t posted;
static int ready;
#define UNSEEN __attribute__((no_sanitize("thread"), noinline)) static
UNSEEN int look_unseen(void) { return *(volatile int *)&ready; }
UNSEEN void set_unseen(void) { *(volatile int *)&ready = 1; }
static int look(void) { return ready; }
static void set(void) { ready = 1; }
static void *sets(void *unused)
{
	pthread_mutex_lock(&first);
	pthread_mutex_unlock(&first);
	SET();
	sem_post(&posted);
	return unused;
}
static void *uses(void *unused)
{
	pthread_mutex_lock(&second);
	pthread_mutex_unlock(&second);
	if (!LOOK()) sem_wait(&posted);
	pthread_mutex_lock(&first);
	pthread_mutex_unlock(&first);
	return unused;
}
int main(void)
{
	pthread_t one, two;
	sem_init(&posted, 0, 0);
	pthread_create(&one, NULL, sets, NULL);
	pthread_create(&two, NULL, uses, NULL);
	pthread_join(one, NULL);
	pthread_join(two, NULL);
	return 0;
}
END
mazurka cc -g -O1 waits.c -DSET=set -DLOOK=look -o raced
mazurka cc -g -O1 waits.c -DSET=set_unseen -DLOOK=look_unseen -o unseen

# says WORDS...: the exit status, and the kinds of bugs and the verdict as the JSON result has them.
says() {
	status=0
	mazurka run --quiet --json result.json "$@" >/dev/null 2>&1 || status=$?
	python3 -c '
import json, sys
result = json.load(open("result.json"))
print(sys.argv[1], result["verdict"], *(bug["kind"] for bug in result["bugs"]), sep=", ", end="")
print(":", result["reason"])' "$status"
}
unexplored="what follows from data races was not explored: see --points all"
for jobs in 1 2; do
	equal "race, --no-races, $jobs" "3, incomplete: $unexplored" "$(says --no-races --jobs $jobs ./raced)"
	equal "race, --keep-going, $jobs" "1, bug, data-race: $unexplored" "$(says --keep-going --jobs $jobs ./raced)"
	equal "race, $jobs" "1, bug, data-race: stopped at the first bug" "$(says --jobs $jobs ./raced)"
	equal "unseen, --no-races, $jobs" "1, bug, nondeterminism: stopped at the first bug" "$(says --no-races --jobs $jobs ./unseen)"
	equal "unseen, $jobs" "1, bug, nondeterminism: stopped at the first bug" "$(says --jobs $jobs ./unseen)"
done
equal "where accesses are steps" "0, pass: None" "$(says --no-races --points all ./raced)"
equal "the same under all strategies" "0, pass: None" "$(says --no-races --strategy dfs ./raced)"
