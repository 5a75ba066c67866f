/* SPDX-License-Identifier: MIT
 *
 * One pass over the arguments, response files already expanded. Only what is an input, an option or an option's
 * operand has to be told apart; everything else is the compiler's business.
 */
#include "cli/cc_scan.h"
#include <stdio.h>
#include <string.h>

/* Options whose operand is the next argument. */
static const char *const with_operand[] = {"-o",
                                           "-x",
                                           "-I",
                                           "-D",
                                           "-U",
                                           "-L",
                                           "-B",
                                           "-A",
                                           "-G",
                                           "-T",
                                           "-u",
                                           "-z",
                                           "-e",
                                           "-F",
                                           "-include",
                                           "-imacros",
                                           "-isystem",
                                           "-iquote",
                                           "-idirafter",
                                           "-iprefix",
                                           "-iwithprefix",
                                           "-iwithprefixbefore",
                                           "-isysroot",
                                           "-imultilib",
                                           "-include-pch",
                                           "-ivfsoverlay",
                                           "-MF",
                                           "-MT",
                                           "-MQ",
                                           "-MJ",
                                           "-Xlinker",
                                           "-Xassembler",
                                           "-Xpreprocessor",
                                           "-Xclang",
                                           "-Xanalyzer",
                                           "-mllvm",
                                           "-aux-info",
                                           "--param",
                                           "-arch",
                                           "-target",
                                           "-wrapper",
                                           "-dumpbase",
                                           "-dumpbase-ext",
                                           "-dumpdir",
                                           "-framework",
                                           "-resource-dir",
                                           "-Tbss",
                                           "-Tdata",
                                           "-Ttext",
                                           "--sysroot",
                                           "--output",
                                           "--include",
                                           "--language",
                                           "-gcc-toolchain",
                                           "-serialize-diagnostics",
                                           NULL};

/* Options that end the work before linking. */
static const char *const no_link[] = {"-c",
                                      "-S",
                                      "-E",
                                      "-M",
                                      "-MM",
                                      "-r",
                                      "-fsyntax-only",
                                      "--analyze",
                                      "-emit-ast",
                                      "--compile",
                                      "--assemble",
                                      "--preprocess",
                                      "--precompile",
                                      "--dependencies",
                                      "--user-dependencies",
                                      NULL};

/* Of the options that end the work before linking: those that end it before there is code, and those that end it with
 * assembly. */
static const char *const no_code[] = {
    "-E",        "-M",           "-MM",          "-fsyntax-only",  "--analyze",
    "-emit-ast", "--preprocess", "--precompile", "--dependencies", "--user-dependencies",
    NULL};
static const char *const assembly[] = {"-S", "--assemble", NULL};

static const char *const is_static[] = {"-static", "--static", "-static-pie", NULL};

static const char *const is_short[] = {"-m32", "-mx32", "-m16", NULL};

/* Options that make the command line a question to the compiler, whatever else is on it. */
static const char *const queries[] = {"--version", "--help", "--target-help", NULL};
static const char *const query_prefixes[] = {"-dumpmachine", "-dumpversion", "-dumpfullversion", "-dumpspecs",
                                             "-print-",      "--print-",     "--help=",          NULL};

static const char *const incompatible[] = {"address",
                                           "kernel-address",
                                           "hwaddress",
                                           "kernel-hwaddress",
                                           "pointer-compare",
                                           "pointer-subtract",
                                           "memory",
                                           "kernel-memory",
                                           "leak",
                                           "dataflow",
                                           "safe-stack",
                                           "fuzzer",
                                           "fuzzer-no-link",
                                           "scudo",
                                           "shadow-call-stack",
                                           NULL};

static const char *const header_suffixes[] = {".h", ".hh", ".hpp", ".hxx", ".H", ".hp", ".h++", ".tcc", NULL};
static const char *const assembly_suffixes[] = {".s", ".S", ".sx", NULL};
static const char *const linked_suffixes[] = {".o", ".a", ".so", ".lo", NULL};

static bool is_one_of(const char *const *list, const char *text)
{
	for (; *list; list++)
		if (strcmp(*list, text) == 0) return true;
	return false;
}

static bool starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool starts_with_one_of(const char *const *list, const char *text)
{
	for (; *list; list++)
		if (starts_with(text, *list)) return true;
	return false;
}

static bool ends_with_one_of(const char *const *list, const char *text, size_t length)
{
	for (; *list; list++) {
		size_t n = strlen(*list);
		if (length > n && strncmp(text + length - n, *list, n) == 0) return true;
	}
	return false;
}

/* The state of a pass over the command line. */
struct scan {
	struct mz_cc_request *request;
	const char *language; /* operand of the last -x, or NULL */
	bool inputs;          /* there is something to compile or link */
	bool headers_only;    /* all inputs so far are headers, which are precompiled and not linked */
	bool stops_early;
	bool query;
};

static void scan_sanitizer(struct mz_cc_request *request, const char *name, size_t length, bool on)
{
	char text[sizeof request->conflict];
	if (length >= sizeof text) return;
	memcpy(text, name, length);
	text[length] = '\0';
	bool all = strcmp(text, "all") == 0;
	if (strcmp(text, "thread") == 0 || (all && !on)) {
		request->thread_off = !on;
		if (on) request->thread_given = true;
	}
	if (on && is_one_of(incompatible, text)) memcpy(request->conflict, text, sizeof text);
	if (!on && (all || strcmp(text, request->conflict) == 0)) request->conflict[0] = '\0';
}

static void scan_sanitizers(struct mz_cc_request *request, const char *names, bool on)
{
	while (*names) {
		size_t length = strcspn(names, ",");
		scan_sanitizer(request, names, length, on);
		names += length + (names[length] == ',');
	}
}

static void scan_assembly(struct scan *s, const char *name)
{
	s->request->by_hand = true;
	if (s->language ? strcmp(s->language, "assembler") != 0
	                : !ends_with_one_of((const char *[]){".s", NULL}, name, strlen(name)))
		s->request->preprocessed = true;
}

static void scan_input(struct scan *s, const char *name)
{
	bool header = s->language ? strstr(s->language, "-header") != NULL
	                          : ends_with_one_of(header_suffixes, name, strlen(name));
	if (!header) s->headers_only = false;
	if (s->language ? starts_with(s->language, "assembler")
	                : ends_with_one_of(assembly_suffixes, name, strlen(name)))
		scan_assembly(s, name);
	else if (!header && (s->language || !ends_with_one_of(linked_suffixes, name, strlen(name))) &&
	         !starts_with(name, "-l"))
		s->request->sources = true;
	s->inputs = true;
}

/* Looks for input files among operands of the linker, as in -Wl,a.o,b.o. */
static void scan_linker_list(struct scan *s, const char *list)
{
	while (*list) {
		size_t length = strcspn(list, ",");
		if (list[0] != '-' && ends_with_one_of(linked_suffixes, list, length)) {
			s->inputs = true;
			s->headers_only = false;
		}
		list += length + (list[length] == ',');
	}
}

static void scan_operand(struct scan *s, const char *option, const char *operand)
{
	if (strcmp(option, "-x") == 0 || strcmp(option, "--language") == 0)
		s->language = strcmp(operand, "none") == 0 ? NULL : operand;
	else if (strcmp(option, "-Xlinker") == 0)
		scan_linker_list(s, operand);
}

static void scan_option(struct scan *s, const char *option)
{
	if (is_one_of(no_code, option)) s->request->no_code = true;
	if (is_one_of(assembly, option)) s->request->assembly = true;
	if (is_one_of(no_link, option))
		s->stops_early = true;
	else if (strcmp(option, MZ_CC_SYMBOLIC) == 0)
		s->request->symbolic = true;
	else if (is_one_of(is_static, option))
		s->request->is_static = true;
	else if (is_one_of(is_short, option))
		s->request->is_short = true;
	else if (is_one_of(queries, option) || starts_with_one_of(query_prefixes, option))
		s->query = true;
	else if (starts_with(option, "-fsanitize="))
		scan_sanitizers(s->request, option + strlen("-fsanitize="), true);
	else if (starts_with(option, "-fno-sanitize="))
		scan_sanitizers(s->request, option + strlen("-fno-sanitize="), false);
	else if (starts_with(option, "-Wl,"))
		scan_linker_list(s, option + strlen("-Wl,"));
	else if (starts_with(option, "-x"))
		scan_operand(s, "-x", option + 2);
	else if (starts_with(option, "-l"))
		scan_input(s, option);
	else if (starts_with(option, "-g"))
		s->request->debug_chosen = true;
}

void mz_cc_scan(struct mz_cc_request *request, const struct mz_args *args)
{
	*request = (struct mz_cc_request){0};
	struct scan s = {.request = request, .headers_only = true};
	for (size_t i = 0; i < args->count; i++) {
		const char *item = args->items[i];
		if (item[0] != '-' || !item[1])
			scan_input(&s, item);
		else if (!is_one_of(with_operand, item))
			scan_option(&s, item);
		else if (i + 1 < args->count)
			scan_operand(&s, item, args->items[++i]);
	}
	request->query = s.query || !s.inputs;
	request->links = !request->query && !s.stops_early && !s.headers_only;
}
