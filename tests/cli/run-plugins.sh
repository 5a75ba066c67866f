# SPDX-License-Identifier: MIT
# Libraries that a program loads while it runs: every execution finds them as the first did.
. "$SOURCE/tests/cli/lib.sh"
run="$BUILD/mazurka run"

# The plugin needs another library, has constructors, destructors and thread-local variables, and tells its host.
cat >below.c <<'END'
static int value;
__attribute__((constructor)) static void up(void)
{
	value += 10;
}
__attribute__((destructor)) static void down(void)
{
	value += 5;
}
int below(void)
{
	return value;
}
END
cat >plugin.c <<'END'
#include <pthread.h>
#include <stdlib.h>
void tell(const char *what);
int below(void);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int mine = 7;
static int calls = 3, *block, unlocked;
static const char *names[] = {"one", "two"};
const char **pointer = names;
int variable = 5, *address = &variable;
__attribute__((constructor)) static void up(void)
{
	tell("up");
	if (address != &variable || names[1][1] != 'w' || block || below() != 10) abort();
	address = NULL;
	names[1] = "three";
	block = calloc(1, sizeof *block);
}
__attribute__((destructor)) static void down(void)
{
	tell("down");
	free(block);
	calls = 0;
}
/* How often it was called, and in this thread, since it was loaded. */
int call(void)
{
	pthread_mutex_lock(&mutex);
	++*block;
	int result = ++calls * 100 + ++mine * 10 + *block;
	pthread_mutex_unlock(&mutex);
	return result;
}
void call_unlocked(void)
{
	unlocked++; /* HERE */
}
END
cat >host.c <<'END'
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
static char told[8][8];
static int ntold;
void tell(const char *what)
{
	strcpy(told[ntold++], what);
}
static int (*call)(void);
static void *work(void *arg)
{
	int result = call();
	assert(result == 481 || result == 582);
	return arg;
}
static void *use(const char *name)
{
	void *plugin = dlopen(name, RTLD_NOW);
	assert(plugin && strcmp(told[ntold - 1], "up") == 0);
	assert((call = (int (*)(void))dlsym(plugin, "call")));
	assert(*(void **)dlsym(plugin, "address") == NULL && strcmp((*(char ***)dlsym(plugin, "pointer"))[1], "three") == 0);
	return plugin;
}
int main(int argc, char **argv)
{
	pthread_t threads[2];
	assert(argc > 1 && ntold == 0);
	assert(!dlopen("./absent.so", RTLD_NOW) && strstr(dlerror(), "absent.so"));
	for (int round = 0; round < 2; round++) {
		assert(!dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD));
		void *plugin = use(argv[1]);
		assert(dlopen(argv[1], RTLD_NOW) == plugin && dlclose(plugin) == 0);
		for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
		for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
		assert(ntold == 2 * round + 1 && dlclose(plugin) == 0);
		assert(ntold == 2 * round + 2 && strcmp(told[ntold - 1], "down") == 0);
	}
	return 0;
}
END
mkdir plugins
"$BUILD/mazurka" cc -g -fPIC -shared below.c -o plugins/libbelow.so
"$BUILD/mazurka" cc -g -fPIC -shared plugin.c -o plugins/plugin.so -Lplugins -lbelow -Wl,-rpath,'$ORIGIN'
check "a program that loads a plugin builds" "$BUILD/mazurka" cc -g -rdynamic -pthread host.c -o host \
	-Wl,-rpath,"$PWD/plugins"
check "by itself it runs" ./host ./plugins/plugin.so
check "also where the plugin is found by its name" ./host plugin.so
# two rounds, in each of which one thread or the other comes first
for how in "" "--strategy source" "--strategy dpor" "--strategy dfs" "--isolation process" "--checkpoints always"; do
	equal "it is explored $how" "no bug: all 4 executions explored, complete" "$($run $how ./host ./plugins/plugin.so)"
done
equal "and where the plugin is found by its name" "no bug: all 4 executions explored, complete" "$($run ./host plugin.so)"
refused "a search of states cannot follow" \
	"mazurka: $PWD/host cannot be explored: it loads libraries while it runs, which a search of states cannot follow" \
	$run --strategy states ./host ./plugins/plugin.so

# ---- threads that load at the same time, and a bug in what they load ----
cat >both.c <<'END'
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int told;
void tell(const char *what)
{
	told += what[0] == 'u';
}
static void *load(void *arg)
{
	void *plugin = dlopen("./plugins/plugin.so", RTLD_NOW);
	assert(plugin);
	if (arg) ((void (*)(void))dlsym(plugin, "call_unlocked"))();
	if (!arg) dlclose(plugin);
	return arg;
}
int main(int argc, char **argv)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, load, argc > 1 ? argv : NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
	assert(argc > 1 ? told == 1 : told <= 2);
	return 0;
}
END
"$BUILD/mazurka" cc -g -rdynamic -pthread both.c -o both
# orders of two times opening and closing: 4! / (2! 2!)
equal "who opens or closes is alone" "no bug: all 6 executions explored, complete" "$($run ./both)"
line=$(sed -n '/HERE/=' plugin.c)
equal "a data race in a plugin is named" "data-race: data race on \`unlocked\`: read of 4 bytes by main/2 against write of 4 bytes by main/1 at plugin.c:$line" \
	"$($run --out race ./both race | sed -n 's/^  \(data-race.*\), trace.*/\1/p')"
equal "and can be replayed" "1 bug: data-race" "$(status=0; "$BUILD/mazurka" replay race/bug-1.trace >replayed || status=$?
	echo "$status $(sed -n 's/^\(bug: data-race\).*/\1/p' replayed)")"

# ---- many of them ----
cat >many.c <<'END'
#include <assert.h>
#include <dlfcn.h>
#include <stdio.h>
static int ntold;
void tell(const char *what)
{
	ntold += what[0] == 'u';
}
int main(void)
{
	char name[64];
	for (int i = 1; i <= 60; i++) {
		snprintf(name, sizeof name, "./plugins/plugin%d.so", i);
		void *plugin = dlopen(name, RTLD_NOW);
		assert(plugin && ((int (*)(void))dlsym(plugin, "call"))() == 481);
	}
	return ntold != 60;
}
END
for n in $(seq 60); do cp plugins/plugin.so "plugins/plugin$n.so"; done
"$BUILD/mazurka" cc -g -rdynamic -pthread many.c -o many
equal "60 plugins" "no bug: the only execution explored, complete" "$($run ./many)"
