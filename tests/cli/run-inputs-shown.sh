# SPDX-License-Identifier: MIT
# How the inputs of a bug are shown: by their types, in text, JSON, traces, `show` and `replay`, also by builds of the
# program that do not know the types.
. "$SOURCE/tests/cli/lib.sh"
run="$BUILD/mazurka run"
with() { # the inputs that a command's first line about them has
	"$@" 2>&1 | sed -n 's/^    with //p' | sed -n 1p
}

cat >types.c <<'END'
#include <mazurka.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
enum colour { RED, GREEN = 5, BLUE = -1 };
typedef char word[4];
struct point {
	int x, y;
};
struct deep {
	struct point at[2];
	unsigned low : 3;
	int high : 5;
	enum colour colour;
};
static word in;
static struct {
	char operation;
	unsigned char amount;
} request;
static int grid[2][2];
static double real;
static void mark(char *pointed, size_t n)
{
	mz_symbolic(pointed, n, "pointed");
}
int main(void)
{
	char local[4] = "", *heap = calloc(1, 8), c = 0;
	int8_t small = 0;
	uint16_t middle = 0;
	unsigned long large = 0;
	bool yes = false;
	enum colour colour = RED;
	void *pointer = 0;
	struct point point = {0, 0};
	struct deep deep = {0};
	mz_symbolic(in, sizeof in, "in");
	mz_symbolic(local, sizeof local, "my local");
	mz_symbolic(&c, sizeof c, "c");
	mz_symbolic(&small, sizeof small, "small");
	mz_symbolic(&middle, sizeof middle, "middle");
	mz_symbolic(&large, sizeof large, "large");
	mz_symbolic(&yes, sizeof yes, "yes");
	mz_symbolic(&colour, sizeof colour, "colour");
	mz_symbolic(&pointer, sizeof pointer, "pointer");
	mz_symbolic(&real, sizeof real, "real");
	mz_symbolic(&point, sizeof point, "point");
	mz_symbolic(&deep, sizeof deep, "deep");
	mz_symbolic(&request.operation, 1, "operation");
	mz_symbolic(&request.amount, 1, "amount");
	mz_symbolic(grid, sizeof grid, "grid");
	mz_symbolic(grid[1], sizeof grid[1], "row");
	mz_symbolic(heap, 8, "heap");
	mark(heap, 4);
	mz_symbolic(heap + 4, 4, "nobody");
	if (memcmp(in, "MAZ!", 4) == 0 && memcmp(local, "a\0\n", 4) == 0 && c == 'c' && small == -2 && middle == 65535 &&
	    large == 1UL << 63 && yes && colour == BLUE && (uintptr_t)pointer == 0xbeef && point.x == 1 && point.y == -2 &&
	    deep.at[0].x == 1 && deep.low == 5 && deep.high == -3 && deep.colour == 7 && request.operation == '+' &&
	    request.amount == 51 && grid[0][1] == 7 && grid[1][0] == -8 && memcmp(heap, "hi", 3) == 0 && heap[4] == 'M')
		abort();
	free(heap);
	return 0;
}
END
"$BUILD/mazurka" cc --symbolic -g types.c -o types 2>refusal || {
	grep -q 'symbolic' refusal && echo "ok without LLVM there is nothing more to test"
	exit 0
}
"$BUILD/mazurka" cc -g -O2 types.c -o plain
"$BUILD/mazurka" cc -g0 types.c -o blind
typed='in = "MAZ!", my local = "a\0\n", c = '\''c'\'', small = -2, middle = 65535, large = 9223372036854775808, yes = true, colour = BLUE, pointer = 0xbeef, real = 0, point = {x = 1, y = -2}, deep = {at = {{x = 1, y = 0}, {x = 0, y = 0}}, low = 5, high = -3, colour = 7}, operation = '\''+'\'', amount = 51, grid = {{0, 7}, {0, 0}}, row = {-8, 0}, heap = "", pointed = "hi", nobody = 77'
equal "each by its type" "$typed" "$(with $run --json r.json ./types)"
equal "JSON has the text beside the bytes" \
	'{"name": "in", "size": 4, "hex": "4d415a21", "text": "\"MAZ!\""}, {"name": "my local", "size": 4, "hex": "61000a00", "text": "\"a\\0\\n\""}' \
	"$(grep -o '{"name": "in".*"text": "\\"a[^}]*}' r.json)"
equal "the trace has both" 'input 0 0 "in" 4d415a21 "\"MAZ!\""' "$(grep '"in"' mazurka-out/bug-1.trace)"
mv mazurka-out/bug-1.trace types.trace
equal "show prints the same" "$typed" "$(with "$BUILD/mazurka" show types.trace)"
equal "replay does" "$typed" "$(with "$BUILD/mazurka" replay types.trace)"
equal "also with an ordinary build" "$typed" "$(with "$BUILD/mazurka" replay types.trace -- ./plain)"
equal "and with one without debug information" "$typed" "$(with "$BUILD/mazurka" replay types.trace -- ./blind)"

# ---- traces without texts, as they were before inputs had them ----
sed 's/^\(input .*" [0-9a-f]*\) ".*/\1/' types.trace >old.trace
equal "there are none" 0 "$(grep -c '^input.*"$' old.trace || true)"
untyped='in = 559563085, my local = 655457, c = 99, small = -2, middle = -1, large = -9223372036854775808, yes = 1, colour = -1, pointer = 48879, real = 0, point = -8589934591, deep = "\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\355\0\0\0\7\0\0\0", operation = 43, amount = 51, grid = "\0\0\0\0\7\0\0\0\0\0\0\0\0\0\0\0", row = 4294967288, heap = 0, pointed = 26984, nobody = 77'
equal "show knows sizes only" "$untyped" "$(with "$BUILD/mazurka" show old.trace)"
equal "so does a build without debug information" "$untyped" "$(with "$BUILD/mazurka" replay old.trace -- ./blind)"
equal "one with it knows the types" "$typed" "$(with "$BUILD/mazurka" replay old.trace)"

# ---- optimised code, old debug information, functions that are inlined or mark objects of others, a thread ----
cat >levels.c <<'END'
#include <assert.h>
#include <mazurka.h>
#include <pthread.h>
static inline __attribute__((always_inline)) int small(void)
{
	short number = 0;
	mz_symbolic(&number, sizeof number, "inlined");
	return number;
}
__attribute__((noinline)) static void any(void *object, size_t size, const char *name)
{
	mz_symbolic(object, size, name);
	__asm__ volatile("");
}
static void *other(void *text)
{
	unsigned char letters[3];
	enum { NO, YES } answer;
	any(letters, sizeof letters, "letters");
	any(&answer, sizeof answer, "the answer");
	if (letters[0] == 'a' && letters[1] == 200 && answer == YES && small() == -300) assert(!"found");
	return text;
}
int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, other, 0);
	pthread_join(thread, 0);
	return 0;
}
END
for way in '-gdwarf-4 -O0' '-gdwarf-4 -O2' '-gdwarf-5 -O1 -fomit-frame-pointer' '-gdwarf-5 -O3 -fno-pie -no-pie'; do
	"$BUILD/mazurka" cc --symbolic $way levels.c -o levels -pthread
	equal "$way" 'letters = "a\310", the answer = YES, inlined = -300' "$(with $run ./levels)"
done

# ---- C++ ----
cat >classes.cc <<'END'
#include <array>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <mazurka.h>
namespace shop {
enum class state : std::uint8_t { open, closed = 7 };
struct named {
	char name[4];
};
struct item : named {
	bool sold;
	state is;
	static int count;
};
static item only;
}
static void mark(shop::item &reference)
{
	mz_symbolic(&reference, sizeof reference, "reference");
}
int main()
{
	mz_symbolic(&shop::only, sizeof shop::only, "item");
	std::array<short, 2> pair{};
	std::atomic<short> level{0};
	mz_symbolic(&pair, sizeof pair, "pair");
	mz_symbolic(&level, sizeof level, "level");
	mz_assume(pair[1] == -3 && level == 4);
	shop::item *kept = new shop::item();
	mark(*kept);
	if (shop::only.name[0] == 'q' && shop::only.sold && shop::only.is == shop::state::closed) assert(kept->name[1] != 'x');
	delete kept;
	return 0;
}
END
"$BUILD/mazurka" c++ --symbolic -g classes.cc -o classes
equal "classes and references" 'item = {named = {name = "q"}, sold = true, is = closed}, pair = {0, -3}, level = 4, reference = {named = {name = "\0x"}, sold = false, is = open}' \
	"$(with $run ./classes)"

# ---- what main is given ----
cat >given.c <<'END'
#include <assert.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char text[2] = "";
	if (argc == 2 && argv[1][0] == '-' && argv[1][1] == 'v') assert(read(0, text, 2) != 2 || text[1] != 'x');
	return 0;
}
END
"$BUILD/mazurka" cc --symbolic given.c -o given
equal "arguments and standard input are strings, whatever their size" 'stdin = "\0x", stdin_length = 2, arg1 = "-v"' \
	"$(with $run --symbolic-args 1,4 --symbolic-stdin 2 ./given)"
