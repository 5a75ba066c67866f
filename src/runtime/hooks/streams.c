/* SPDX-License-Identifier: MIT
 *
 * Functions on streams of which nothing else is to be said than that they use a file (shared_file.h), and the locks
 * that streams have: the C library's would be held by a kernel thread that runs all threads of the program. The others
 * are where what they read and write in memory is looked at (files.c, print.c, scan.c, system.c, text.c).
 *
 * All take at most six integers or pointers, and so can be passed on without knowing their types.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "runtime/channels/channels.h"
#include "runtime/core/core.h"
#include "runtime/inputs/inputs.h"
#include "runtime/memory/memory.h"
#include <stdio_ext.h>

MZ_HOOKS_DECLARE(STREAMS)

typedef long word;
typedef word passed_on(word, word, word, word, word, word);

static unsigned reads(FILE *stream)
{
	(void)stream;
	return MZ_FILE_READS;
}

/* Returns the use of a call that reads one character, which may be in the buffer. */
static unsigned reads_one(FILE *stream)
{
	return MZ_FILE_READS | (stream->_IO_read_ptr < stream->_IO_read_end ? MZ_FILE_BUFFERED : 0);
}

static unsigned writes(FILE *stream)
{
	(void)stream;
	return MZ_FILE_WRITES;
}

static unsigned writes_one(FILE *stream)
{
	return mz_stream_writes(stream, 1);
}

/* Returns the use of a call that writes out the buffer, if there is anything in it. */
static unsigned flushes(FILE *stream)
{
	return __fpending(stream) ? MZ_FILE_WRITES : 0;
}

static unsigned moves(FILE *stream)
{
	return MZ_FILE_READS | flushes(stream);
}

static unsigned looks(FILE *stream)
{
	(void)stream;
	return 0;
}

/* Defines a function whose argument `argument` is the stream; NULL, which means all streams, is left out. `then`: what is
 * done besides. */
#define STREAM_AND(name, argument, use, then)                                                                          \
	MZ_EXPORT MZ_PASSED_ON word mz_stream_##name(word a, word b, word c, word d, word e, word f) __asm__(#name);   \
	word mz_stream_##name(word a, word b, word c, word d, word e, word f)                                          \
	{                                                                                                              \
		static passed_on *real;                                                                                \
		if (MZ_UNLIKELY(!real)) real = (passed_on *)mz_real_find(#name);                                       \
		if (MZ_SELF() && (argument))                                                                           \
			mz_shared_file_use_stream(mz_current, (FILE *)(argument), use((FILE *)(argument)),             \
			                          MZ_CALLER());                                                        \
		then;                                                                                                  \
		return real(a, b, c, d, e, f);                                                                         \
	}
#define STREAM(name, argument, use) STREAM_AND(name, argument, use, (void)0)
/* Defines a function that moves a stream: what it has read ahead is given back, and how much that is depends on how much
 * standard input has. */
#define MOVING(name, use) STREAM_AND(name, a, use, if (MZ_SELF() && a) mz_stdin_move_stream((FILE *)a, MZ_CALLER()))
/* Defines a function that takes bytes from a stream: instrumented code does not call it for one that is an input. */
#define READING(name, argument, use)                                                                                   \
	STREAM_AND(name, argument, use, if (MZ_SELF()) mz_stdin_lose((FILE *)(argument), #name, MZ_CALLER()))

READING(fgetc, a, reads_one)
READING(getc, a, reads_one)
READING(_IO_getc, a, reads_one)
READING(fgetc_unlocked, a, reads_one)
READING(getc_unlocked, a, reads_one)
READING(getchar, (word)stdin, reads_one)
READING(getchar_unlocked, (word)stdin, reads_one)
STREAM_AND(ungetc, b, looks, if (MZ_SELF() && (int)a != EOF) mz_stdin_put_back((FILE *)b))
READING(__getdelim, d, reads)
READING(fgets_unlocked, c, reads)
READING(fgetwc, a, reads)
READING(getwc, a, reads)
READING(fgetws, c, reads)
READING(getw, a, reads)
STREAM(putc, b, writes_one)
STREAM(_IO_putc, b, writes_one)
STREAM(fputc_unlocked, b, writes_one)
STREAM(putc_unlocked, b, writes_one)
STREAM(fputs_unlocked, b, writes)
STREAM(fwrite_unlocked, d, writes)
STREAM(fputwc, b, writes)
STREAM(putwc, b, writes)
STREAM(fputws, b, writes)
STREAM(putw, b, writes)
MOVING(fflush, flushes)
MOVING(fflush_unlocked, flushes)
MOVING(fseek, moves)
MOVING(fseeko, moves)
MOVING(fseeko64, moves)
STREAM(ftell, a, reads)
STREAM(ftello, a, reads)
STREAM(ftello64, a, reads)
MOVING(rewind, moves)
STREAM(fgetpos, a, reads)
STREAM(fgetpos64, a, reads)
MOVING(fsetpos, moves)
MOVING(fsetpos64, moves)
STREAM(feof, a, looks)
STREAM(ferror, a, looks)
STREAM(clearerr, a, looks)

/* Declared with its type: the compiler knows it, and makes calls of its own. */
MZ_EXPORT MZ_PASSED_ON int fputc(int character, FILE *stream)
{
	if (MZ_SELF()) mz_shared_file_use_stream(mz_current, stream, writes_one(stream), MZ_CALLER());
	return MZ_REAL(fputc)(character, stream);
}

void mz_entry_flockfile(FILE *stream)
{
	if (MZ_SELF())
		mz_stream_lock(mz_current, stream, MZ_CALLER());
	else
		MZ_REAL(flockfile)(stream);
}

int mz_entry_ftrylockfile(FILE *stream)
{
	if (!MZ_SELF()) return MZ_REAL(ftrylockfile)(stream);
	return mz_stream_try(mz_current, stream, MZ_CALLER()) ? 0 : -1;
}

void mz_entry_funlockfile(FILE *stream)
{
	if (MZ_SELF())
		mz_stream_unlock(mz_current, stream, MZ_CALLER());
	else
		MZ_REAL(funlockfile)(stream);
}
