# SPDX-License-Identifier: MIT
# Programs that close descriptors they have not opened, and bugs beside files that threads share.
. "$SOURCE/tests/cli/lib.sh"
run="$BUILD/mazurka run"

# ---- what is ours stays open ----
cat >closes.c <<'END'
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *add(void *arg)
{
	pthread_mutex_lock(&lock);
	count++;
	pthread_mutex_unlock(&lock);
	return arg;
}
int main(void)
{
	pthread_t threads[2];
	CLOSE;
	assert(open("/dev/null", O_RDWR) == FIRST);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, add, 0);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
	assert(count == EXPECTED);
	return 0;
}
END
closes() {
	"$BUILD/mazurka" cc -g "-DCLOSE=$1" -DFIRST="$2" -DEXPECTED="$3" closes.c -o closes -pthread
}
first_lines() {
	"$@" 2>&1 | sed -n '1s/ after.*//p; 2p' | paste -sd'|'
}
for how in "for (int i = 0; i < 1024; i++) close(i)|0" "close_range(3, ~0U, 0)|3" "closefrom(1)|1" \
	"for (int i = 3; i < 1024; i++) dup2(0, i), close(i)|3"; do
	closes "${how%|*}" "${how#*|}" 2
	for options in "" "--isolation process"; do
		equal "${how%|*} $options" "no bug: all 2 executions explored, complete" "$($run $options ./closes 2>&1)"
	done
	closes "${how%|*}" "${how#*|}" 3
	for options in "--isolation process" "--strategy cartesian" ""; do
		equal "${how%|*}, and a bug $options" "bug: assertion|    count == EXPECTED" "$(first_lines $run $options ./closes)"
	done
	equal "which is replayed" "bug: assertion|    count == EXPECTED" \
		"$(first_lines "$BUILD/mazurka" replay mazurka-out/bug-1.trace)"
done

# ---- many at once: ends of pipes are among them ----
cat >ends.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static int ends[2];
static void *take(void *arg)
{
	char letter;
	while (read(ends[0], &letter, 1) == 1) continue;
	return arg;
}
int main(void)
{
	pthread_t thread;
	if (pipe(ends) != 0) abort();
	pthread_create(&thread, 0, take, 0);
	if (write(ends[1], "x", 1) != 1) abort();
	CLOSE;
	pthread_join(thread, 0);
	return 0;
}
END
for how in "close_range(ends[1], ~0U, 0)" "closefrom(ends[1])" "close_range(ends[1], ends[1], 0)"; do
	"$BUILD/mazurka" cc -g "-DCLOSE=$how" ends.c -o ends -pthread
	equal "a reader hears of the end: $how" "no bug" "$($run ./ends 2>&1 | sed -n '1s/:.*//p')"
done
"$BUILD/mazurka" cc -g "-DCLOSE=close_range(ends[1] + 1, ~0U, 0)" ends.c -o ends -pthread
equal "but not if others are closed" "bug: deadlock" "$($run ./ends 2>&1 | sed -n '1s/ after.*//p')"

# ---- a replay that cannot be recorded ----
cat >small.c <<'END'
#include <assert.h>
#include <signal.h>
#include <sys/resource.h>
int main(int argc, char **argv)
{
	(void)argv;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0});
	assert(argc == 2);
	return 0;
}
END
"$BUILD/mazurka" cc -g small.c -o small
equal "that is said with the bug" "bug: assertion|    argc == 2 (its replay could not be recorded)" \
	"$(first_lines $run ./small)"

# ---- a bug in an execution that also shows that threads share a file ----
cat >log.c <<'END'
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
static int file, count;
static void *add(void *arg)
{
	count++;
	return write(file, "x", 1) == 1 ? 0 : arg;
}
int main(void)
{
	pthread_t threads[2];
	char letters[2];
	file = open("letters", O_RDWR | O_CREAT | O_TRUNC, 0600);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, add, &threads[i]);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
	return pread(file, letters, 2, 0) != 2;
}
END
"$BUILD/mazurka" cc -g log.c -o log -pthread
for options in --keep-going "--strategy source" "--strategy dfs" "--isolation process" "--strategy random --max-executions 5" ""; do
	equal "a race beside a shared file is a race: $options" "bug: data-race" \
		"$($run $options ./log 2>&1 | sed -n '1s/ after.*//p')"
done
equal "and replayed" "data-race" "$("$BUILD/mazurka" replay mazurka-out/bug-1.trace 2>&1 | grep -o -m1 data-race)"

# ---- who reads first from a descriptor gets what is first ----
cat >turns.c <<'END'
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static char got[2];
static FILE *stream;
static int file;
static void *take(void *arg)
{
	long i = (long)arg;
	int letter = 0;
	if (stream)
		letter = getc(stream);
	else if (read(DESCRIPTOR, &letter, 1) != 1)
		letter = '?';
	got[i] = (char)letter;
	return 0;
}
int main(void)
{
	pthread_t threads[2];
	file = OPEN;
	if (STREAM) stream = fdopen(file, "r");
	for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, take, (void *)i);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
	assert(got[0] + got[1] == 'a' + 'b');
	assert(ANY || got[0] == 'a');
	return 0;
}
END
printf ab >input
turns() {
	"$BUILD/mazurka" cc -g "-DOPEN=$1" -DSTREAM="$2" "-DDESCRIPTOR=$3" -DANY="$4" turns.c -o turns -pthread
}
for how in 'open("input", O_RDONLY)|0|file' 'open("input", O_RDONLY)|1|file' '0|0|file' '0|1|file' \
	'open("input", O_RDONLY)|0|(i ? dup(file) : file)'; do
	IFS='|' read -r opened stream descriptor <<-END
		$how
	END
	turns "$opened" "$stream" "$descriptor" 1
	equal "both orders: $how" "no bug: all 2 executions explored, complete" "$($run ./turns <input)"
	turns "$opened" "$stream" "$descriptor" 0
	for options in "--isolation process" "--strategy source" "--strategy dfs" ""; do
		equal "one is wrong: $how $options" "1 bug" "$($run --keep-going $options ./turns <input 2>&1 | sed -n 's/^\(1 bug\) found .*/\1/p')"
	done
done

# ---- standard input is a file, and the same in every execution ----
cat >sum.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int turns;
static int sum;
static void *add(void *arg)
{
	char digit;
	atomic_fetch_add(&turns, 1);
	pthread_mutex_lock(&lock);
	assert(read(0, &digit, 1) == 1);
	sum += digit - '0';
	pthread_mutex_unlock(&lock);
	atomic_fetch_add(&turns, 1);
	return arg;
}
int main(void)
{
	pthread_t threads[3];
	for (int i = 0; i < 3; i++) pthread_create(&threads[i], 0, add, 0);
	for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
	assert(sum == 6);
	return 0;
}
END
"$BUILD/mazurka" cc -g sum.c -o sum -pthread
printf 123 >digits
for options in "" "--checkpoints always" "--strategy dpor"; do
	equal "three digits $options" "no bug" "$($run $options ./sum <digits | sed -n '1s/:.*//p')"
done
equal "from where it stands" "bug: assertion" "$( (
	read -r line
	$run ./sum
) <<END | sed -n '1s/ after.*//p'
123
1
END
)"
equal "a pipe is not read" "bug: assertion" "$(cat digits | $run ./sum | sed -n '1s/ after.*//p')"
