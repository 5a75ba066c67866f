# SPDX-License-Identifier: MIT
# Which paths of a program with inputs are explored, and in which order: bounds, limits, orders.
. "$SOURCE/tests/cli/lib.sh"
run="$BUILD/mazurka run"

# verdict FILE: the kinds of bugs, executions and whether the run was complete, of a result in JSON.
verdict() {
	python3 -c 'import json,sys; r = json.load(open(sys.argv[1])); print(*[b["kind"] for b in r["bugs"]], r["executions"], r["complete"])' "$1"
}

# ---- within a bound a branch on an input is no step ----
cat >early.c <<'END'
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int turn, seen;
static void *take(void *unused)
{
	seen = turn;
	return unused;
}
int main(void)
{
	unsigned char odd = 4;
	pthread_t thread;
	mz_symbolic(&odd, 1, "odd");
	if (odd & 1) odd = 0;
	if (odd == 6) seen = 9;
	pthread_create(&thread, 0, take, 0);
	turn = 1;
	pthread_join(thread, 0);
	assert(seen || odd != 2);
	return 0;
}
END
"$BUILD/mazurka" cc -g early.c -o early-plain
"$BUILD/mazurka" cc --symbolic -g -O0 early.c -o early
# With odd == 2 the thread may go first at no cost: main has made no step yet. With 6 it has, by its store.
for ways in "--strategy bpor" "--strategy optimal" "--strategy dfs" "--strategy bpor --jobs 2" "--strategy dfs --jobs 2" "--strategy bpor --fair 0"; do
	$run --keep-going --preemptions 0 $ways --json r.json ./early >/dev/null || :
	equal "the bug needs none, $ways" "assertion True" "$(verdict r.json | sed 's/ [0-9]* / /')"
	equal "it is said to have none, $ways" "0" "$(grep -o '"preemptions": [0-9]*, "execution"' r.json | tr -dc '0-9')"
done
$run --keep-going --preemptions 0 --strategy dfs --json r.json ./early >/dev/null || :
equal "dfs within no preemptions: two interleavings where main has made no step" "assertion 6 True" "$(verdict r.json)"
$run --keep-going --iterate --json r.json ./early >/dev/null || :
equal "bounds that are raised" "assertion True" "$(verdict r.json | sed 's/ [0-9]* / /')"

# ---- limits cost the path that reaches them ----
cat >walk.c <<'END'
#include <assert.h>
#include <mazurka.h>
static int draw(void)
{
	short s = 0;
	mz_symbolic(&s, sizeof s, "s");
	return s;
}
int main(void)
{
	int at = 0;
	while (at != 7)
		if (draw() > 9) at += 4;
		else at += 3;
	assert(0);
	return 0;
}
END
"$BUILD/mazurka" cc --symbolic -g -O0 walk.c -o walk
$run --keep-going --max-inputs 5 --json r.json ./walk >walk.out || :
equal "a walk that does not end is given up" "assertion 18 False" "$(verdict r.json)"
equal "and the limit is named" \
	"1 bug found in 18 executions, incomplete: 16 paths were given up because there were more than 5 inputs (--max-inputs)" "$(sed -n '/^1 bug found/p' walk.out)"
cat >marks.c <<'END'
#include <mazurka.h>
int main(void)
{
	for (int i = 0; i < 400; i++) {
		unsigned char c = 0;
		mz_symbolic(&c, 1, "c");
		if (c == 9) return 0;
	}
	return 0;
}
END
"$BUILD/mazurka" cc --symbolic -g marks.c -o marks
"$BUILD/mazurka" cc -g marks.c -o marks-plain
equal "400 inputs have 401 paths" "no bug: all 401 executions explored, complete" "$($run ./marks)"
equal "more inputs than --max-inputs" \
	"incomplete: 1 path was given up because there were more than 30 inputs (--max-inputs); no bug in 31 executions" "$($run --max-inputs 30 ./marks || :)"
equal "more bytes than --max-input-bytes" \
	"incomplete: 1 path was given up because there were more than 20 bytes of inputs (--max-input-bytes); no bug in 21 executions" \
	"$($run --max-input-bytes 20 ./marks || :)"
equal "more branches than --max-branches, in two processes" \
	"incomplete: 1 path was given up because there were more than 10 branches on inputs (--max-branches); no bug in 11 executions" \
	"$($run --jobs 2 --max-branches 10 ./marks || :)"
equal "more expressions than --max-expressions" \
	"incomplete: 1 path was given up because there were more than 1000 expressions over inputs (--max-expressions)" \
	"$($run --max-expressions 1000 ./marks | sed 's/;.*//' || :)"
equal "a build without --symbolic marks any number of inputs" \
	"no bug: the only execution explored, complete for what was observed" "$($run --max-inputs 3 ./marks-plain | tail -n 1)"
refused "arguments need room" "mazurka: --symbolic-args and --symbolic-stdin take at most 128 arguments, and 10 bytes in all" \
	$run --max-input-bytes 10 --symbolic-stdin 11 ./marks

# ---- orders ----
cat >gate.c <<'END'
#include <mazurka.h>
#include <stdlib.h>
int main(void)
{
	unsigned char text[16];
	int n = 0;
	mz_symbolic(text, sizeof text, "text");
	if (text[3] == 'm')
		if (text[9] == 'z') STOP;
	for (int i = 0; i < SIZE; i++) switch (text[i]) {
		case 'a': n++; break;
		case 'b': n--; break;
		case 'c': n += 5; break;
		}
	return n > 1000;
}
END
"$BUILD/mazurka" cc --symbolic -g -O0 -DSIZE=16 '-DSTOP=abort()' gate.c -o gate
"$BUILD/mazurka" cc --symbolic -g -O0 -DSIZE=4 -DSTOP=n++ gate.c -o open
for way in "" "--seed 2" "--seed 3" "--strategy source" "--strategy dpor" "--strategy bpor" "--strategy dfs" "--strategy bpor --preemptions 1" "--jobs 2"; do
	$run --max-executions 600 $way --json r.json ./gate >/dev/null || :
	equal "a bug behind the first branches is found soon $way" "assertion" "$(verdict r.json | sed 's/ .*//')"
done
$run --max-executions 600 --order dfs --json r.json ./gate >/dev/null || :
equal "but not depth first" "600 False" "$(verdict r.json)"
first=$($run --seed 7 ./gate | tail -n 2)
equal "a seed decides" "$first" "$($run --seed 7 ./gate | tail -n 2)"
for way in "" "--order dfs" "--seed 5" "--order random" "--strategy source" "--strategy dpor" "--strategy dpor-cr" "--strategy bpor" "--strategy dfs" \
	"--jobs 3" "--strategy bpor --jobs 2" "--preemptions 1" "--iterate"; do
	equal "all paths, each once $way" "no bug: all 384 executions explored" "$($run $way ./open | tail -n 1 | sed 's/executions explored.*/executions explored/;s/ within [0-9]* preemption[s]*//')"
done
"$BUILD/mazurka" cc -g -O1 "$SOURCE/tests/programs/correct/socket-options.c" -o without -pthread
equal "the order is there without inputs, too" "$($run --order dfs ./without | tail -n 1)" "$($run --order interleaved ./without | tail -n 1)"
