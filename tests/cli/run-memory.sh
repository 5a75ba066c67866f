# SPDX-License-Identifier: MIT
# Findings about memory say where it was allocated and freed, and by whom; options of the heap, of leaks and of calls that fail.
. "$SOURCE/tests/cli/lib.sh"

cat >heap.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char *block;

static void *allocate(void *arg)
{
	block = malloc(10); /* line 9 */
	return arg;
}

static void *release(void *arg)
{
	free(block); /* line 15 */
	return arg;
}

static void one(void *(*function)(void *))
{
	pthread_t thread;
	pthread_create(&thread, NULL, function, NULL);
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	one(allocate);
	if (argc > 1 && !strcmp(argv[1], "beyond")) block[12] = 1;
	if (argc > 1 && !strcmp(argv[1], "across")) memset(block + 8, 1, 4);
	if (argc > 1 && !strcmp(argv[1], "before")) block[-3] = 1;
	if (argc > 1 && !strcmp(argv[1], "middle")) free(block + 4);
	one(release);
	if (argc > 1 && !strcmp(argv[1], "freed")) block[4] = 1;
	if (argc > 1 && !strcmp(argv[1], "twice")) free(block);
	if (argc > 1 && !strcmp(argv[1], "lost")) {
		one(allocate);
		block = NULL;
	}
	return 0;
}
END
check "built" mazurka cc -g heap.c -o heap

# The lines of the report of a bug, up to the steps.
report() {
	mazurka run --out out "$@" | sed -n '2,/^$/s/^ *//p' | grep -v '^|' | sed '/^$/d'
}

allocated="allocated by main/1: heap block of 10 bytes at heap.c:9 (allocate)"
equal "beyond" "write of 1 byte, 2 beyond a block of 10 bytes: heap block of 10 bytes from heap.c:9 (allocate), +12
main at heap.c:29 (main)
$allocated" "$(report ./heap beyond)"
equal "across the end" "write of 4 bytes that ends 2 beyond a block of 10 bytes: heap block of 10 bytes from heap.c:9 (allocate), +8
main at heap.c:30 (main)
$allocated" "$(report ./heap across)"
equal "before" "write of 1 byte, 3 before a block of 10 bytes: heap block of 10 bytes from heap.c:9 (allocate), -3
main at heap.c:31 (main)
$allocated" "$(report ./heap before)"
equal "in the middle" "free of an address that is 4 bytes from the start of a block of 10 bytes: heap block of 10 bytes from heap.c:9 (allocate), +4
main at heap.c:32 (main)
$allocated" "$(report ./heap middle)"
equal "freed" "write of 1 byte in a freed block of 10 bytes, at offset 4: heap block of 10 bytes from heap.c:9 (allocate), +4
main at heap.c:34 (main)
freed by main/2 at heap.c:15 (release)
$allocated" "$(report ./heap freed)"
equal "twice" "free of a block of 10 bytes that was freed before: heap block of 10 bytes from heap.c:9 (allocate)
main at heap.c:35 (main)
freed before by main/2 at heap.c:15 (release)
$allocated" "$(report ./heap twice)"
equal "lost" "a block of 10 bytes is lost: nothing refers to it at the end
main/3 at heap.c:9 (allocate)" "$(report --leaks ./heap lost)"
check "lost, but nobody asked" mazurka run ./heap lost
check "nothing lost" mazurka run --leaks --thread-leaks ./heap

# ---- calls that fail ----

cat >fails.c <<'END'
#include <stdlib.h>

int main(void)
{
	char *block = calloc(3, 4);
	if (!block) block = malloc(12);
	block[11] = 1;
	free(block);
	return 0;
}
END
check "built" mazurka cc -g fails.c -o fails
check "nothing fails by itself" mazurka run ./fails
check "one of two calls fails" mazurka run --fail calloc ./fails
check "each thread has one at most" mazurka run --fail malloc,calloc --max-faults 1 ./fails
status=0
mazurka run --fail malloc,calloc --out failed ./fails >run.out || status=$?
equal "both fail: 1" 1 "$status"
equal "the steps say what failed" "calloc fails with ENOMEM, malloc fails with ENOMEM, " \
	"$(mazurka show failed/bug-1.trace | sed -n 's/.*choose *\([a-z]* fails with [A-Z]*\) .*/\1/p' | tr '\n' ',' | sed 's/,/, /g')"
equal "the trace knows the list" 'fails "malloc,calloc" 0' "$(grep '^fails' failed/bug-1.trace)"
status=0
mazurka replay failed/bug-1.trace >replay.out || status=$?
equal "it fails again: 1" 1 "$status"
names=$(mazurka run --help | sed -n 's/^Calls that can fail: \(.*\)\.$/\1/p')
refused "a call that cannot fail" \
	"mazurka: --fail takes a list, separated by commas, of $names; there is no 'getpid'" mazurka run --fail malloc,getpid ./fails
refused "no call" "mazurka: --fail takes a list, separated by commas, of $names; there is no ''" mazurka run --fail malloc, ./fails
refused "no faults" "mazurka: --max-faults takes a whole number from 1 to 4294967295, not '0'" mazurka run --max-faults 0 ./fails
refused "another heap" "mazurka: --heap takes fresh|reuse, not 'old'" mazurka run --heap old ./fails
refused "leaks of states" "mazurka: the strategy states cannot honour --leaks: it searches states, not executions" \
	mazurka run --strategy states --leaks ./fails

# ---- memory that is asked for and hardly touched ----

cat >sparse.c <<'END'
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define GIB ((size_t)1 << 30)

static char *shared;
static size_t most;

static void *touches(void *nth)
{
	shared[(size_t)nth * 4 * GIB] = 1;
	char *own = calloc(5, GIB);
	assert(own && own[5 * GIB - 1] == 0);
	own[5 * GIB - 1] = 1;
	free(own);
	return NULL;
}

static void *allocates(void *unused)
{
	shared = malloc(most);
	if (shared) shared[most - 1] = 1;
	free(shared);
	return unused;
}

static void one(void)
{
	pthread_t thread;
	if (pthread_create(&thread, NULL, allocates, NULL)) abort();
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	if (argc > 2 && strcmp(argv[1], "late") == 0) {
		most = GIB;
		for (int i = 0; i < 140; i++) one();
		most = (size_t)atoi(argv[2]) * GIB;
		one();
		return 0;
	}
	errno = 0;
	most = argc > 1 ? PTRDIFF_MAX : 0;
	assert(argc < 2 || (!malloc(most) && errno == ENOMEM));
	shared = malloc(8 * GIB);
	assert(shared);
	for (size_t i = 0; i < 2; i++) pthread_create(&threads[i], NULL, touches, (void *)i);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(shared[0] == 1 && shared[4 * GIB] == 1);
	free(shared);
	if (argc > 1) shared[8 * GIB - 1] = 1;
	return 0;
}
END
mazurka cc -g -O1 sparse.c -o sparse
ways() {
	for strategy in optimal dfs dpor cbpor random; do
		mazurka run --strategy $strategy --max-executions 1 "$@" | tail -n 1
	done | sed 's/^incomplete: .*; //; s/ in 1 execution.*//; s/: the only execution explored, complete$//' | sort -u
}
equal "eight gibibytes" "no bug" "$(ways ./sparse)"
equal "what no system has is not there" "write of 1 byte in a freed block of 8589934592 bytes, at offset 8589934591: heap block of 8589934592 bytes from sparse.c:51 (main), +8589934591
main at sparse.c:57 (main)
freed by main at sparse.c:56 (main)
allocated by main: heap block of 8589934592 bytes at sparse.c:51 (main)" "$(report ./sparse too-much)"
check "room for threads that come late" mazurka run ./sparse late 1
status=0
mazurka run ./sparse late 3 >late.out || status=$?
equal "there is room for so much, and its lack is told" "3 incomplete: 1 allocation of up to 3221225472 bytes was refused: \
the heap of a thread has 64 GiB, that of any after 128 threads 2 GiB (--heap reuse needs less); no bug in 1 execution" "$status $(cat late.out)"
