# SPDX-License-Identifier: MIT
# Inputs that are explored: what users see of them, in text, JSON, traces, replays and files of inputs.
. "$SOURCE/tests/cli/lib.sh"
run="$BUILD/mazurka run"

# ---- without inputs: mz_assume() drops executions under every strategy ----
cat >assume.c <<'END'
#include <mazurka.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int first;
static void *enter(void *number)
{
	pthread_mutex_lock(&m);
	if (!first) first = *(int *)number;
	pthread_mutex_unlock(&m);
	return number;
}
int main(void)
{
	pthread_t threads[2];
	int numbers[] = {1, 2}, chosen = mz_choose(3);
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, enter, &numbers[i]);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
	mz_assume(chosen != 1);
	return 0;
}
END
"$BUILD/mazurka" cc -g assume.c -o assume -pthread
for strategy in optimal source dpor dpor-cr bpor cbpor dfs; do
	equal "$strategy: dropped executions are counted apart" "4 2" \
		"$($run --strategy $strategy --quiet --json - ./assume | sed -n 's/.*"executions": \([0-9]*\),.*/\1/p;s/.*"assumed": \([0-9]*\),.*/\1/p' | tr '\n' ' ' | sed 's/ $//')"
done
cat >waits.c <<'END'
#include <mazurka.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static void *wait_for_it(void *unused)
{
	sem_wait(&s);
	return unused;
}
int main(void)
{
	pthread_t thread;
	int n = mz_choose(2);
	sem_init(&s, 0, 0);
	pthread_create(&thread, 0, wait_for_it, 0);
	mz_assume(n);
	sem_post(&s);
	pthread_join(thread, 0);
	return 0;
}
END
"$BUILD/mazurka" cc -g waits.c -o waits -pthread
equal "that another thread then waits for ever is no deadlock" \
	"no bug: the only execution explored (1 execution dropped by mz_assume), complete" "$($run ./waits)"
for strategy in cartesian states; do
	check "$strategy: nor there" $run --strategy $strategy ./waits
	equal "$strategy: states in which an execution is dropped are counted" "1" "$(grep -o '[0-9]* state[s]* dropped by mz_assume' check.out | sed 's/ .*//')"
done
equal "they are no traces" "4" "$($run --count-traces --quiet --json - ./assume | sed -n 's/.*"traces": \([0-9]*\),.*/\1/p')"
equal "the text names them" "no bug: all 4 executions explored (2 executions dropped by mz_assume), complete" "$($run ./assume)"
equal "with bounds that rise, the last one's count" "no bug: all 4 executions explored (2 executions dropped by mz_assume, by cbpor), complete" \
	"$($run --iterate ./assume | sed 's/, [0-9]* graphs.*kept//' | tail -n 1)"
equal "each counts towards a limit" "incomplete: the limit on executions was reached; no bug in 2 executions (1 execution dropped by mz_assume)" \
	"$($run --max-executions 3 ./assume || true)"
sed 's/chosen != 1/0/' assume.c >never.c
"$BUILD/mazurka" cc -g never.c -o never -pthread
equal "if all are dropped, nothing was tested" \
	"incomplete: nothing was tested: mz_assume dropped every execution; no bug in 0 executions (6 executions dropped by mz_assume)" "$($run ./never || :)"

# ---- the program of the documentation ----
sed -n '/^```c$/,/^```$/p' "$SOURCE/docs/INPUTS.md" | sed '/^```c$/d;/^```$/,$d' >handler.c
"$BUILD/mazurka" cc -g handler.c -o plain -pthread
equal "a build without --symbolic explores no inputs, and says so" \
	"uncontrolled: inputs were not explored: build with mazurka cc --symbolic
no bug: the only execution explored, complete for what was observed" "$($run ./plain)"
equal "also in JSON" '"uncontrolled": [{"function": "inputs", "calls": 1, "reason": "were not explored: build with mazurka cc --symbolic"}],' \
	"$($run --quiet --json - ./plain | grep -o '"uncontrolled".*')"
equal "and has no solver" " \"assumed\": 0," "$($run --quiet --json - ./plain | grep assumed)"

"$BUILD/mazurka" cc --symbolic -g handler.c -o handler -pthread 2>refusal || {
	grep -q 'symbolic' refusal && echo "ok without LLVM there is nothing more to test"
	exit 0
}
$run --json r.json ./handler >text || true
equal "a bug names the inputs" "    with operation = '+', amount = 51" "$(sed -n 3p text)"
equal "so does the result" "  assertion: value <= limit at handler.c:29 with operation = '+', amount = 51, trace mazurka-out/bug-1.trace" "$(tail -n 1 text)"
equal "JSON has their bytes" \
	"\"inputs\": [{\"name\": \"operation\", \"size\": 1, \"hex\": \"2b\", \"text\": \"'+'\"}, {\"name\": \"amount\", \"size\": 1, \"hex\": \"33\", \"text\": \"51\"}]}]," \
	"$(grep -o '"inputs".*' r.json)"
equal "and what the solver did" '"assumed": 0, "solver": {"queries": N, "sat": N, "unsat": N, "timeouts": 0, "limited": 0, "seconds": T},' \
	"$(sed -n 's/^ \("assumed".*\)/\1/p' r.json | sed 's/\("queries"\|sat"\): [0-9]*/\1: N/g;s/"seconds": [0-9.]*/"seconds": T/')"
equal "the trace has the inputs" "input 0 0 \"operation\" 2b \"'+'\"
input 0 1 \"amount\" 33 \"51\"" "$(grep '^input' mazurka-out/bug-1.trace)"
equal "show prints them" "    with operation = '+', amount = 51" "$("$BUILD/mazurka" show mazurka-out/bug-1.trace | sed -n 3p)"
again() {
	status=0
	"$BUILD/mazurka" replay "$@" >replayed 2>&1 || status=$?
	printf "%s\n" "$status$(sed -n 1,3p replayed | tr '\n' '|')"
}
equal "replay sets them" "1bug: assertion after 5 steps, 1 preemption|    value <= limit|    with operation = '+', amount = 51|" "$(again mazurka-out/bug-1.trace)"
equal "on another build as well" "1bug: assertion after 5 steps, 1 preemption|    value <= limit|    with operation = '+', amount = 51|" \
	"$(again mazurka-out/bug-1.trace -- ./plain)"
sed 's/"amount" 33/"amount" 32/' mazurka-out/bug-1.trace >other.trace
refused "other inputs show something else" \
	"mazurka: the replay did not show what other.trace shows: the program does not do the same under the same schedule" \
	sh -c "\"$BUILD/mazurka\" replay other.trace >/dev/null"
if command -v gdb >/dev/null; then
	equal "and under gdb" "51" "$("$BUILD/mazurka" replay mazurka-out/bug-1.trace --gdb -- ./plain <<'END' 2>/dev/null | sed -n 's/.*\$1 = \([0-9]*\).*/\1/p'
set breakpoint pending on
break __assert_fail
run
up
print (int)request->amount
kill
quit
END
)"
fi
"$BUILD/mazurka" cc --symbolic -g -DFIXED handler.c -o fixed -pthread
equal "without the bug, all is explored" "no bug: all 7 executions explored, complete" "$($run ./fixed)"
for strategy in source dpor dpor-cr bpor dfs; do
	equal "$strategy finds the bug" "    with operation = '+', amount = 51" "$($run --strategy $strategy ./handler | sed -n 3p)"
done

# ---- how inputs are printed ----
cat >print.c <<'END'
#include <mazurka.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
	static char text[9], many[100];
	short s = 0;
	long l = 0;
	mz_symbolic(&s, sizeof s, "s");
	mz_symbolic(&l, sizeof l, "l");
	mz_symbolic(text, sizeof text, "text");
	mz_symbolic(many, sizeof many, "many");
	if (s == -2 && l == -5000000000 && memcmp(text, "a\"\\\n\0001\xff\t", 9) == 0) abort();
	return 0;
}
END
"$BUILD/mazurka" cc --symbolic -g print.c -o print
equal "numbers and strings" '    with s = -2, l = -5000000000, text = "a\"\\\n\0001\377\t", many = ""' \
	"$($run ./print | sed -n 3p)"

# ---- which inputs an execution has ----
cat >some.c <<'END'
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
static void *other(void *unused)
{
	char c = 0;
	mz_symbolic(&c, sizeof c, "of another thread");
	assert(c != 9);
	return unused;
}
int main(void)
{
	char first = 0, rest = 0;
	pthread_t thread;
	mz_symbolic(&first, sizeof first, "first");
	if (first == 1) mz_symbolic(&rest, sizeof rest, "rest");
	assert(rest != 5);
	pthread_create(&thread, 0, other, 0);
	pthread_join(thread, 0);
	return 0;
}
END
"$BUILD/mazurka" cc --symbolic -g some.c -o some -pthread
equal "those that it has marked" "first = 0, of another thread = 9|first = 1, rest = 5|" \
	"$($run --keep-going ./some | sed -n 's/^    with //p' | sort | tr '\n' '|')"
equal "each with its thread" 'input 0 0 "first" 00 "0"
input 1 0 "of another thread" 09 "9"' "$(grep -h -B1 'of another' mazurka-out/bug-*.trace | grep '^input')"

# ---- exit statuses ----
cat >status.c <<'END'
#include <mazurka.h>
#include <stdlib.h>
int main(void)
{
	unsigned char x = 0;
	mz_symbolic(&x, sizeof x, "x");
	END_WITH(x == 7);
}
END
for way in return exit; do
	"$BUILD/mazurka" cc --symbolic -g "-DEND_WITH(status)=$way(status)" status.c -o status
	equal "$way: statuses other than 0 are looked for" "exit status 1|with x = 7|" "$($run ./status | sed -n '2,3s/^ *//p' | tr '\n' '|')"
done

# ---- what is lost ----
cat >lost.c <<'END'
#include <mazurka.h>
int main(void)
{
	int x = 0;
	double half;
	mz_symbolic(&x, sizeof x, "x");
	half = x * 0.5; /* HERE */
	return half > 3;
}
END
"$BUILD/mazurka" cc --symbolic -g lost.c -o lost
place=lost.c:$(sed -n '/HERE/=' lost.c)
equal "where inputs are lost is named" "uncontrolled: input used as floating point at $place is not followed from there on
no bug: the only execution explored, complete for what was observed" "$($run ./lost)"
equal "also in JSON" "\"uncontrolled\": [{\"function\": \"input\", \"calls\": 1, \"object\": \"used as floating point\", \"location\": \"$place\", \"reason\": \"is not followed from there on\"}]," \
	"$($run --quiet --json - ./lost | grep -o '"uncontrolled".*')"

# ---- code that is not instrumented: what it writes is no input any more, what it reads is lost sight of ----
cat >other.h <<'END'
void set(char *to, char value);
void fill(char *to, char value);
void set_atomically(_Atomic char *to, char value);
void find(_Atomic short *in, short *expected);
int is_five(int x);
int has_five(const char *from);
int add(_Atomic char *to);
void copy(char *to, const char *from);
END
cat >other.c <<'END'
#include "other.h"
#include <stdatomic.h>
#include <string.h>
void set(char *to, char value) { *to = value; }
void fill(char *to, char value) { memset(to, value, 3); }
void set_atomically(_Atomic char *to, char value) { atomic_store(to, value); }
void find(_Atomic short *in, short *expected) { atomic_compare_exchange_strong(in, expected, 2); }
int is_five(int x) { return x == 5; }
int has_five(const char *from) { return *from == 5; /* HERE */ }
int add(_Atomic char *to) { return atomic_fetch_add(to, 0); /* ADDED */ }
void copy(char *to, const char *from) { memcpy(to, from, 3); /* COPIED */ }
END
cat >mixed.c <<'END'
#include "other.h"
#include <assert.h>
#include <mazurka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
	static _Alignas(8) char text[16];
	static _Atomic short one = 1;
	char to[4];
	int ends[2], n = 0;
	(void)to, (void)ends, (void)n, (void)one;
	mz_symbolic(text, sizeof text, "text");
	DOES; /* THERE */
	assert(text[1] != 5);
	return 0;
}
END
"$BUILD/mazurka" cc -g -c other.c
mixed() {
	"$BUILD/mazurka" cc --symbolic -g $2 "-DDOES=$1" mixed.c other.o -o mixed
	$run --keep-going ./mixed >text || true
	tail -n 1 text
}
while read -r does; do
	for level in -O0 -O2; do
		equal "$level $does: the value is not an input's, although the same" "no bug: the only execution explored, complete" \
			"$(mixed "$does" $level)"
	done
done <<'END'
set(text + 1, 0)
fill(text, 0)
set_atomically((_Atomic char *)text + 1, 0)
find(&one, (short *)text)
copy(text, "\0\0")
memcpy(text, "\0\0\0\0\0\0\0", 8)
snprintf(text + 1, 4, "%s", "")
pipe(ends); write(ends[1], "\0\0", 2); read(ends[0], text, 2)
munmap(mmap((void *)((long)text & -4096L), 4096, 3, 50, -1, 0), 0)
END
for level in -O0 -O2; do
	equal "$level: instrumented code goes on after it" "  assertion: text[1] != 5 at mixed.c:18 with text = \"\\0\\0\\5\", trace mazurka-out/bug-1.trace" \
		"$(mixed 'set(text + 1, 0); text[1] = text[2]' $level)"
	equal "$level: bytes that move onto themselves" "  assertion: text[1] != 5 at mixed.c:18 with text = \"\\0\\0\\5\", trace mazurka-out/bug-1.trace" \
		"$(mixed 'memmove(text, text + 1, 8)' $level)"
done
lost() {
	mixed "$1" -O0 >/dev/null
	sed -n "s/, [0-9]* times,//;s/^uncontrolled: input \\(.*\\) is not followed from there on/\\1/p" text
}
here() { sed -n "/$2/=" "$1"; }
equal "an argument" "passed to code that is not instrumented at mixed.c:$(here mixed.c THERE)" "$(lost 'n = is_five(text[3])')"
equal "an argument at the end" "passed to code that is not instrumented at mixed.c:$(here mixed.c THERE)" "$(lost 'set(to, text[3]); _exit(0)')"
equal "a variable argument" "passed to asprintf() at mixed.c:$(here mixed.c THERE)" "$(lost 'char *made; n = asprintf(&made, "%d", text[3]); free(made)')"
equal "a read" "read by code that is not instrumented at other.c:$(here other.c HERE)" "$(lost 'n = has_five(text)')"
equal "an atomic read" "read by code that is not instrumented at other.c:$(here other.c ADDED)" "$(lost 'n = add((_Atomic char *)text)')"
equal "a read at the end" "read by code that is not instrumented at other.c:$(here other.c COPIED)" "$(lost 'copy(to, text); _exit(0)')"
equal "a read of a copy" "read by code that is not instrumented at other.c:$(here other.c COPIED)" "$(lost 'copy(to, text)')"
equal "the C library" "read by code that is not instrumented at mixed.c:$(here mixed.c THERE)" "$(lost 'n = strcoll(text, "x")')"
equal "output is no loss" "" "$(lost 'printf("%s", text); puts(text); fwrite(text, 1, 4, stdout); write(1, text, 1); write(1, text, text[0] & 1)')"

cat >returned.c <<'END'
#include <mazurka.h>
#include <search.h>
static int compare(const void *a, const void *b)
{
	return *(const char *)a - *(const char *)b; /* HERE */
}
int main(void)
{
	char keys[2];
	size_t n = 1;
	mz_symbolic(keys, sizeof keys, "keys");
	return lfind(keys + 1, keys, &n, 1, compare) ? 0 : 1;
}
END
"$BUILD/mazurka" cc --symbolic -g returned.c -o returned
equal "a result that the C library is given" "uncontrolled: input returned to code that is not instrumented at returned.c:$(here returned.c HERE) is not followed from there on" \
	"$($run ./returned | grep 'input returned')"

cat >unseen.c <<'END'
void set(char *to)
{
	*to = 0;
}
END
cat >input.c <<'END'
#include <mazurka.h>
void set(char *to);
int main(void)
{
	char input = 0;
	mz_symbolic(&input, 1, "input");
	set(&input);
	return input == 5;
}
END
cc -c unseen.c
"$BUILD/mazurka" cc --symbolic -g input.c unseen.o -o input
$run ./input >text 2>&1 && status=0 || status=$?
equal "what an object without hooks writes is never taken for explored" \
	"3 incomplete: 1 branch was not reached: inputs that were found for it do not lead there, because it is not followed how some values depend on them; no bug in 1 execution" \
	"$status $(tail -n 1 text)"

reaches() {
	printf '#define _GNU_SOURCE\n#include <arpa/inet.h>\n#include <fnmatch.h>\n#include <mazurka.h>\n#include <string.h>\n#include <time.h>\n#include <wchar.h>\nint main(void)\n{\n\tchar to[4], text[] = "abc", *at = text;\n\tstruct tm date = {0};\n\tmz_symbolic(text + 1, 1, "text");\n\tdate.tm_mon = text[1];\n\treturn %s; /* HERE */\n}\n' "$1" >reaches.c
	"$BUILD/mazurka" cc --symbolic -g -w reaches.c -o reaches
	$run ./reaches | sed -n "s/^uncontrolled: input \\(.*\\) is not followed from there on/\\1/p"
}
for function in 'fnmatch("a*", text, 0)' 'inet_pton(AF_INET, text, to)' 'strverscmp("x", text)' 'mktime(&date)'; do
	lost=$(reaches "$function == 5")
	equal "what other libraries read: $function" "passed to ${function%%(*}() at reaches.c:$(here reaches.c HERE)" "$lost"
done
equal "but not what they have no pointer to" "" "$(reaches 'wcslen(L"x") == time(0) || fnmatch("a*", "abc", 0) || *at == text[2]')"

# ---- options, and strings of C++ ----
cat >options.c <<'END'
#include <assert.h>
#include <getopt.h>
int main(int argc, char **argv)
{
	static const struct option longs[] = {{"say", no_argument, 0, 's'}, {"set", required_argument, 0, 't'}, {0}};
	int option;
	opterr = 0;
	while ((option = getopt_long(argc, argv, "ab:", longs, 0)) != -1) {
		assert(option != 'a');
		assert(option != 'b' || *optarg != '7');
		assert(option != 's');
		assert(option != 't' || *optarg != '7');
		assert(option != '?' || optopt != 'x');
	}
	return 0;
}
END
"$BUILD/mazurka" cc --symbolic -g options.c -o options
found() { sed -n 's/^  assertion: \(.*\) at .*/\1/p' | sort; }
equal "options are found" "option != '?' || optopt != 'x'
option != 'a'
option != 'b' || *optarg != '7'
option != 's'
option != 't' || *optarg != '7'" "$($run --keep-going --symbolic-args 1,7 ./options | found)"
cat >keys.cc <<'END'
#include <cassert>
#include <map>
#include <mazurka.h>
int main()
{
	unsigned char keys[3] = {};
	mz_symbolic(keys, sizeof keys, "keys");
	std::multimap<unsigned char, int> map;
	for (int i = 0; i < 3; i++) map.insert({keys[i], i});
	assert(map.begin()->second != 2 || map.rbegin()->first != 7);
	return 0;
}
END
"$BUILD/mazurka-c++" --symbolic -g keys.cc -o keys
equal "keys of maps: six orders, and the last key in two of them" "1 bug found in 8 executions, complete" "$($run --keep-going ./keys | grep found)"
for level in -O0 -O2; do
	cat >string.cc <<'END'
#include <cassert>
#include <mazurka.h>
#include <string>
int main()
{
	char bytes[4] = "";
	mz_symbolic(bytes, 3, "bytes");
	std::string text(bytes), other = "<" + text;
	text += other;
	assert(text.find("b<") != 1);
	assert(other.compare("<abc") != 0);
	return 0;
}
END
	"$BUILD/mazurka-c++" --symbolic -std=c++17 -g $level string.cc -o string
	$run --keep-going ./string >text || true
	equal "$level: strings of C++" "other.compare(\"<abc\") != 0
text.find(\"b<\") != 1" "$(found <text)"
	check "$level: completely" grep -q ', complete$' text
done

# ---- questions without an answer ----
cat >hard.c <<'END'
#include <mazurka.h>
int main(void)
{
	unsigned char bytes[16] = {0};
	unsigned long hash = 1;
	mz_symbolic(bytes, sizeof bytes, "bytes");
	for (int i = 0; i < 16; i++) {
		hash = (hash ^ bytes[i]) * 1099511628211UL;
		hash ^= hash >> 29;
	}
	return hash == 0x123456789abcdef0UL;
}
END
"$BUILD/mazurka" cc --symbolic -g hard.c -o hard
status=0
$run --solver-timeout 0.1 --json r.json ./hard >text 2>&1 || status=$?
equal "a time-out makes the run incomplete" "3 incomplete: the solver left 1 question about inputs without an answer (--solver-timeout 0.1)" \
	"$status $(sed 's/;.*//' text)"
equal "and is counted" '"timeouts": 1' "$(grep -o '"timeouts": 1' r.json)"

# ---- values that have to be concrete ----
cat >index.c <<'END'
#include <mazurka.h>
#include <stdlib.h>
int main(void)
{
	char *block = malloc(4096);
	unsigned short i = 0;
	mz_symbolic(&i, sizeof i, "i");
	if (i < LIMIT) block[i] = 1;
	free(block);
	return 0;
}
END
"$BUILD/mazurka" cc --symbolic -g -DLIMIT=40 index.c -o index
"$BUILD/mazurka" cc --symbolic -g -DLIMIT=4097 index.c -o overflow
status=0
$run --max-values 39 --json r.json ./index >text 2>&1 || status=$?
equal "a limit on values makes the run incomplete" \
	"3 incomplete: an index, address or size at index.c:8 can have more than the 39 values that were tried (--max-values); no bug in 40 executions" \
	"$status $(cat text)"
equal "and is counted" '"limited": 1' "$(grep -o '"limited": [0-9]*' r.json)"
equal "a limit that is not exceeded is not" "no bug: all 41 executions explored, complete" "$($run --max-values 40 ./index)"
equal "an index beyond its array is the second to be tried" "1 bug found in 2 executions, incomplete: stopped at the first bug" \
	"$($run --max-values 3 ./overflow | grep '^1 bug')"
$run --max-values 3 --tests values ./index >/dev/null || true
equal "and the lowest is the third" "i 2 0000|i 2 0100|i 2 2700|" "$(sort values/*.inputs | grep -v 2800 | tr '\n' '|')"

# ---- files of inputs ----
equal "files of inputs are counted" "inputs of the paths explored: 4 files in tests" "$($run --keep-going --tests tests ./handler | sed -n '/^inputs/p')"
equal "each has the inputs of a path" "operation 1 00|amount 1 00|operation 1 2b|amount 1 00|operation 1 2b|amount 1 33|operation 1 2b|amount 1 65|" \
	"$(cat tests/*.inputs | tr '\n' '|')"
sed -n '/^\/\* inputs.c/,/^```$/p' "$SOURCE/docs/INPUTS.md" | sed '/^```$/d' >inputs.c
sed 's/limit = 50;/limit = 100;/;s/return 0;$/return value;/' handler.c >once.c
cc -I "$SOURCE/include" once.c inputs.c -o once -pthread
equal "a program takes the inputs from such a file" "0 0 51 0" "$(for f in tests/path-*.inputs; do INPUTS=$f ./once && echo 0 || echo $?; done | tr '\n' ' ' | sed 's/ $//')"
touch tests/path-9.inputs tests/path-x.inputs tests/note
$run --keep-going --tests tests ./fixed >/dev/null
equal "those of another run are gone, and nothing else" "note path-x.inputs" "$(cd tests && echo $(ls | grep -v 'path-[1-8]'))"
cat >order.c <<'END'
#include <mazurka.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *unused)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return unused;
}
int main(void)
{
	unsigned x = 0, y = 0;
	pthread_t t;
	mz_symbolic(&x, sizeof x, "x");
	mz_symbolic(&y, sizeof y, "y");
	pthread_create(&t, 0, other, 0);
	pthread_mutex_lock(&m);
	if (x > 1000) y++;
	if (y * 7 == 21 + x) y++;
	pthread_mutex_unlock(&m);
	pthread_join(t, 0);
	return 0;
}
END
"$BUILD/mazurka" cc --symbolic -g order.c -o order -pthread
equal "a path that is met again in another order, with other inputs, has one file" \
	"inputs of the paths explored: 4 files in tests|no bug: all 8 executions explored, complete|" "$($run --tests tests ./order | tr '\n' '|')"
: >file
refused "a folder that cannot be" "mazurka: cannot write inputs to 'file': Not a directory" $run --tests file ./fixed

# ---- arguments and standard input ----
cat >options.c <<'END'
#include <assert.h>
#include <string.h>
int main(int argc, char **argv)
{
	int verbose = 0;
	for (int i = 1; i < argc; i++) verbose += strcmp(argv[i], "-v") == 0;
	assert(argc == 4 && !argv[argc]);
	assert(verbose < 2);
	return 0;
}
END
"$BUILD/mazurka" cc --symbolic -g options.c -o options
"$BUILD/mazurka" cc -g options.c -o options-plain
equal "arguments" '    with arg1 = "-v", arg2 = "-v"' "$($run --keep-going --symbolic-args 2,3 ./options first | sed -n 3p)"
equal "they are in the trace" 'input - 1 "arg1" 2d7600
input - 2 "arg2" 2d7600' "$(grep '^input' mazurka-out/bug-1.trace)"
equal "and replayed, by any build" "1bug: assertion after 0 steps, 0 preemptions|    verbose < 2|    with arg1 = \"-v\", arg2 = \"-v\"|" \
	"$(again mazurka-out/bug-1.trace -- ./options-plain first)"
for value in 2 2,0 0,2 2,3,4 a,b 2,-3; do
	refused "--symbolic-args $value" "mazurka: --symbolic-args takes two whole numbers from 1 to 60000, like 2,8, not '$value'" \
		$run --symbolic-args $value ./options
done
refused "too much" "mazurka: --symbolic-args and --symbolic-stdin take at most 128 arguments, and 65536 bytes in all" $run --symbolic-args 2,40000 ./options
cat >reads.c <<'END'
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
int main(void)
{
	char text[8] = "", more[4] = "", *line = 0;
	struct stat status;
	size_t room = 0;
	int n = 0, c = 0;
	struct iovec vectors[] = {{text, 2}, {more, 1}};
	(void)more, (void)line, (void)status, (void)room, (void)n, (void)c, (void)vectors;
	READS; /* HERE */
	return 0;
}
END
reads() {
	"$BUILD/mazurka" cc --symbolic -g "-DREADS=$1" reads.c -o reads
	$run --order dfs --keep-going --symbolic-stdin 3 ./reads >text || true
	sed -n 's/^    with //p;s/^\(uncontrolled: input.*\)/\1/p' text
}
equal "read" 'stdin = "\0a\0", stdin_length = 2' "$(reads 'n = read(0, text, 2); assert(n != 2 || text[1] != 97)')"
equal "what is read later" 'stdin = "\0\0a", stdin_length = 3' "$(reads 'n = read(0, text, 2); n = read(0, text, 2); assert(n != 1 || text[0] != 97)')"
equal "pread" 'stdin = "\0\0a", stdin_length = 3' "$(reads 'n = pread(0, text, 2, 1); assert(text[1] != 97)')"
equal "readv" 'stdin = "\0\0a", stdin_length = 3' "$(reads 'n = readv(0, vectors, 2); assert(more[0] != 97)')"
equal "preadv" 'stdin = "\0a\0", stdin_length = 2' "$(reads 'n = preadv(0, vectors, 2, 1); assert(text[0] != 97)')"
equal "getchar" 'stdin = "7\0\0", stdin_length = 1' "$(reads 'c = getchar(); assert(c != 55)')"
equal "fread" 'stdin = "\0\0z", stdin_length = 3' "$(reads 'n = fread(text, 1, 8, stdin); assert(n != 3 || text[2] != 122)')"
equal "part of what fread was to read" 'stdin = "\0\0z", stdin_length = 3' "$(reads 'n = fread(text, 2, 2, stdin); assert(text[2] != 122)')"
equal "fgets: where a line ends is explored" 'stdin = "x\n\0", stdin_length = 2' "$(reads 'fgets(text, 3, stdin); assert(text[0] != 120 || text[1] != 10)')"
equal "getline" 'stdin = "x\n\n", stdin_length = 3' "$(reads 'n = getline(&line, &room, stdin); assert(n != 2 || line[0] != 120 || line[1] != 10); free(line)')"
equal "getdelim" 'stdin = "x;;", stdin_length = 3' "$(reads 'n = getdelim(&line, &room, 59, stdin); assert(n != 2 || line[0] != 120 || line[1] != 59); free(line)')"
equal "scanf of a number" 'stdin = "25\0", stdin_length = 2' "$(reads 'scanf("%d", &n); assert(n != 25)')"
equal "of a text" 'stdin = "hi\0", stdin_length = 2' "$(reads 'n = scanf("%3s", text); assert(n != 1 || text[0] != 104 || text[1] != 105 || text[2])')"
equal "of text" 'stdin = "15\0", stdin_length = 2' "$(reads 'fread(text, 1, 3, stdin); n = sscanf(text, "1 %d", &c); assert(n != 1 || c != 5)')"
equal "scanf of anything else is not followed, and that is said" "uncontrolled: input passed to scanf() at reads.c:$(here reads.c HERE) is not followed from there on" \
	"$(reads 'scanf("%f", (float *)text)')"
equal "wide characters are not" "uncontrolled: input passed to getw() at reads.c:$(here reads.c HERE) is not followed from there on" "$(reads 'n = getw(stdin)')"
equal "the end can come early" 'stdin = "\0\0\0", stdin_length = 2' "$(reads 'while (getchar() != EOF) n++; assert(n != 2)')"
equal "each length is a path" "no bug: all 4 executions explored, complete" "$(reads 'n = read(0, text, 8)' && cat text)"
equal "fstat" 'stdin = "\0\0\0", stdin_length = 2' "$(reads 'fstat(0, &status); assert(status.st_size != 2)')"
equal "of which the size is followed" "no bug: all 2 executions explored, complete" "$(reads 'fstat(0, &status); if (status.st_size > 1) n = 1' && cat text)"
equal "and the blocks" "no bug: all 2 executions explored, complete" "$(reads 'fstat(0, &status); if (status.st_blocks) n = 1' && cat text)"
equal "stat of its name" 'stdin = "\0\0\0", stdin_length = 2' "$(reads 'stat("/dev/stdin", &status); assert(status.st_size != 2)')"
equal "statx" 'stdin = "\0\0\0", stdin_length = 2' "$(reads 'struct statx x; statx(0, "", AT_EMPTY_PATH, STATX_SIZE, &x); assert(x.stx_size != 2)')"
equal "lseek to the end" 'stdin = "\0\0\0", stdin_length = 2' "$(reads 'assert(lseek(0, 0, SEEK_END) != 2)')"
equal "lseek to somewhere else" 'stdin = "\0a\0", stdin_length = 2' "$(reads 'n = lseek(0, 1, SEEK_SET); read(0, text, 2); assert(text[0] != 97)')"
equal "fseek to the end" 'stdin = "\0\0\0", stdin_length = 2' "$(reads 'fseek(stdin, 0, SEEK_END); assert(ftell(stdin) != 2)')"
equal "and back" 'stdin = "\0a\0", stdin_length = 2' "$(reads 'fseek(stdin, 0, SEEK_END); if (ftell(stdin) != 2) exit(0); rewind(stdin); fread(text, 1, 2, stdin); assert(text[1] != 97)')"
equal "FIONREAD" 'stdin = "\0\0\0", stdin_length = 2' "$(reads 'ioctl(0, FIONREAD, &n); assert(n != 2)')"
equal "what is mapped is not followed, and that is said" "uncontrolled: input passed to mmap() at reads.c:$(here reads.c HERE) is not followed from there on" \
	"$(reads 'line = mmap(0, 3, PROT_READ, MAP_PRIVATE, 0, 0)')"
equal "a stream reads ahead: nothing is left for others" "no bug: all 3 executions explored, complete" \
	"$(reads 'if (getchar() == 7) c = 1; assert(read(0, text, 1) == 0 && lseek(0, 0, SEEK_SET) == 0)' && cat text)"
equal "how far it did" 'stdin = "\0\0\0", stdin_length = 2' "$(reads 'getchar(); assert(lseek(0, 0, SEEK_CUR) != 2)')"
equal "and as far as its buffer goes" 'stdin = "\0\0b", stdin_length = 3' "$(reads 'setvbuf(stdin, more, _IOFBF, 2); getchar(); assert(read(0, text, 1) != 1 || text[0] != 98)')"
equal "without a buffer it does not" 'stdin = "\0b\0", stdin_length = 2' "$(reads 'setvbuf(stdin, 0, _IONBF, 0); getchar(); assert(read(0, text, 1) != 1 || text[0] != 98)')"
equal "two streams" 'stdin = "ab\0", stdin_length = 2' "$(reads 'FILE *other = fdopen(0, "r"); c = getchar(); assert(getc(other) == EOF); assert(c != 97 || getchar() != 98)')"
equal "a descriptor that is moved under a stream" "uncontrolled: input used in standard input that is read in two ways at reads.c:$(here reads.c HERE) is not followed from there on" \
	"$(reads 'getchar(); lseek(0, 0, SEEK_SET); getchar()')"
"$BUILD/mazurka" cc -g '-DREADS=n = read(0, text, 8); assert(n != 2 || text[1] != 97)' reads.c -o reads-plain
reads 'n = read(0, text, 8); assert(n != 2 || text[1] != 97)' >/dev/null
equal "replays have the length" '1bug: assertion after 0 steps, 0 preemptions|    n != 2 || text[1] != 97|    with stdin = "\0a\0", stdin_length = 2|' \
	"$(again mazurka-out/bug-1.trace -- ./reads-plain)"
"$BUILD/mazurka" cc --symbolic -g '-DREADS=n = read(0, more, 4); assert(n != 3)' reads.c -o reads
equal "a long one" 'with stdin_length = 3' "$($run --symbolic-stdin 400 ./reads | sed -n 's/.*\(stdin_length.*\)/with \1/p' | sed -n 1p)"

# ---- leaks that need an input ----
cat >leaks.c <<'END'
#include <mazurka.h>
#include <stdlib.h>
static void use(char c)
{
	char *block = malloc(10);
	if (block) block[0] = c;
	if (c != 5) free(block);
}
int main(void)
{
	char c = 0;
	mz_symbolic(&c, sizeof c, "c");
	use(c);
	return 0;
}
END
for level in -O0 -O2; do
	"$BUILD/mazurka" cc --symbolic -g $level leaks.c -o leaks
	equal "$level: a leak names the input" "leak: a block of 10 bytes is lost: nothing refers to it at the end at leaks.c:5 with c = 5" \
		"$($run --leaks ./leaks | sed -n 's/^  \(leak.*\), trace.*/\1/p')"
done
equal "a leak is no bug without --leaks" "no bug: all 2 executions explored, complete" "$($run ./leaks)"

# ---- standard input from files of inputs ----
sed -n '/^stdin() {/,/^}/p' "$SOURCE/docs/INPUTS.md" >functions
. ./functions
"$BUILD/mazurka" cc --symbolic -g '-DREADS=n = read(0, text, 8); if (text[0] == 97) n += 4; return n' reads.c -o reads
cc -g -I "$SOURCE/include" '-DREADS=n = read(0, text, 8); if (text[0] == 97) n += 4; return n' reads.c -o reads-plain
$run --keep-going --symbolic-stdin 2 --tests stdins ./reads >/dev/null || true
equal "a program reads what the paths read" "0 1 2 5 6" \
	"$(for f in stdins/*.inputs; do stdin "$f" | ./reads-plain && echo 0 || echo $?; done | sort | tr '\n' ' ' | sed 's/ $//')"
