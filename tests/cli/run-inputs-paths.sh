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
