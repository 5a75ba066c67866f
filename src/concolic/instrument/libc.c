/* SPDX-License-Identifier: MIT
 *
 * What is known of functions of the C library (and of Mazurka's own), by name. Functions that are not listed are called
 * as if they were instrumented; where one is not, shadows end there.
 */
#include "concolic/instrument/instrument.h"
#include <string.h>

/* Functions that have a model, __mz_model_NAME() in models/. */
static const char *const models[] = {
    "strlen",    "strnlen",     "strcmp",           "strncmp",        "strcasecmp", "strncasecmp",
    "memcmp",    "bcmp",        "strchr",           "strrchr",        "memchr",     "strcpy",
    "stpcpy",    "strncpy",     "strcat",           "strncat",        "strstr",     "strspn",
    "strcspn",   "strpbrk",     "strdup",           "strndup",        "atoi",       "atol",
    "atoll",     "strtol",      "strtoll",          "strtoul",        "strtoull",   "abs",
    "labs",      "llabs",       "isalnum",          "isalpha",        "isblank",    "iscntrl",
    "isdigit",   "isgraph",     "islower",          "isprint",        "ispunct",    "isspace",
    "isupper",   "isxdigit",    "tolower",          "toupper",        "qsort",      "bsearch",
    "strchrnul", "memrchr",     "strsep",           "strtok_r",       "strtok",     "memmem",
    "getopt",    "getopt_long", "getopt_long_only", "__posix_getopt", NULL};
/* Functions that print, and have a model: those to memory, and those to streams, whose model is called where the result is
 * used. */
static const char *const print_models[] = {"sprintf",        "snprintf",        "vsprintf",
                                           "vsnprintf",      "__sprintf_chk",   "__snprintf_chk",
                                           "__vsprintf_chk", "__vsnprintf_chk", NULL};
static const char *const result_models[] = {"printf",        "fprintf",        "vprintf",
                                            "vfprintf",      "__printf_chk",   "__fprintf_chk",
                                            "__vprintf_chk", "__vfprintf_chk", NULL};
static const char *const stream_models[] = {"fgetc",
                                            "getc",
                                            "_IO_getc",
                                            "ungetc",
                                            "fgetc_unlocked",
                                            "getc_unlocked",
                                            "getchar",
                                            "getchar_unlocked",
                                            "fgets",
                                            "fgets_unlocked",
                                            "getline",
                                            "getdelim",
                                            "__getdelim",
                                            "scanf",
                                            "fscanf",
                                            "sscanf",
                                            "vscanf",
                                            "vfscanf",
                                            "vsscanf",
                                            "__isoc99_scanf",
                                            "__isoc99_fscanf",
                                            "__isoc99_sscanf",
                                            "__isoc99_vscanf",
                                            "__isoc99_vfscanf",
                                            "__isoc99_vsscanf",
                                            NULL};

/* Functions that take sizes or addresses, or whose arguments reappear where no shadow follows them: in a thread, as the
 * result of setjmp(), as a function that is called at the end. */
static const char *const settling[] = {"malloc",
                                       "calloc",
                                       "realloc",
                                       "reallocarray",
                                       "aligned_alloc",
                                       "posix_memalign",
                                       "memalign",
                                       "valloc",
                                       "pvalloc",
                                       "free",
                                       "alloca",
                                       "_Znwm",
                                       "_Znam",
                                       "_ZnwmSt11align_val_t",
                                       "_ZnamSt11align_val_t",
                                       "_ZnwmRKSt9nothrow_t",
                                       "_ZnamRKSt9nothrow_t",
                                       "_ZdlPv",
                                       "_ZdaPv",
                                       "_ZdlPvm",
                                       "_ZdaPvm",
                                       "read",
                                       "write",
                                       "pread",
                                       "pwrite",
                                       "recv",
                                       "send",
                                       "fread",
                                       "fwrite",
                                       "mmap",
                                       "munmap",
                                       "pthread_create",
                                       "thrd_create",
                                       "pthread_exit",
                                       "thrd_exit",
                                       "longjmp",
                                       "_longjmp",
                                       "siglongjmp",
                                       "__longjmp_chk",
                                       "atexit",
                                       "at_quick_exit",
                                       "on_exit",
                                       "__cxa_atexit",
                                       "__cxa_thread_atexit",
                                       "mz_symbolic",
                                       "mz_choose",
                                       "mz_access",
                                       "__mz_sym_touch",
                                       "__mz_sym_depends",
                                       "__mz_sym_length",
                                       "__mz_sym_compared",
                                       "__mz_sym_number",
                                       "__mz_sym_move",
                                       "__mz_sym_zero",
                                       "__mz_sym_forget",
                                       "__mz_sym_duplicate",
                                       "__mz_sym_borrow",
                                       "__mz_sym_give_back",
                                       "__mz_sym_words",
                                       "__mz_sym_use",
                                       "__mz_sym_take",
                                       "__mz_sym_untake",
                                       "__mz_sym_left",
                                       "__mz_sym_line",
                                       "__mz_sym_print",
                                       "__mz_sym_print_stream",
                                       NULL};

/* Functions of the library that take and return shadows as instrumented functions do, although their names begin with
 * one of settling_prefixes. */
static const char *const carrying[] = {"pthread_setspecific", "pthread_getspecific", "tss_set", "tss_get", NULL};

/* Functions that values may be passed to without being counted as lost: nothing that is explored depends on them. */
static const char *const sinks[] = {
    "perror", "fflush",  "fclose",      "abort",    "__assert_fail",   "__assert",      "sched_yield",  "thrd_yield",
    "setjmp", "_setjmp", "__sigsetjmp", "mz_yield", "mz_atomic_begin", "mz_atomic_end", "mz_exploring", NULL};

/* Functions that print. What they return depends on what they print. */
static const struct mz_libc_output outputs[] = {{"printf", -1, false},
                                                {"vprintf", -1, false},
                                                {"puts", -1, false},
                                                {"putchar", -1, false},
                                                {"putchar_unlocked", -1, false},
                                                {"fprintf", 0, true},
                                                {"vfprintf", 0, true},
                                                {"dprintf", 0, false},
                                                {"vdprintf", 0, false},
                                                {"fputs", 1, true},
                                                {"fputs_unlocked", 1, true},
                                                {"fputc", 1, true},
                                                {"putc", 1, true},
                                                {"_IO_putc", 1, true},
                                                {"fputc_unlocked", 1, true},
                                                {"putc_unlocked", 1, true},
                                                {"__printf_chk", -1, false},
                                                {"__vprintf_chk", -1, false},
                                                {"__fprintf_chk", 0, true},
                                                {"__vfprintf_chk", 0, true},
                                                {"__dprintf_chk", 0, false},
                                                {"__vdprintf_chk", 0, false},
                                                {NULL, 0, false}};

/* Beginnings of names: of functions that take the address of an object, which must be concrete (and of the one that puts
 * a node into a map of C++, on a side that must be, too), and of sinks. */
static const char *const settling_prefixes[] = {
    "pthread_", "sem_", "mtx_", "cnd_", "tss_", "_ZSt29_Rb_tree_insert_and_rebalance", NULL};
static const char *const sink_prefixes[] = {"__cxa_", "__mz_sym_", "__tsan_", NULL};

static bool is_one_of(const char *const *list, const char *name)
{
	for (; *list; list++)
		if (strcmp(*list, name) == 0) return true;
	return false;
}

static bool starts_with_one_of(const char *const *list, const char *name)
{
	for (; *list; list++)
		if (strncmp(*list, name, strlen(*list)) == 0) return true;
	return false;
}

const struct mz_libc_output *mz_libc_find_output(const char *name)
{
	for (const struct mz_libc_output *each = outputs; each->name; each++)
		if (strcmp(each->name, name) == 0) return each;
	return NULL;
}

bool mz_libc_models_result(const char *name)
{
	return is_one_of(result_models, name);
}

static enum mz_libc find_memory_function(const char *name)
{
	static const char *const copies[] = {"memcpy", "memmove", "mempcpy", NULL};
	if (is_one_of(copies, name)) return MZ_LIBC_COPY;
	if (strcmp(name, "bcopy") == 0) return MZ_LIBC_COPY_BACK;
	if (strcmp(name, "memset") == 0) return MZ_LIBC_SET;
	if (strcmp(name, "bzero") == 0 || strcmp(name, "explicit_bzero") == 0) return MZ_LIBC_ZERO;
	return MZ_LIBC_UNKNOWN;
}

enum mz_libc mz_libc_find(const char *name)
{
	static const char *const deciding[] = {"mz_assume", "exit", "_exit", "_Exit", "quick_exit", NULL};
	if (is_one_of(deciding, name)) return MZ_LIBC_ASSUME;
	if (is_one_of(models, name) || is_one_of(stream_models, name) || is_one_of(print_models, name))
		return MZ_LIBC_MODEL;
	if (is_one_of(carrying, name)) return MZ_LIBC_UNKNOWN;
	if (is_one_of(settling, name) || starts_with_one_of(settling_prefixes, name)) return MZ_LIBC_SETTLE;
	if (mz_libc_find_output(name)) return MZ_LIBC_OUTPUT;
	if (is_one_of(sinks, name) || starts_with_one_of(sink_prefixes, name)) return MZ_LIBC_SINK;
	return find_memory_function(name);
}
