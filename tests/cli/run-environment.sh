# SPDX-License-Identifier: MIT
# What a program under test sees of the world: arguments, environment, folder, standard streams, libraries.
. "$SOURCE/tests/cli/lib.sh"

cat >world.c <<'END'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	assert(argc == 3 && strcmp(argv[1], "one") == 0 && strcmp(argv[2], "two words") == 0 && !argv[3]);
	assert(strcmp(getenv("COLOUR"), "red") == 0);
	FILE *file = fopen("here", "r");
	assert(file);
	char text[20];
	assert(fgets(text, sizeof text, file) && strcmp(text, "text\n") == 0);
	fclose(file);
	char *copy = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&copy, &size);
	fprintf(memory, "%d", 42);
	fclose(memory);
	assert(strcmp(copy, "42") == 0);
	free(copy);
	return 0;
}
END
echo text >here
check "a program that looks around" mazurka cc world.c -o world
check "runs by itself" env COLOUR=red ./world one "two words"
check "is explored with its arguments, environment and folder" env COLOUR=red mazurka run ./world one "two words"
check "found in PATH" env COLOUR=red PATH="$PWD:$PATH" mazurka run world one "two words"

cat >secret.c <<'END'
#include <assert.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	(void)argv;
	assert(!getenv("MAZURKA_REDIS_PASSWORD") && !getenv("MAZURKA_REDIS_PASSWORD_FILE"));
	assert(argc == 1);
	return 0;
}
END
mazurka cc secret.c -o secret
hides="env MAZURKA_REDIS_PASSWORD=verysecret MAZURKA_REDIS_PASSWORD_FILE=$PWD/none"
check "the password of Redis is not inherited" $hides mazurka run ./secret
check "nor is an empty one" env MAZURKA_REDIS_PASSWORD= MAZURKA_REDIS_PASSWORD_FILE= mazurka run ./secret
check "nor by a run that is kept" $hides mazurka run --resume kept ./secret
check "where it is not written" sh -c '! grep -q verysecret kept/run'
equal "nor by what is confirmed" 1 "$($hides mazurka run --out secret-out ./secret 1 >secret.text || echo $?)"
check "nor by a replay" sh -c "$hides mazurka replay secret-out/bug-1.trace | grep -q 'argc == 1'"

cat >part.c <<'END'
#include <stdatomic.h>
atomic_int counter;
void add(void)
{
	int seen = atomic_load(&counter);
	atomic_store(&counter, seen + 1);
}
END
cat >user.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern atomic_int counter;
void add(void);
static void *run(void *arg)
{
	(void)arg;
	add();
	return NULL;
}
int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(counter == 2);
	return 0;
}
END
explored() {
	result=0
	mazurka run --quiet --keep-going --count-traces --json r.json "$1" || result=$?
	python3 -c 'import json; r = json.load(open("r.json")); print(r["traces"], [b["kind"] for b in r["bugs"]])'
}
libraries() {
	mazurka cc -c part.c
	ar rc libpart.a part.o
	mazurka cc user.c libpart.a -o static
	equal "$compiler: code in an archive is explored" "4 ['assertion']" "$(explored ./static)"
	mazurka cc -shared -fPIC part.c -o libpart.so
	mazurka cc user.c -L. -lpart -Wl,-rpath,"$PWD" -o shared
	equal "$compiler: code and data in a shared library are explored and restored" "4 ['assertion']" "$(explored ./shared)"
	mazurka cc -no-pie user.c part.c -o nopie
	equal "$compiler: a program at a fixed address" "4 ['assertion']" "$(explored ./nopie)"
	for linker in bfd gold lld; do
		command -v "ld.$linker" >/dev/null || continue
		mazurka cc -fuse-ld=$linker user.c part.c -o "$linker"
		equal "$compiler: linked by $linker" "4 ['assertion']" "$(explored "./$linker")"
	done
	mazurka cc -O2 -flto user.c part.c -o lto
	equal "$compiler: a program optimised as a whole" "4 ['assertion']" "$(explored ./lto)"
	mazurka cc -fsanitize=undefined user.c part.c -o ubsan
	equal "$compiler: beside -fsanitize=undefined" "4 ['assertion']" "$(explored ./ubsan)"
}
both_compilers libraries

cat >talker.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int value;
static void *run(void *arg)
{
	printf("I saw %d\n", atomic_fetch_add(&value, 1));
	fprintf(stderr, "and said so\n");
	return arg;
}
int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
	return 0;
}
END
mazurka cc talker.c -o talker
equal "output of the program does not mix with ours" "no bug: all 6 executions explored, complete" "$(mazurka run ./talker 2>&1)"

cat >endless.c <<'END'
int main(void)
{
	for (volatile int i = 0;; i = 0) __asm__ volatile("");
}
END
mazurka cc -fno-sanitize=thread endless.c -o endless
code=0
timeout 60 mazurka run --stall-timeout 1 ./endless >endless.out 2>&1 || code=$?
check "a program that loops without a step is given up, with a reason" test $code -ne 124 -a $code -ne 0 -a -s endless.out
code=0
timeout 60 mazurka run --timeout 1 --stall-timeout 100 ./endless >endless.out 2>&1 || code=$?
equal "--timeout ends it, too" 3 $code
