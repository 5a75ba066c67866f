# SPDX-License-Identifier: MIT
"""Random programs with inputs and threads, in C. Every condition, index and case that can depend on an input is recorded, see
record.c; with SYMBOLIC defined inputs are marked by mz_symbolic(), else mz_choose() goes through their values."""

HEAD = """#include <mazurka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include "record.h"
/* A branch: the condition is evaluated once, and its outcome recorded. */
#define B(c) ((c) ? (record(self, '+', 0), 1) : (record(self, '-', 0), 0))
#ifdef SYMBOLIC
#define INPUT(x, values, first, condition) do { mz_symbolic(&x, sizeof x, #x); mz_assume(condition); } while (0)
#define MASKED(x, mask) do { mz_symbolic(&x, sizeof x, #x); x &= mask; } while (0)
#else
#define INPUT(x, values, first, condition) (x = first + mz_choose(values))
#define MASKED(x, mask) (x = mz_choose(mask + 1))
#endif
static atomic_int begun;
static const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
"""

# The shared atomics v0..v3 are the objects 0..3, the mutexes m0 and m1, which guard g0 and g1, are 4 and 5.
ATOMICS = ("uint8_t", "int16_t", "int32_t", "uint64_t")
TYPES = ("int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t")


class Program:
    def __init__(self, rng, number, compares):
        self.rng, self.prefix = rng, f"p{number}_"
        self.threads = rng.choice([2, 2, 2, 3])
        self.locals = 0
        self.kinds = [kind for kind in self.KINDS if compares or kind[0] != "compare"]

    # ---- expressions: `names` are the variables that can be read

    def expression(self, names, depth=2):
        rng = self.rng
        if depth == 0 or rng.random() < 0.2:
            return rng.choice(names) if rng.random() < 0.75 else str(rng.choice([0, 1, 2, 3, 5, 7, -1, 100]))
        a, b = self.expression(names, depth - 1), self.expression(names, depth - 1)
        return rng.choice([
            lambda: f"({a} {rng.choice(['+', '-', '*', '&', '|', '^'])} {b})",
            lambda: f"({a} {rng.choice(['+', '-', '^'])} {b})",
            lambda: f"({rng.choice(TYPES)})({a} {rng.choice(['+', '-', '*'])} {b})",
            lambda: f"({a} << {rng.randrange(4)})",
            lambda: f"({a} >> {rng.randrange(4)})",
            lambda: f"(({rng.choice(TYPES[4:])}){a} >> ({b} & 7))",
            lambda: f"(({rng.choice(TYPES[4:])}){a} << ({b} & 7))",
            lambda: f"{rng.choice(['~', '-', '!'])}({a})",
            lambda: f"({self.comparison(a, b)})",
            lambda: f"(({rng.choice(TYPES)}){a} {rng.choice('/%')} (({b} & 7) + 1))",
            lambda: f"(({rng.choice(TYPES)}){a})",
        ])()

    def comparison(self, a, b):
        return f"{a} {self.rng.choice(['==', '!=', '<', '<=', '>', '>='])} {b}"

    def condition(self, names):
        rng = self.rng
        if rng.random() < 0.4:
            return self.comparison(rng.choice(names), str(rng.randrange(5)))
        if rng.random() < 0.2:
            return self.expression(names, 1)
        return self.comparison(self.expression(names, rng.choice([1, 2])), self.expression(names, 1))

    # ---- statements: lists of lines

    def store(self, names, _):
        n, value = self.rng.randrange(4), self.expression(names)
        return [f"atomic_store(&v{n}, {value}); record_write(self, {n});"]

    def magic(self, _, __):
        n = self.rng.randrange(4)
        return [f"atomic_store(&v{n}, {self.rng.choice([17, 42, 99])}); record_write(self, {n});"]

    def load(self, _, __):
        n = self.rng.randrange(4)
        return [f"{self.rng.choice(['r', 'w'])} = atomic_load(&v{n}); record_read(self, {n});"]

    def update(self, names, _):
        n, value = self.rng.randrange(4), self.expression(names, 1)
        call = self.rng.choice(["fetch_add", "fetch_sub", "fetch_or", "fetch_and", "fetch_xor", "exchange"])
        return [f"r = atomic_{call}(&v{n}, {value}); record_write(self, {n});"]

    def compare(self, names, _):
        n, rng = self.rng.randrange(4), self.rng
        kind = ATOMICS[n]
        lines = [f"{{ {kind} e = {self.expression(names, 1)}, o = __sync_val_compare_and_swap(({kind} *)&v{n}, e, {self.expression(names, 1)});",
                 f"record_exchange(self, {n}, o == e);"]
        return lines + [f"if (B(o == e)) {rng.choice('rws')} = 1; }}"]

    def section(self, names, depth):
        n, rng = self.rng.randrange(2), self.rng
        inside = rng.choice([[f"g{n} = {self.expression(names)};"], [f"r = g{n};"], [f"g{n} += {self.expression(names, 1)};"],
                             [f"if (B({self.comparison(f'g{n}', str(rng.randrange(4)))})) g{n} = {rng.randrange(3)};"]])
        return [f"pthread_mutex_lock(&m{n}); record_write(self, {4 + n});", *inside, f"pthread_mutex_unlock(&m{n});"]

    def local(self, names, _):
        return [f"{self.rng.choice(['r', 'w', 's'])} = {self.expression(names, 3)};"]

    def branch(self, names, depth):
        yes, no = self.block(names, depth), self.block(names, depth) if self.rng.random() < 0.5 else []
        return [f"if (B({self.condition(names)})) {{", *yes, "} else {", *no, "}"]

    def switch(self, names, depth):
        cases = self.rng.sample(range(-1, 5), self.rng.choice([2, 3]))
        lines = [f"switch ({self.rng.choice(['', '(int8_t)', '(int64_t)'])}({self.expression(names, 1)})) {{"]
        for case in cases:
            lines += [f"case {case}:", f"record(self, '#', {case});", *self.block(names, depth), "break;"]
        return lines + ["default: record(self, '#', 9); break;", "}"]

    def index(self, names, _):
        return [f"{{ int i = {self.expression(names)} & {self.rng.choice([1, 3, 7])}; r = table[i]; record(self, '@', i); }}"]

    def loop(self, names, depth):
        self.locals += 1
        i = f"i{self.locals}"
        return [f"for (int {i} = 0, n = {self.expression(names, 1)} & 3; B({i} < n); {i}++) {{", *self.block(names + [i], 0), "}"]

    def division(self, names, _):
        return [f"s = {self.expression(names, 1)} & 3;", f"if (B(s == 0)) r = 0; else r = ({self.expression(names, 1)}) {self.rng.choice('/%')} s;"]

    def mark(self, names, depth):
        return [*self.input("c"), *self.branch(names + ["c"], 0)]

    KINDS = [("store", 5), ("magic", 2), ("load", 6), ("update", 3), ("compare", 2), ("section", 3), ("local", 3), ("branch", 7),
             ("switch", 2), ("index", 1), ("loop", 1), ("division", 1), ("mark", 1)]

    def block(self, names, depth):
        if depth == 0:
            return getattr(self, self.rng.choice(["store", "load", "local", "update", "magic"]))(names, 0)
        return self.statements(names, depth - 1, self.rng.choice([1, 1, 2]))

    def statements(self, names, depth, count):
        kinds, weights = zip(*self.kinds)
        return [line for kind in self.rng.choices(kinds, weights, k=count) for line in getattr(self, kind)(names, depth)]

    # ---- the whole

    def input(self, name):
        rng = self.rng
        if name == "c" or rng.random() < 0.4:
            return [f"MASKED({name}, {rng.choice([1, 3])});"]
        values, first = rng.choice([2, 3, 4]), rng.choice([0, 1, -2] if self.types[name][0] == "i" else [0, 1, 3])
        return [f"INPUT({name}, {values}, {first}, {name} >= {first} && {name} < {first + values});"]

    def thread(self, number):
        names = ["a", "b", "a", "r", "w", "s"]
        lines = [f"static void *{self.prefix}t{number}(void *unused)", "{", f"int self = {number}, r = 0, s = 0; uint64_t w = 0; uint8_t c = 0;",
                 *self.statements(names, 2, self.rng.randrange(2, 7 - self.threads)), "(void)r, (void)s, (void)w, (void)c;", "return unused;", "}"]
        return lines

    def text(self):
        rng, p = self.rng, self.prefix
        self.types = {"a": rng.choice(TYPES), "b": rng.choice(TYPES)}
        rename = [f"#define {name} {p}{name}" for name in ("a", "b", "v0", "v1", "v2", "v3", "g0", "g1", "m0", "m1")]
        shared = [f"{self.types['a']} a; {self.types['b']} b; int32_t g0; uint16_t g1;",
                  *(f"_Atomic {kind} v{n};" for n, kind in enumerate(ATOMICS)),
                  "pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;"]
        workers = [line for n in range(1, self.threads) for line in self.thread(n)]
        both = rng.random() < 0.6
        last = self.threads - 1
        condition = f"B({self.condition(['a', 'b'])})" if rng.random() < 0.2 else "1"
        main = [f"static void {p}main(void)", "{", f"int self = 0, r = 0, s = 0, more = 1; uint64_t w = 0; uint8_t c = 0; pthread_t t[{self.threads}];",
                *self.input("a"), *(self.input("b") if both else []), f"if (!({condition})) more = 0;",
                "atomic_fetch_add(&begun, 1);",  # so main runs when it creates threads, whether its inputs were steps or not
                *(f"{'if (more) ' if n == last else ''}pthread_create(&t[{n}], 0, {p}t{n}, 0);" for n in range(1, self.threads)),
                *self.statements(["a", "b", "a", "r", "w", "s"], 2, rng.randrange(1, 3)),
                *(f"{'if (more) ' if n == last else ''}pthread_join(t[{n}], 0);" for n in range(1, self.threads)),
                *(["r = atomic_load(&v0);", f"if (B({self.condition(['a', 'r'])})) r = 0;"] if rng.random() < 0.3 else []),
                "(void)r, (void)s, (void)w, (void)c;", "}"]
        undefine = [f"#undef {line.split()[1]}" for line in rename]
        return "\n".join(rename + shared + workers + main + undefine) + "\n"


def source(rngs, compares):
    """A program of programs: the first argument says which runs, the second the file that records go to. `compares` says whether
    they have compare-exchanges."""
    texts = [Program(rng, n, compares).text() for n, rng in enumerate(rngs)]
    calls = "".join(f"\tcase {n}: p{n}_main(); break;\n" for n in range(len(texts)))
    return (HEAD + "\n".join(texts) + "int main(int argc, char **argv)\n{\n\tif (argc < 3) return 2;\n\tswitch (atoi(argv[1])) {\n"
            + calls + "\t}\n\trecord_end(argv[2]);\n\treturn 0;\n}\n")
