# SPDX-License-Identifier: MIT
"""Random C programs for checker.c: functions over integers of all widths and signs, structs, unions, arrays, pointers,
atomics, recursion, function pointers. They have no undefined behaviour when they are compiled with -fwrapv."""
import random

TYPES = [f"{sign}int{width}_t" for width in (8, 16, 32, 64) for sign in ("", "u")]
HEAD = """#include "checker.h"
#include <stdbool.h>
#include <string.h>
struct part { int8_t a; uint32_t b; int16_t c[4]; };
struct whole { uint64_t n; struct part parts[2]; uint8_t d; };
union view { uint64_t whole; uint32_t half[2]; int16_t quarter[4]; uint8_t bytes[8]; };
static struct whole g;
static union view view;
static int32_t array[8];
static int64_t number;
static uint8_t bytes[16];
"""


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.functions = []  # (name, types of parameters), all return int64_t
        self.names = 0
        self.lines = [HEAD]

    def pick(self, *items):
        return self.random.choice(items)

    def name(self):
        self.names += 1
        return f"v{self.names}"

    def place(self, variables):
        """Something that can be assigned to."""
        index = self.index(variables)
        places = [f"array[{index}]", "number", f"view.bytes[{index}]", f"view.half[{self.pick(0, 1)}]", "view.whole", "g.n", "g.d",
                  f"view.quarter[{self.pick(0, 1, 2, 3)}]", f"g.parts[{self.pick(0, 1)}].c[{index} & 3]", "g.parts[1].b", f"bytes[{index}]",
                  f"g.parts[{self.index(variables)} & 1].a"]
        return self.pick(*places, *variables, *variables, *variables)

    def index(self, variables):
        if self.random.random() < 0.6 or not variables:
            return str(self.random.randrange(8))
        return f"({self.pick(*variables)} & 7)"

    def value(self, variables, depth):
        kind = self.random.random()
        if depth <= 0 or kind < 0.15:
            if kind < 0.05:
                return self.pick("0", "1", "-1", "127", "255", "1000", "0x7fffffff", "0x123456789abcdefULL", "'a'")
            return self.place(variables)
        below = lambda: self.value(variables, depth - 1)
        if kind < 0.55:
            return f"({below()} {self.pick('+', '-', '*', '&', '|', '^')} {below()})"
        if kind < 0.62:
            return f"(({self.pick(*TYPES)}){below()} {self.pick('<<', '>>')} ({below()} & 7))"
        if kind < 0.67:
            return f"(({self.pick(*TYPES)}){below()} {self.pick('/', '%')} (({below()} & 15) + 1))"
        if kind < 0.77:
            return f"(({self.pick(*TYPES)}){below()} {self.pick('<', '<=', '==', '!=', '>', '>=')} ({self.pick(*TYPES)}){below()})"
        if kind < 0.87:
            return f"({self.pick(*TYPES)}){below()}"
        if kind < 0.91:
            return f"({below()} ? {below()} : {below()})"
        if kind < 0.95:
            return f"{self.pick('~', '-', '!')}({self.pick(*TYPES)}){below()}"
        if self.functions:
            return self.call(variables, depth - 1)
        return below()

    def call(self, variables, depth):
        name, types = self.pick(*self.functions)
        arguments = ", ".join(self.value(variables, min(depth, 1)) for _ in types)
        return f"{name}({arguments})"

    def statement(self, variables, depth, indent):
        """Writes one statement; returns what it declares."""
        kind, tabs = self.random.random(), "\t" * indent
        if depth <= 0:
            kind *= 0.6
        value = lambda d=2: self.value(variables, d)
        if kind < 0.2:
            name = self.name()
            self.lines.append(f"{tabs}{self.pick(*TYPES)} {name} = {value(3)};")
            return [name]
        if kind < 0.4:
            self.lines.append(f"{tabs}{self.place(variables)} {self.pick('=', '=', '+=', '^=', '-=', '*=')} {value(3)};")
        elif kind < 0.46:
            self.lines.append(f"{tabs}observe((uint64_t)({value(3)}));")
        elif kind < 0.6:
            self.special(variables, tabs)
        elif kind < 0.8:
            self.lines.append(f"{tabs}if ({value()}) {{")
            self.block(variables, depth - 1, indent + 1)
            if self.random.random() < 0.5:
                self.lines.append(f"{tabs}}} else {{")
                self.block(variables, depth - 1, indent + 1)
            self.lines.append(f"{tabs}}}")
        elif kind < 0.9:
            name = self.name()
            limit = self.pick("3", f"({value(1)} & 3)")
            self.lines.append(f"{tabs}for (uint32_t {name} = 0; {name} < {limit}; {name}++) {{")
            self.block([*variables], depth - 2, indent + 1)
            self.lines.append(f"{tabs}}}")
        else:
            self.lines.append(f"{tabs}switch ({value(1)} & 7) {{")
            for case in sorted(self.random.sample(range(8), 3)):
                self.lines.append(f"{tabs}case {case}: {{")
                self.block(variables, depth - 2, indent + 1)
                self.lines.append(f"{tabs}}} {self.pick('break;', '')}")
            self.lines.append(f"{tabs}}}")
        return []

    def special(self, variables, tabs):
        value = lambda: self.value(variables, 1)
        order = "__ATOMIC_SEQ_CST"
        self.lines.append(tabs + self.pick(
            f"memcpy(bytes + {self.index([])}, &{self.pick('g', 'view', 'array')}, {self.pick(1, 2, 3, 5, 8)});",
            f"memmove(bytes + 1, bytes, {self.pick(1, 4, 7, 12)});",
            f"memset(bytes + {self.index([])}, (int){value()}, {self.pick(1, 3, 8)});",
            f"memcpy(&{self.pick('g.n', 'view', 'number')}, bytes + {self.index([])}, 8);",
            "g.parts[1] = g.parts[0];",
            f"{{ struct whole copy = g; copy.parts[0].b ^= (uint32_t){value()}; g = copy; }}",
            f"{{ int32_t *p = {value()} ? &array[1] : &array[5]; *p += (int32_t){value()}; }}",
            f"{{ int16_t *p = g.parts[0].c + {self.index(variables)} % 4; *p = (int16_t){value()}; }}",
            f"number += __atomic_fetch_add(&array[2], (int32_t){value()}, {order});",
            f"number ^= __atomic_exchange_n(&g.n, (uint64_t){value()}, {order});",
            f"__atomic_fetch_{self.pick('or', 'and', 'xor', 'nand', 'sub', 'min', 'max')}(&g.d, (uint8_t){value()}, {order});",
            f"{{ uint64_t e = (uint64_t){value()}; g.d += __atomic_compare_exchange_n(&g.n, &e, (uint64_t){value()}, 0, {order}, {order}); }}",
            f"if (__builtin_add_overflow({value()}, (int32_t){value()}, &array[3])) number++;",
            f"{{ union view w; w.whole = (uint64_t){value()}; w.quarter[2] ^= 5; number += w.half[1] + w.bytes[5]; }}",
        ))

    def block(self, variables, depth, indent):
        known = list(variables)
        for _ in range(self.random.randint(1, 3)):
            known += self.statement(known, depth, indent)

    def function(self, name):
        types = [self.pick(*TYPES) for _ in range(self.random.randint(1, 4))]
        parameters = [self.name() for _ in types]
        declared = ", ".join(f"{type_} {parameter}" for type_, parameter in zip(types, parameters))
        inline = self.pick("", "__attribute__((noinline)) ", "__attribute__((always_inline)) inline ")
        self.lines.append(f"{inline}static int64_t {name}({declared})\n{{")
        known = list(parameters)
        for _ in range(self.random.randint(2, 6)):
            known += self.statement(known, 2, 1)
        self.lines.append(f"\treturn {self.value(known, 2)};\n}}\n")
        self.functions.append((name, types))

    def text(self):
        for i in range(self.random.randint(1, 3)):
            self.function(f"f{i}")
        self.lines.append("static int64_t p0(int64_t x) { return x + 1; }\nstatic int64_t p1(int64_t x) { return x ^ number; }")
        self.lines.append("static int64_t (*const table[])(int64_t) = {p0, p1};\n")
        self.lines.append("static int64_t deep(int32_t n, uint8_t x)\n{\n\tconst int32_t left = n & 7;\n\tif (left == 0) return x;")
        self.statement(["n", "x"], 1, 1)
        self.lines.append(f"\treturn deep(left - 1, (uint8_t){self.value(['n', 'x'], 1)}) + n;\n}}\n")
        self.functions.append(("deep", ["int32_t", "uint8_t"]))
        self.lines.append("void test(void)\n{\n\tmemset(&g, 0, sizeof g);\n\tmemset(&view, 0, sizeof view);\n\tmemset(bytes, 0, sizeof bytes);")
        self.lines.append("\tmemset(array, 0, sizeof array);\n\tnumber = 0;")
        inputs = []
        for i in range(self.random.randint(2, 4)):
            self.lines.append(f"\t{self.pick(*TYPES)} in{i};\n\tINPUT(in{i});")
            inputs.append(f"in{i}")
        if self.random.random() < 0.5:
            self.lines.append(f"\tINPUT({self.pick('g', 'view', 'bytes', 'array')});")
        known = list(inputs)
        for _ in range(self.random.randint(3, 8)):
            known += self.statement(known, 3, 1)
        for _ in range(2):
            self.lines.append(f"\tobserve((uint64_t){self.call(known, 2)});")
        self.lines.append(f"\tobserve((uint64_t)table[{self.pick(*inputs)} & 1]({self.value(known, 2)}));")
        self.lines.append("\tobserve((uint64_t)number + view.whole + g.n + g.parts[1].b + g.d);")
        self.lines.append("\tfor (int i = 0; i < 8; i++) observe((uint64_t)(array[i] + bytes[i] + bytes[i + 8]));\n}")
        return "\n".join(self.lines) + "\n"


def program(seed):
    return Program(seed).text()
