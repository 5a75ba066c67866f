/* SPDX-License-Identifier: MIT
 *
 * A stream has a buffer from before the first execution on, which the C library takes for the user's: so it is neither
 * freed nor allocated again in each execution. What is in the buffer to be read is kept with it.
 */
#include "runtime/world/streams.h"
#include "base/alloc.h"
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/world/files.h"
#include <string.h>

#define USER_BUFFER 1 /* a flag of the C library */

/* A FILE and what follows it in every stream of the C library, and its lock. */
struct stream_bytes {
	uint8_t file[sizeof(FILE) + sizeof(void *)];
	uint8_t lock[16];
};

struct stream {
	FILE *file;
	struct stream_bytes first;
	char *unread; /* what was in the buffer, or NULL */
};

extern FILE *_IO_list_all; /* each leads to the next */
void _IO_doallocbuf(FILE *stream);

static struct stream *streams;
static size_t nstreams, capacity;
static FILE *first_of_all;

/* ---- whether it matters ---- */

/* Reports whether a program that uses the function can tell what an execution before has done to a stream: it reads,
 * asks, or changes how streams work. Those that only print cannot. */
static bool can_tell(const char *module, const char *symbol)
{
	static const char names[] =
	    " stdin getchar getchar_unlocked getc fgetc getc_unlocked fgetc_unlocked _IO_getc fgets fgets_unlocked "
	    "gets "
	    "getline getdelim __getdelim fread fread_unlocked scanf fscanf vscanf vfscanf __isoc99_scanf "
	    "__isoc99_fscanf "
	    "__isoc99_vscanf __isoc99_vfscanf ungetc feof feof_unlocked ferror ferror_unlocked clearerr "
	    "clearerr_unlocked "
	    "fseek fseeko fseeko64 ftell ftello ftello64 rewind fgetpos fsetpos fgetpos64 fsetpos64 setvbuf setbuf "
	    "setbuffer setlinebuf fwide freopen freopen64 fclose fcloseall flockfile ftrylockfile funlockfile wprintf "
	    "fwprintf vwprintf vfwprintf putwchar putwc fputwc fputws getwchar getwc fgetwc fgetws wscanf fwscanf "
	    "ungetwc __fpending __fbufsize __fpurge __freading __fwriting __freadable __fwritable __flbf "
	    "__fsetlocking ";
	char word[64];
	if (strstr(module, "libstdc++") || strlen(symbol) > sizeof word - 3) return false;
	snprintf(word, sizeof word, " %s ", symbol);
	return strstr(names, word) != NULL;
}

/* Constructors have opened some. */
static bool are_more_than_three(void)
{
	int n = 0;
	for (const FILE *file = _IO_list_all; file; file = file->_chain) n++;
	return n > 3;
}

/* ---- saving ---- */

static void copy_bytes(FILE *file, struct stream_bytes *to)
{
	memcpy(to->file, file, sizeof to->file);
	memcpy(to->lock, file->_lock, sizeof to->lock);
}

static char *copy_of_unread(const FILE *file)
{
	size_t size = (size_t)(file->_IO_buf_end - file->_IO_buf_base);
	if (file->_IO_read_ptr >= file->_IO_read_end || !size) return NULL;
	char *copy = mz_alloc(size);
	if (!copy) mz_unsupported("out of memory");
	return memcpy(copy, file->_IO_buf_base, size);
}

static void save(FILE *file)
{
	mz_array_require(&streams, &capacity, nstreams + 1);
	if (!file->_IO_buf_base) _IO_doallocbuf(file);
	file->_flags |= USER_BUFFER;
	streams[nstreams] = (struct stream){.file = file, .unread = copy_of_unread(file)};
	copy_bytes(file, &streams[nstreams++].first);
}

void mz_streams_save(void)
{
	if (!are_more_than_three() && !mz_imports_any_rolled_back(can_tell)) return;
	fflush(NULL);
	first_of_all = _IO_list_all;
	for (FILE *file = first_of_all; file; file = file->_chain) save(file);
}

/* ---- restoring ---- */

static void restore(const struct stream *stream)
{
	const struct stream_bytes *first = &stream->first;
	bool same = memcmp((const char *)stream->file, first->file, sizeof first->file) == 0;
	if (same && memcmp(stream->file->_lock, first->lock, sizeof first->lock) == 0) return;
	memcpy(stream->file, first->file, sizeof first->file);
	memcpy(stream->file->_lock, first->lock, sizeof first->lock);
	if (stream->unread)
		memcpy(stream->file->_IO_buf_base, stream->unread,
		       (size_t)(stream->file->_IO_buf_end - stream->file->_IO_buf_base));
	mz_files_moved(stream->file->_fileno);
}

void mz_streams_restore(void)
{
	if (!nstreams) return;
	_IO_list_all = first_of_all;
	for (size_t i = 0; i < nstreams; i++) restore(&streams[i]);
}

bool mz_streams_is_early(const FILE *stream)
{
	if (stream == stdin || stream == stdout || stream == stderr) return false;
	for (size_t i = 0; i < nstreams; i++)
		if (streams[i].file == stream) return true;
	return false;
}
