/* SPDX-License-Identifier: MIT */
#include "runtime/objects/surroundings.h"
#include "base/alloc.h"
#include "base/fd.h"
#include "runtime/core/core.h"
#include "runtime/objects/model.h"
#include "runtime/watch/watch.h"
#include "runtime/world/world.h"
#include <errno.h>
#include <fcntl.h>
#include <fstab.h>
#include <grp.h>
#include <libintl.h>
#include <limits.h>
#include <locale.h>
#include <netdb.h>
#include <pwd.h>
#include <search.h>
#include <shadow.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syslog.h>
#include <sys/time.h>
#include <time.h>
#include <ttyent.h>
#include <unistd.h>
#include <utmpx.h>
#include <wchar.h>

/* Of the execution: what it has changed, to be put back when it starts over. */
static struct {
	uint32_t changed;                  /* bits of enum mz_surrounding */
	uint32_t changes[MZ_SURROUNDINGS]; /* how often each was changed */
} execution;

/* Lasting: the values that executions start with, each noted before it is first changed. */
static struct {
	uint32_t known; /* the bits, of enum mz_surrounding, of those that are noted */
	mode_t mask;
	int folder; /* a descriptor of the working directory */
	struct rlimit limits[RLIM_NLIMITS];
	int priority;
	char *locale, *messages;
	locale_t first_locale; /* of the first thread */
	int log_mask;
} original = {.folder = -1};

/* ---- what was before ---- */

static char *copy_of(const char *text)
{
	char *copy = mz_alloc(strlen(text) + 1);
	if (!copy) mz_unsupported("out of memory");
	return strcpy(copy, text);
}

static void note_original(enum mz_surrounding what)
{
	switch (what) {
	case MZ_SURROUNDING_UMASK:
		original.mask = MZ_REAL(umask)(0);
		MZ_REAL(umask)(original.mask);
		break;
	case MZ_SURROUNDING_FOLDER:
		original.folder = mz_fd_high(MZ_REAL(open)(".", O_PATH | O_DIRECTORY | O_CLOEXEC));
		mz_files_keep(original.folder);
		break;
	case MZ_SURROUNDING_LIMITS:
		for (int i = 0; i < RLIM_NLIMITS; i++) MZ_REAL(getrlimit)((__rlimit_resource_t)i, &original.limits[i]);
		break;
	case MZ_SURROUNDING_PRIORITY: original.priority = getpriority(PRIO_PROCESS, 0); break;
	case MZ_SURROUNDING_LOCALE: original.locale = copy_of(MZ_REAL(setlocale)(LC_ALL, NULL)); break;
	case MZ_SURROUNDING_THREAD_LOCALE: {
		void *own = mz_arch_thread_pointer();
		mz_arch_set_thread_pointer(mz_rt.root.thread_pointer);
		original.first_locale = MZ_REAL(uselocale)(NULL);
		mz_arch_set_thread_pointer(own);
		break;
	}
	case MZ_SURROUNDING_MESSAGES: original.messages = copy_of(MZ_REAL(textdomain)(NULL)); break;
	case MZ_SURROUNDING_LOG: original.log_mask = MZ_REAL(setlogmask)(0); break;
	default: break;
	}
}

/* ---- putting back ---- */

static void use_locale(const struct mz_fiber *fiber, locale_t wanted)
{
	void *own = mz_arch_thread_pointer();
	mz_arch_set_thread_pointer(fiber->thread_pointer);
	MZ_REAL(uselocale)(wanted);
	mz_arch_set_thread_pointer(own);
}

static void restore_locales(void)
{
	for (uint32_t t = 0; t < mz_rt.nfibers; t++)
		if (mz_rt.fibers[t].thread_pointer)
			use_locale(&mz_rt.fibers[t], t ? LC_GLOBAL_LOCALE : original.first_locale);
}

/* Resets the hidden states of multibyte functions: each has one of its own, used by calls without a state of the
 * caller's. */
static void restore_multibyte(void)
{
	wchar_t wide;
	const char *text = "";
	const wchar_t *wide_text = L"";
	char bytes[MB_LEN_MAX];
	(void)!mblen(NULL, 0);
	(void)!mbtowc(NULL, NULL, 0);
	(void)!wctomb(NULL, 0);
	(void)!mbrlen(NULL, 0, NULL);
	(void)!mbrtowc(&wide, NULL, 0, NULL);
	(void)!wcrtomb(bytes, 0, NULL);
	(void)!mbsrtowcs(&wide, &text, 1, NULL);
	(void)!wcsrtombs(bytes, &wide_text, 1, NULL);
}

static void restore_log(void)
{
	MZ_REAL(openlog)(NULL, 0, LOG_USER);
	MZ_REAL(closelog)();
	MZ_REAL(setlogmask)(original.log_mask);
}

static void restore_one(enum mz_surrounding what)
{
	switch (what) {
	case MZ_SURROUNDING_UMASK: MZ_REAL(umask)(original.mask); break;
	case MZ_SURROUNDING_FOLDER: (void)!MZ_REAL(fchdir)(original.folder); break;
	case MZ_SURROUNDING_LIMITS:
		for (int i = 0; i < RLIM_NLIMITS; i++) MZ_REAL(setrlimit)((__rlimit_resource_t)i, &original.limits[i]);
		break;
	case MZ_SURROUNDING_PRIORITY: MZ_REAL(setpriority)(PRIO_PROCESS, 0, original.priority); break;
	case MZ_SURROUNDING_LOCALE: MZ_REAL(setlocale)(LC_ALL, original.locale); break;
	case MZ_SURROUNDING_THREAD_LOCALE: restore_locales(); break;
	case MZ_SURROUNDING_MULTIBYTE: restore_multibyte(); break;
	case MZ_SURROUNDING_MESSAGES: MZ_REAL(textdomain)(original.messages); break;
	case MZ_SURROUNDING_LOG: restore_log(); break;
	case MZ_SURROUNDING_TABLE: MZ_REAL(hdestroy)(); break;
	case MZ_SURROUNDING_USERS:
		endpwent();
		endspent();
		break;
	case MZ_SURROUNDING_GROUPS: endgrent(); break;
	case MZ_SURROUNDING_NETWORK:
		endhostent();
		endservent();
		endprotoent();
		endnetent();
		endnetgrent();
		break;
	case MZ_SURROUNDING_TABLES_OF_THE_SYSTEM:
		endutxent();
		endusershell();
		endfsent();
		endttyent();
		break;
	case MZ_SURROUNDINGS: break;
	}
}

void mz_surroundings_restore(void)
{
	int error = errno;
	for (; execution.changed; execution.changed &= execution.changed - 1) {
		unsigned what = (unsigned)__builtin_ctz(execution.changed);
		restore_one((enum mz_surrounding)what);
		execution.changes[what] = 0;
	}
	errno = error;
}

/* ---- states ---- */

bool mz_surroundings_is_used(void)
{
	return execution.changed;
}

void mz_surroundings_store(struct mz_state *state)
{
	mz_state_put(state, &execution.changed, sizeof execution.changed);
	mz_state_put(state, execution.changes, sizeof execution.changes);
}

void mz_surroundings_load(struct mz_state *state)
{
	uint32_t stored = 0, counts[MZ_SURROUNDINGS] = {0};
	if (state) {
		mz_state_get(state, &stored, sizeof stored);
		mz_state_get(state, counts, sizeof counts);
	}
	for (uint32_t left = stored | execution.changed; left; left &= left - 1) {
		unsigned what = (unsigned)__builtin_ctz(left);
		if (counts[what] == execution.changes[what]) continue;
		if (counts[what])
			mz_uncontrolled(MZ_UNCONTROLLED_SURROUNDINGS_OF_STATES);
		else
			restore_one((enum mz_surrounding)what);
		execution.changes[what] = counts[what];
	}
	execution.changed = stored;
}

/* ---- changing ---- */

static bool is_alone(const struct mz_fiber *self)
{
	return self->index == 0 && self->counts.children == 0;
}

void mz_surroundings_change(struct mz_fiber *self, enum mz_surrounding what, uintptr_t caller)
{
	static uint8_t objects[MZ_SURROUNDINGS][8] __attribute__((aligned(8)));
	int error = errno;
	mz_caller_deepens();
	if (!(original.known & 1U << what)) note_original(what);
	original.known |= 1U << what;
	execution.changed |= 1U << what;
	execution.changes[what]++;
	mz_spin_forget(self);
	if (!is_alone(self) && what != MZ_SURROUNDING_THREAD_LOCALE) {
		mz_object_do(self, mz_object_find((uintptr_t)objects[what]), MZ_OP_ACCESS, MZ_WRITE, 0, caller);
		mz_rt.way->outside_of_states(MZ_UNCONTROLLED_SURROUNDINGS_OF_STATES);
	}
	errno = error;
}
