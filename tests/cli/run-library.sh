# SPDX-License-Identifier: MIT
# What the C library and the kernel keep for the program starts anew in every execution.
. "$SOURCE/tests/cli/lib.sh"

# Two threads meet at a lock, in either order: two executions, if none of them notices the other.
cat >twice.h <<'END'
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t twice_lock = PTHREAD_MUTEX_INITIALIZER;
static void *twice_thread(void *arg)
{
	pthread_mutex_lock(&twice_lock);
	pthread_mutex_unlock(&twice_lock);
	return arg;
}
static void twice(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, twice_thread, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}
END
# two NAME COMMAND...: there are two executions and nothing is wrong; nor is it where states are searched.
two() {
	name=$1
	shift
	for options in "" "--strategy source" "--strategy dfs" "--isolation process"; do
		equal "$name $options" "no bug: all 2 executions explored, complete" \
			"$(mazurka run --max-executions 2000 $options -- "$@" 2>&1 | sed 's/all [0-9]* executions/all 2 executions/; s/ for what was observed//' | grep -v ^uncontrolled)"
	done
	check "$name, states" mazurka run --quiet --strategy cartesian -- "$@"
}

cat >options.c <<'END'
#include "twice.h"
#include <getopt.h>
int main(int argc, char **argv)
{
	static const struct option names[] = {{"size", required_argument, NULL, 's'}, {"all", no_argument, NULL, 'a'}, {0}};
	char found[64] = "";
	int option;
	assert(optind == 1 && strcmp(argv[1], "file") == 0);
	while ((option = getopt_long(argc, argv, "xy:", names, NULL)) != -1) {
		snprintf(found + strlen(found), sizeof found - strlen(found), "%c%s ", option, optarg ? optarg : "");
		if (option == 's') break; /* in the middle of it */
	}
	assert(strcmp(found, "x yq s3 ") == 0);
	twice();
	assert(getopt_long(argc, argv, "xy:", names, NULL) == 'a');
	assert(getopt_long(argc, argv, "xy:", names, NULL) == -1);
	assert(strcmp(argv[optind], "file") == 0 && optind == 4); /* it was moved behind the options */
	return 0;
}
END
check "a program with options" mazurka cc -g options.c -o options -pthread
check "by itself" ./options file -xyq --size=3 --all
two "options" ./options file -xyq --size=3 --all

cat >kept.c <<'END'
#include "twice.h"
static char words[] = "early late";
static int drawn;
__attribute__((constructor)) static void prepare(void)
{
	strtok(words, " ");
	putenv("PUT=early");
	setenv("SET", "early", 1);
	setenv("UNSET", "early", 1);
	srand(3);
	drawn = rand();
}
int main(int argc, char **argv)
{
	assert(strcmp(strtok(NULL, " "), "late") == 0 && !strtok(NULL, " "));
	assert(strcmp(getenv("PUT"), "early") == 0 && strcmp(getenv("SET"), "early") == 0 && getenv("UNSET"));
	assert(strcmp(getenv("FROM_OUTSIDE"), "outside") == 0);
	char *changed = getenv("FROM_OUTSIDE");
	changed[0] = 'O'; /* in place */
	setenv("SET", "late", 0);
	assert(strcmp(getenv("SET"), "early") == 0);
	setenv("SET", "late", 1);
	unsetenv("UNSET");
	putenv("PUT");
	for (int i = 0; i < 40; i++) setenv((char[]){'A' + (char)i, 0}, "many", 1);
	assert(strcmp(getenv("SET"), "late") == 0 && !getenv("UNSET") && !getenv("PUT"));
	assert(setenv("", "x", 1) == -1 && errno == EINVAL && setenv("A=B", "x", 1) == -1);
	environ[0] = (char *)"DIRECT=1";
	assert(strcmp(getenv("DIRECT"), "1") == 0);
	int next = rand();
	srand(3);
	assert(rand() == drawn && rand() == next);
	assert(argc == 2 && argv[1][0] == 'a' && argv[1][1] == 'b');
	argv[1][0] = 'z';
	argv[1] = NULL;
	char state[32], *old = initstate(1, state, sizeof state);
	long first = random();
	setstate(old);
	random();
	setstate(state);
	srandom(1);
	assert(random() == first);
	unsigned short seed[3] = {1, 2, 3};
	seed48(seed);
	long number = lrand48();
	lcong48((unsigned short[]){1, 2, 3, 5, 0, 0, 1});
	lrand48();
	seed48(seed);
	assert(lrand48() == number);
	twice();
	clearenv();
	assert(!getenv("SET") && errno != 77);
	errno = 77;
	return 0;
}
END
check "a program that has the C library keep something" mazurka cc -g kept.c -o kept -pthread
FROM_OUTSIDE=outside
export FROM_OUTSIDE
check "by itself, too" ./kept ab
two "words, variables, random numbers" ./kept ab

cat >settings.c <<'END'
#include "twice.h"
#include <locale.h>
#include <pwd.h>
#include <search.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <syslog.h>
int main(void)
{
	char folder[4096];
	struct rlimit limit;
	ENTRY entry = {(char *)"key", NULL};
	assert(umask(0123) != 0123);
	assert(getcwd(folder, sizeof folder) && strcmp(folder, "/") != 0 && chdir("/") == 0);
	assert(getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur != 77);
	limit.rlim_cur = 77;
	assert(setrlimit(RLIMIT_NOFILE, &limit) == 0);
	assert(strcmp(setlocale(LC_ALL, NULL), "C") == 0 && setlocale(LC_ALL, "C.UTF-8"));
	assert(uselocale(NULL) == LC_GLOBAL_LOCALE);
	uselocale(newlocale(LC_ALL_MASK, "C.UTF-8", NULL));
	assert(hcreate(8) && !hsearch(entry, FIND) && hsearch(entry, ENTER));
	struct passwd *first = getpwent();
	assert(!first || strcmp(first->pw_name, "root") == 0);
	assert(setlogmask(LOG_MASK(LOG_ERR)) == 0xff);
	twice();
	return 0;
}
END
check "a program with settings" mazurka cc -g settings.c -o settings -pthread
two "settings of the process" ./settings

cat >streams.c <<'END'
#include "twice.h"
#include <fcntl.h>
#include <stdio_ext.h>
#include <wchar.h>
static FILE *letters;
static int again;
__attribute__((constructor)) static void prepare(void)
{
	letters = fopen("letters", "r");
	again = open("letters", O_RDONLY);
	assert(letters && again >= 0 && fgetc(letters) == 'a');
}
int main(void)
{
	char buffer[64], two[2];
	assert(fgetc(letters) == 'b' && ungetc('z', letters) == 'z' && fgetc(letters) == 'z' && fgetc(letters) == 'c');
	assert(read(again, two, 2) == 2 && memcmp(two, "ab", 2) == 0);
	assert(!feof(stdin) && __fpending(stdout) == 0 && fwide(stderr, 0) == 0 && __fbufsize(stdout) != sizeof buffer);
	assert(fgetc(stdin) == EOF);
	fputs("text", stdout);
	fwide(stderr, 1);
	setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
	fputs("more", stdout);
	twice();
	fclose(letters);
	close(again);
	assert(dup2(STDIN_FILENO, STDERR_FILENO) >= 0);
	assert(freopen("written", "w", stdout));
	fputs("elsewhere", stdout);
	fclose(stdin);
	setvbuf(stdout, NULL, _IONBF, 0);
	return 0;
}
END
printf abcdef >letters
check "a program with streams" mazurka cc -g streams.c -o streams -pthread
check "alone" sh -c './streams </dev/null >/dev/null && rm written'
for options in "" "--strategy source" "--isolation process"; do
	equal "streams $options" "no bug: all 2 executions explored, complete" "$(mazurka run $options ./streams 2>&1)"
done
check "what they wrote is taken back" test ! -e written

cat >names.c <<'END'
#include "twice.h"
int main(void)
{
	char mine[L_tmpnam], made[] = "/tmp/xXXXXXX", *kept = tmpnam(NULL), *folder = tempnam("/nonexistent", "abcdefg");
	unsigned sum = 0;
	assert(kept && folder && tmpnam_r(mine) == mine && mktemp(made) == made && *made);
	for (const char *each = kept; *each; each++) sum += (unsigned char)*each;
	for (const char *each = folder; *each; each++) sum += (unsigned char)*each;
	for (const char *each = made; *each; each++) sum += (unsigned char)*each;
	free(folder);
	for (unsigned i = sum % 8; i < 8; i++) pthread_mutex_lock(&twice_lock), pthread_mutex_unlock(&twice_lock);
	twice(); /* executions would not have the same steps */
	return 0;
}
END
check "a program with temporary names" mazurka cc -g -Wno-deprecated-declarations names.c -o names -pthread
check "which are the same in all executions" mazurka run --quiet ./names

cat >races.c <<'END'
#include "twice.h"
static const char *what;
static void *change(void *arg)
{
	char text[] = "a b";
	if (!strcmp(what, "strtok")) strtok(text, " ");
	if (!strcmp(what, "setenv")) setenv("NAME", "value", 1);
	if (!strcmp(what, "getenv")) getenv("NAME");
	return arg;
}
int main(int argc, char **argv)
{
	pthread_t thread;
	what = argv[1];
	pthread_create(&thread, NULL, change, NULL);
	if (!strcmp(what, "setenv")) getenv("NAME");
	else change(NULL);
	return pthread_join(thread, NULL);
}
END
check "a program whose threads share what is kept" mazurka cc -g races.c -o races -pthread
for what in strtok setenv; do
	equal "two threads in $what" 1 "$(mazurka run ./races $what 2>&1 | grep -c '^bug: data-race')"
done
check "but not in getenv" mazurka run --quiet ./races getenv
