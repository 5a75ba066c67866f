# SPDX-License-Identifier: MIT
# Checkpoints change how long it takes and nothing else; where the C library keeps state there are none.
. "$SOURCE/tests/cli/lib.sh"

cat >prefix.c <<'END'
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int steps, x, y;
static _Thread_local int mine;
static int *block;

static void *run(void *arg)
{
	int me = (int)(long)arg, *own = malloc(sizeof *own);
	*own = mine = errno = me;
	atomic_fetch_add(&x, 1);
	assert(errno == me && mine == me && *own == me);
	*own = mine = errno = me + 10; /* who goes on from a state finds what was there, not what came later */
	atomic_store(&y, atomic_load(&x));
	assert(errno == me + 10 && mine == me + 10 && *own == me + 10 && *block == 7);
	free(own);
	return NULL;
}

int main(void)
{
	pthread_t threads[3];
	block = malloc(sizeof *block);
	for (int i = 0; i < 500; i++) atomic_fetch_add(&steps, 1);
	*block = 7;
	for (long i = 0; i < 3; i++) pthread_create(&threads[i], NULL, run, (void *)i);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	free(block);
	return atomic_load(&steps) != 500;
}
END
mazurka cc -g -O1 prefix.c -o prefix -pthread
# result OPTION...: what is printed, and the result but for the times.
result() {
	mazurka run --json result.json "$@" ./prefix && sed 's/"seconds.*//' result.json
}
for strategy in optimal source dpor dpor-cr dfs; do
	without=$(result --strategy $strategy --checkpoints never)
	equal "$strategy, with checkpoints wherever there can be one" "$without" "$(result --strategy $strategy --checkpoints always)"
	equal "$strategy, with checkpoints where they pay" "$without" "$(result --strategy $strategy)"
done
equal "--no-checkpoints" "$(result)" "$(result --no-checkpoints)"
refused "a bad value" "mazurka: --checkpoints takes auto|always|never, not 'sometimes'" \
	mazurka run --checkpoints sometimes ./prefix

# The position in a file is the kernel's: an execution from the middle of another would find it moved.
cat >file.c <<'END'
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#ifndef MORE
#define MORE 1 /* threads that do not read */
#endif

static atomic_int x;
static int file;

static void *run(void *arg)
{
	char c = 0;
	atomic_fetch_add(&x, 1);
	if (arg) assert(read(file, &c, 1) == 1 && c == 'a');
	atomic_fetch_add(&x, 1);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[1 + MORE];
	file = open(argv[argc - 1], O_RDONLY);
	for (int i = 0; i < 1 + MORE; i++) pthread_create(&threads[i], NULL, run, i ? NULL : &file);
	for (int i = 0; i < 1 + MORE; i++) pthread_join(threads[i], NULL);
	close(file);
	return 0;
}
END
printf 'abcdefghij' >letters
mazurka cc -g file.c -o file -pthread
check "files are read from their beginning" mazurka run ./file letters
# So are they in an exploration that is long enough for checkpoints to pay.
mazurka cc -g -DMORE=3 file.c -o longer -pthread
check "however long it takes" mazurka run ./longer letters
status=0
mazurka run --checkpoints always ./file letters >always.text || status=$?
equal "or it is noticed" "1|bug: nondeterminism" "$status|$(sed -n '1s/ after.*//p' always.text)"
