/* SPDX-License-Identifier: MIT
 *
 * Functions that change what the kernel or the C library keeps for the whole process (surroundings.h). All take at most
 * six integers or pointers, and so can be passed on without knowing their types; for that reason no header that
 * declares them is included here.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/objects/objects.h"

typedef long word;
typedef word function(word, word, word, word, word, word);

#define CHANGES(name, what)                                                                                            \
	MZ_EXPORT MZ_PASSED_ON word mz_surrounding_##name(word a, word b, word c, word d, word e,                      \
	                                                  word f) __asm__(#name);                                      \
	word mz_surrounding_##name(word a, word b, word c, word d, word e, word f)                                     \
	{                                                                                                              \
		static function *real;                                                                                 \
		if (!real) real = (function *)mz_real_find(#name);                                                     \
		if (MZ_SELF()) mz_surroundings_change(mz_current, MZ_SURROUNDING_##what, MZ_CALLER());                 \
		return real(a, b, c, d, e, f);                                                                         \
	}

/* ---- everything else ---- */

CHANGES(umask, UMASK)
CHANGES(chdir, FOLDER)
CHANGES(fchdir, FOLDER)
CHANGES(setrlimit, LIMITS)
CHANGES(setrlimit64, LIMITS)
CHANGES(nice, PRIORITY)
CHANGES(setpriority, PRIORITY)
CHANGES(setlocale, LOCALE)
CHANGES(uselocale, THREAD_LOCALE)
CHANGES(mblen, MULTIBYTE)
CHANGES(mbtowc, MULTIBYTE)
CHANGES(wctomb, MULTIBYTE)
CHANGES(textdomain, MESSAGES)
CHANGES(openlog, LOG)
CHANGES(closelog, LOG)
CHANGES(setlogmask, LOG)
CHANGES(hcreate, TABLE)
CHANGES(hdestroy, TABLE)
CHANGES(setpwent, USERS)
CHANGES(getpwent, USERS)
CHANGES(getpwent_r, USERS)
CHANGES(endpwent, USERS)
CHANGES(setspent, USERS)
CHANGES(getspent, USERS)
CHANGES(endspent, USERS)
CHANGES(setgrent, GROUPS)
CHANGES(getgrent, GROUPS)
CHANGES(getgrent_r, GROUPS)
CHANGES(endgrent, GROUPS)
CHANGES(sethostent, NETWORK)
CHANGES(gethostent, NETWORK)
CHANGES(endhostent, NETWORK)
CHANGES(setservent, NETWORK)
CHANGES(getservent, NETWORK)
CHANGES(endservent, NETWORK)
CHANGES(setprotoent, NETWORK)
CHANGES(getprotoent, NETWORK)
CHANGES(endprotoent, NETWORK)
CHANGES(setnetent, NETWORK)
CHANGES(getnetent, NETWORK)
CHANGES(endnetent, NETWORK)
CHANGES(setnetgrent, NETWORK)
CHANGES(getnetgrent, NETWORK)
CHANGES(endnetgrent, NETWORK)
CHANGES(setutent, TABLES_OF_THE_SYSTEM)
CHANGES(getutent, TABLES_OF_THE_SYSTEM)
CHANGES(endutent, TABLES_OF_THE_SYSTEM)
CHANGES(setutxent, TABLES_OF_THE_SYSTEM)
CHANGES(getutxent, TABLES_OF_THE_SYSTEM)
CHANGES(endutxent, TABLES_OF_THE_SYSTEM)
CHANGES(setusershell, TABLES_OF_THE_SYSTEM)
CHANGES(getusershell, TABLES_OF_THE_SYSTEM)
CHANGES(endusershell, TABLES_OF_THE_SYSTEM)
CHANGES(setfsent, TABLES_OF_THE_SYSTEM)
CHANGES(getfsent, TABLES_OF_THE_SYSTEM)
CHANGES(endfsent, TABLES_OF_THE_SYSTEM)
CHANGES(setttyent, TABLES_OF_THE_SYSTEM)
CHANGES(getttyent, TABLES_OF_THE_SYSTEM)
CHANGES(endttyent, TABLES_OF_THE_SYSTEM)
