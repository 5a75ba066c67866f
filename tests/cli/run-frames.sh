# SPDX-License-Identifier: MIT
# Stack frames that are used after their end, or may be, where data races are not looked for: the bug is found, or the reason names it.
. "$SOURCE/tests/cli/lib.sh"

# One thread uses the variable or the lock of a function, which waits for it (--waits), for another thread only, or for none.
cat >frames.c <<'END'
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

static pthread_t user, other;
static sem_t go, used;
static int waits, locks;

struct own {
	int variable;
	pthread_mutex_t lock;
};

static void *uses(void *argument)
{
	struct own *own = argument;
	if (locks) {
		pthread_mutex_lock(&own->lock);
		pthread_mutex_unlock(&own->lock);
	} else {
		own->variable = 7;
	}
	sem_post(&used);
	return NULL;
}

static void *posts(void *unused)
{
	sem_post(&go);
	return unused;
}

static __attribute__((noinline)) void lend(int for_other)
{
	struct own own = {1, PTHREAD_MUTEX_INITIALIZER};
	pthread_create(&user, NULL, uses, &own);
	pthread_create(&other, NULL, posts, NULL);
	if (waits) sem_wait(&used);
	if (for_other) sem_wait(&go);
}

static __attribute__((noinline)) void take_the_place(void)
{
	char room[400];
	memset(room, 0, sizeof room);
	__asm__ volatile("" : : "r"(room) : "memory");
	pthread_join(user, NULL);
	pthread_join(other, NULL);
	__asm__ volatile("" : : "r"(room) : "memory");
}

int main(int argc, char **argv)
{
	waits = strchr(argv[1], 'w') != NULL;
	locks = strchr(argv[1], 'l') != NULL;
	lend(strchr(argv[1], 'o') != NULL);
	take_the_place();
	return argc > 2;
}
END
mazurka cc -g -O1 frames.c -o frames -pthread

# says WORDS...: the exit status, the verdict and the kinds of bugs as the JSON result has them.
says() {
	status=0
	mazurka run --quiet --json result.json "$@" >/dev/null 2>&1 || status=$?
	python3 -c '
import json, sys
result = json.load(open("result.json"))
kinds = sorted({bug["kind"] for bug in result["bugs"]})
print(sys.argv[1], result["verdict"], *kinds, sep=", ", end="")
print(":", "frame" if result["verdict"] == "incomplete" and "stack frame" in result["reason"] else None)' "$status"
}
for way in "optimal --no-races" "dfs --no-races" "dpor --no-races --jobs 2" "optimal --no-races --isolation process" \
	"random --no-races --max-executions 20" optimal; do
	for how in - o l ol; do
		equal "nothing waits for it, $how, $way" "1, bug, use-after-free: None" "$(says --strategy $way ./frames $how)"
		replayed=$(mazurka replay mazurka-out/bug-1.trace 2>&1 || :)
		equal "and its replay, $how, $way" 1 "$(echo "$replayed" | grep -c '^bug: use-after-free')"
	done
	case $way in random*) continue ;; esac
	for how in w wl wo wol; do
		equal "it is waited for, $how, $way" "0, pass: None" "$(says --strategy $way ./frames $how)"
	done
done
for way in cartesian states "cartesian --jobs 2"; do
	for how in - o l ol; do
		case $(says --keep-going --strategy $way ./frames $how) in
		"1, bug, use-after-free: None" | "1, bug, data-race, use-after-free: None" | "3, incomplete: frame") result=told ;;
		*) result="not told: $(cat result.json)" ;;
		esac
		equal "found or named, $how, $way" told "$result"
	done
done
# What states do not tell is kept with them: here the function does wait.
status=0
mazurka run --strategy cartesian --resume kept ./frames w >/dev/null 2>&1 || status=$?
equal "named" 3 "$status"
equal "and named again" "3, incomplete: frame" "$(says --strategy cartesian --resume kept ./frames w)"
# A frame that is used only while its threads are joined in it is no question at all.
cat >joined.c <<'END'
#include <pthread.h>
#include <stddef.h>

static void *adds(void *place)
{
	++*(int *)place;
	return NULL;
}

static __attribute__((noinline)) int join(void)
{
	int variable = 0;
	pthread_t thread;
	pthread_create(&thread, NULL, adds, &variable);
	pthread_join(thread, NULL);
	return variable;
}

int main(void)
{
	return join() - 1;
}
END
mazurka cc -g -O1 joined.c -o joined -pthread
equal "joined, --no-races" "0, pass: None" "$(says --no-races ./joined)"
equal "joined, states" "0, pass: None" "$(says --strategy cartesian ./joined)"
# Frames are noted that others know of by other ways than being created.
mazurka cc -g -O1 "$SOURCE/tests/programs/wrong/frame-told-of.c" -o told -pthread
equal "told of, --no-races" "1, bug, use-after-free: None" "$(says --no-races ./told)"
equal "told of, dfs --no-races" "1, bug, use-after-free: None" "$(says --strategy dfs --no-races ./told)"
