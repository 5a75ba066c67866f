# SPDX-License-Identifier: MIT
# Findings in functions of the C library on text that depends on inputs: exploration uses a model of the function. The replay of
# the trace has to show the same, by the build that was explored and by an ordinary one.
. "$SOURCE/tests/cli/lib.sh"
[ -x "$BUILD/mazurka-instrument" ] || { check "a build without LLVM" true; exit; }

cat >program.c <<'END'
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <mazurka.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static char text[6], shared[8], *block, *rest;
static int choice, calls;

static void *other(void *unused)
{
	if (choice == 34) memset(shared, 'b', 3);
	else if (choice == 33) memcpy(shared + 1, "bc", 2);
	else strcpy(shared, "abc");
	return unused;
}

static int order(const void *a, const void *b)
{
	calls++;
	if (choice == 41 && *(const char *)a == 7) fprintf(stderr, "seven\n"), abort();
	return *(const char *)a - *(const char *)b;
}

static int put(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int n = vsnprintf(shared, sizeof shared, format, list);
	va_end(list);
	return n;
}

static int race(void)
{
	pthread_t thread;
	size_t n = 0;
	pthread_create(&thread, NULL, other, NULL);
	if (text[0] == 4)
		switch (choice) {
		case 30: n = strlen(shared); break;
		case 31: n = (size_t)strcmp(shared, text); break;
		case 32: n = strchr(shared, text[1]) != NULL; break;
		case 33: memcpy(text + 1, shared, 4); break;
		case 34: strncpy(shared, text, 2); break;
		case 35: n = (size_t)strtol(shared, NULL, 16); break;
		case 36: n = (size_t)sscanf(shared, "%2s", text); break;
		case 37: n = strspn(shared, text); break;
		}
	pthread_join(thread, NULL);
	return n > 100;
}

static int search(void)
{
	const char numbers[] = {1, 2, 3, 5, 8, 13};
	if (choice == 40) {
		char many[] = {8, 7, 6, 5, 4, 3, 2, 1};
		qsort(many, 8, 1, order);
		assert(text[0] != 3 || calls != 12);
	} else if (choice == 41) {
		qsort(text, 3, 1, order);
	} else {
		const char *found = bsearch(text, numbers, 6, 1, order);
		assert(!found || calls != 3);
	}
	return 0;
}

int main(int argc, char **argv)
{
	choice = atoi(argv[argc - 1]);
	mz_symbolic(text, 5, "text");
	if (choice >= 40) return search();
	if (choice >= 30) return race();
	block = malloc(4);
	memcpy(block, "abc", 4);
	switch (choice) {
	case 0: strcpy(block, text); break;
	case 1: stpcpy(block, text); break;
	case 2: strncpy(block, text, text[0] == 'n' ? 6 : 3); break;
	case 3: strcat(block, text); break;
	case 4: strncat(block, text, 3); break;
	case 5: memmove(block, text, text[0] & 7); break;
	case 6: if (text[0] == '%') sprintf(block, "%s", "four"); break;
	case 7: memcpy(block, text, 4); rest = strdup(block); break;
	case 8: memcpy(block, text, 4); rest = strndup(block, 5); break;
	case 9: memcpy(block, text, 4); calls = (int)strlen(block); break;
	case 10: memcpy(block, text, 4); calls = strcmp(block, "\1\1\1\1\1"); break;
	case 11: memcpy(block, text, 4); calls = memcmp(block, text, 5) == 0 && text[4] == 1; break;
	case 12: memcpy(block, text, 4); rest = strchr(block, 'x'); break;
	case 13: memcpy(block, text, 4); rest = strstr(block, "\1\1\1\1"); break;
	case 14: if (text[0] == '1' && text[1] == '2' && text[2] == '3') memcpy(block, text, 4), calls = (int)strtol(block, NULL, 10); break;
	case 15: memcpy(block, text, 4); strtok_r(block, "\2", &rest); break;
	case 16: sscanf(text, "%4s", block); break;
	case 17: assert(!isalpha((unsigned char)text[0]) || isalpha((unsigned char)text[0]) == 1024 || text[0] != 'q'); assert(toupper(text[0]) != 0xe9); break;
	case 18: errno = 0; calls = (int)strtol(text, &rest, 37); assert(errno != EINVAL || rest || text[0] != 'b'); break;
	case 19: rest = text[0] ? NULL : text; calls = (int)strlen(rest); break;
	case 20: rest = strdup(text); assert(rest); break;
	case 22: memcpy(block, text, 4); strtok(block, "\2"); break;
	case 21: rest = strndup(text, 3); assert(rest); break;
	case 23: sprintf(block, "%d", text[0]); break;
	case 24: sprintf(block, "%s", text); break;
	case 25: snprintf(shared, 8, "%3u|%02x", (unsigned char)text[0], text[1]); assert(strcmp(shared, " 42|7f")); break;
	case 26: assert(printf("%5s%d\n", text, text[0]) != 9); break;
	case 27: assert(put("%c%s", text[0], text + 1) != 3 || shared[0] != 'k'); break;
	case 28: assert(fprintf(stderr, "%-4d%s\n", text[0], "x") != 6 || text[0] != 99); break;
	case 29: snprintf(shared, 3, "%s", text); assert(shared[1] != 'e'); break;
	}
	return 0;
}
END
"$BUILD/mazurka" cc --symbolic -g -w program.c -o program -pthread
"$BUILD/mazurka" cc -g -w program.c -o plain -pthread

finding() { sed -n '/^bug:/{N;s/ after [^\n]*\n */: /;s/\n.*//;p;q;}' "$1"; }
# models NUMBER FINDING [OPTIONS...]: the finding, and that both builds have it again
models() {
	number=$1 expected=$2
	shift 2
	rm -rf mazurka-out
	"$BUILD/mazurka" run "$@" ./program "$number" >run.text 2>&1 || true
	equal "$number: found" "$expected" "$(finding run.text)"
	for build in ./program ./plain; do
		case "$* $build" in *"all ./plain") continue ;; esac
		"$BUILD/mazurka" replay mazurka-out/bug-1.trace -- $build "$number" >replay.text 2>&1 || true
		equal "$number: again in $build" "$(finding run.text)" "$(finding replay.text)"
	done
}

# ---- bounds ----
line=$(grep -n 'block = malloc' program.c | cut -d: -f1)
beyond() { echo "bug: out-of-bounds: $1 a block of 4 bytes: heap block of 4 bytes from program.c:$line (main)"; }
models 0 "$(beyond 'write of 5 bytes that ends 1 beyond')"
models 0 "$(beyond 'write of 1 byte, 0 beyond'), +4" --points all
models 2 "$(beyond 'write of 6 bytes that ends 2 beyond')"
models 3 "$(beyond 'write of 2 bytes that ends 1 beyond'), +3"
models 23 "$(beyond 'write of 5 bytes that ends 1 beyond')"
models 24 "$(beyond 'write of 5 bytes that ends 1 beyond')"
models 24 "$(beyond 'write of 5 bytes that ends 1 beyond')" --points all
models 6 "$(beyond 'write of 5 bytes that ends 1 beyond')"
for number in 7 10 11 14 15 22; do models $number "$(beyond 'read of 5 bytes that ends 1 beyond')"; done

# ---- races ----
race() { echo "bug: data-race: data race on \`shared[$1]\`: write of $2 bytes by main/1 against $3 by main"; }
models 30 "$(race 0 4 'read of 1 byte')"
models 31 "$(race 0 4 'read of 1 byte')"
models 33 "$(race 1 2 'read of 4 bytes')"
models 34 "$(race 0 3 'write of 2 bytes')"
models 35 "$(race 0 4 'read of 1 byte')"

# ---- what functions do besides, callbacks ----
models 17 'bug: assertion: toupper(text[0]) != 0xe9'
models 18 "bug: assertion: errno != EINVAL || rest || text[0] != 'b'"
models 16 "$(beyond 'write of 5 bytes that ends 1 beyond')"
models 19 'bug: crash: SIGSEGV at address 0'
equal "19: where" "    main at program.c:$(grep -n 'case 19:' program.c | cut -d: -f1) (main)" "$(grep '^    main at' run.text)"
models 20 'bug: assertion: rest' --fail strdup
models 21 'bug: assertion: rest' --fail strdup
models 36 "$(race 0 4 'read of 1 byte')"
models 40 'bug: assertion: text[0] != 3 || calls != 12'
models 41 'bug: assertion: abort: seven'
models 42 'bug: assertion: !found || calls != 3'

# ---- printing ----
models 25 'bug: assertion: strcmp(shared, " 42|7f")'
models 26 'bug: assertion: printf("%5s%d\n", text, text[0]) != 9'
models 27 "bug: assertion: put(\"%c%s\", text[0], text + 1) != 3 || shared[0] != 'k'"
models 28 'bug: assertion: fprintf(stderr, "%-4d%s\n", text[0], "x") != 6 || text[0] != 99'
models 29 "bug: assertion: shared[1] != 'e'"
cat >digits.c <<'END'
#include <mazurka.h>
#include <stdio.h>
int main(void)
{
	char to[16];
	unsigned short n;
	int length = 0;
	mz_symbolic(&n, sizeof n, "n");
	PRINT;
	return length > 15;
}
END
# digits CODE: the result, and what is not followed
digits() {
	"$BUILD/mazurka" cc --symbolic -g -w ${2-} "-DPRINT=$1" digits.c -o digits
	"$BUILD/mazurka" run ./digits | sed 's/^no bug: //;s/ times,//;s/ at digits.c.*//' | tr '\n' '|'
}
equal "a path for each number of digits" "all 5 executions explored, complete|" "$(digits 'length = sprintf(to, "%d", n)')"
equal "and for those of another base" "all 4 executions explored, complete|" "$(digits 'length = snprintf(0, 0, "%x", n)')"
equal "none where nobody looks" "the only execution explored, complete|" "$(digits 'printf("%d", n)')"
equal "one where they are filled up" "the only execution explored, complete|" "$(digits 'length = sprintf(to, "%c%s", n, "")')"
equal "with checks" "all 5 executions explored, complete|" "$(digits 'length = sprintf(to, "%d", n)' '-O2 -D_FORTIFY_SOURCE=2')"
equal "floating point is lost" "uncontrolled: input used as floating point|the only execution explored, complete for what was observed|" "$(digits 'sprintf(to, "%f", (double)n)')"
equal "what is beside it, too" "uncontrolled: input passed as a variable argument to sprintf()|the only execution explored, complete for what was observed|" "$(digits 'sprintf(to, "%d %g", n, 0.5)')"
equal "and widths" "uncontrolled: input passed as a variable argument to printf()|the only execution explored, complete for what was observed|" "$(digits 'length = printf("%*d", n, 1)')"

# ---- streams, and what cannot be seen of calls that are made to fail ----
cat >program.c <<'END'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	char *block = malloc(4), *line = NULL;
	size_t room = 0;
	int n = 0;
	switch (atoi(argv[argc - 1])) {
	case 50: fgets(block, 6, stdin); break;
	case 51: if (getline(&line, &room, stdin) == 3) fprintf(stderr, "three of %zu\n", room), abort(); break;
	case 52: if (scanf("%d,%2[a-c]", &n, block) == 2) assert(n != 4); break;
	case 53: n = getc(stdin); ungetc(n, stdin); if (scanf("%1d", &n) == 1) assert(n != 7); break;
	case 54: while ((n = getchar()) != EOF) if (n == 'q') assert(getchar() == EOF); break;
	case 55: getline(&line, &room, stdin); assert(line); break;
	}
	free(line);
	free(block);
	return 0;
}
END
"$BUILD/mazurka" cc --symbolic -g -w program.c -o program
"$BUILD/mazurka" cc -g -w program.c -o plain
line=$(grep -n 'block = malloc' program.c | cut -d: -f1)
models 50 "$(beyond 'write of 5 bytes that ends 1 beyond')" --symbolic-stdin 5
models 51 'bug: assertion: abort: three of 120' --symbolic-stdin 3
models 52 'bug: assertion: n != 4' --symbolic-stdin 3
models 53 'bug: assertion: n != 7' --symbolic-stdin 2
models 54 'bug: assertion: getchar() == EOF' --symbolic-stdin 2
models 55 'bug: assertion: line' --symbolic-stdin 2 --fail realloc

# ---- text on standard error, with branches in between ----
cat >said.c <<'END'
#include <mazurka.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
	unsigned char y;
	mz_symbolic(&y, 1, "y");
	fprintf(stderr, "reading\n");
	if (y > 9) {
		fprintf(stderr, "it is too much\n");
		if (y == 77) abort();
	}
	return 0;
}
END
"$BUILD/mazurka" cc --symbolic -g said.c -o said
"$BUILD/mazurka" run ./said >run.text 2>&1 || true
equal "what was said before branches" 'bug: assertion: abort: reading it is too much' "$(finding run.text)"
