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
