/* SPDX-License-Identifier: MIT
 *
 * Notes are found by program header, as the runtime finds them in loaded modules: section headers may be stripped. The
 * file may be anything, so nothing in it is believed before it is compared with the file's size.
 */
#include "campaign/instrumented.h"
#include "base/hash.h"
#include "base/note.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The bytes of a file that is mapped into memory; `data` is NULL if the file is empty. */
struct file_bytes {
	const unsigned char *data;
	size_t size;
};

static int map_file(struct file_bytes *file, const char *path)
{
	*file = (struct file_bytes){0};
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0) return -1;
	struct stat st;
	int status = fstat(fd, &st);
	if (status == 0 && !S_ISREG(st.st_mode)) {
		errno = EINVAL;
		status = -1;
	}
	if (status == 0 && st.st_size > 0) {
		void *data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (data == MAP_FAILED)
			status = -1;
		else
			*file = (struct file_bytes){data, (size_t)st.st_size};
	}
	int reason = errno;
	close(fd);
	errno = reason;
	return status;
}

static void unmap_file(struct file_bytes *file)
{
	if (file->size) munmap((void *)file->data, file->size);
}

/* Returns a pointer to the `size` bytes at `offset`, or NULL if they are not in the file. */
static const void *part(const struct file_bytes *file, uint64_t offset, uint64_t size)
{
	return offset <= file->size && size <= file->size - offset ? file->data + offset : NULL;
}

static bool read_header(const struct file_bytes *file, Elf64_Ehdr *header)
{
	const void *start = part(file, 0, sizeof *header);
	if (!start || memcmp(start, ELFMAG, SELFMAG) != 0) return false;
	memcpy(header, start, sizeof *header);
	return true;
}

static bool for_this_machine(const Elf64_Ehdr *header)
{
	return header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB &&
	       header->e_machine == EM_X86_64;
}

static uint64_t padded(uint64_t size)
{
	return (size + 3) & ~(uint64_t)3;
}

/* Returns the content of the note of that name and type in one segment, or NULL if it is not there. */
static const void *note_in(const struct file_bytes *notes, const char *name, uint32_t type, uint32_t *size)
{
	uint64_t at = 0;
	Elf64_Nhdr note;
	for (const void *head; (head = part(notes, at, sizeof note));
	     at += padded(note.n_namesz) + padded(note.n_descsz)) {
		memcpy(&note, head, sizeof note);
		at += sizeof note;
		const void *owner = part(notes, at, note.n_namesz);
		const void *content = part(notes, at + padded(note.n_namesz), note.n_descsz);
		if (!owner || !content) return NULL;
		if (note.n_type != type || note.n_namesz != strlen(name) + 1 || memcmp(owner, name, note.n_namesz) != 0)
			continue;
		*size = note.n_descsz;
		return content;
	}
	return NULL;
}

/* Returns the content of the note of that name and type in the file, or NULL if it is not there. */
static const void *find_note(const struct file_bytes *file, const Elf64_Ehdr *header, const char *name, uint32_t type,
                             uint32_t *size)
{
	if (header->e_phentsize != sizeof(Elf64_Phdr)) return NULL;
	for (uint64_t i = 0; i < header->e_phnum; i++) {
		Elf64_Phdr segment;
		uint64_t at = i * sizeof segment;
		if (header->e_phoff > UINT64_MAX - at) return NULL;
		const void *entry = part(file, header->e_phoff + at, sizeof segment);
		if (!entry) return NULL;
		memcpy(&segment, entry, sizeof segment);
		if (segment.p_type != PT_NOTE) continue;
		struct file_bytes notes = {part(file, segment.p_offset, segment.p_filesz), segment.p_filesz};
		const void *content = notes.data ? note_in(&notes, name, type, size) : NULL;
		if (content) return content;
	}
	return NULL;
}

/* Returns what is wrong with the note, as the end of a sentence that begins with the program's name; NULL if nothing
 * is. */
static const char *note_objection(const struct file_bytes *file, const Elf64_Ehdr *header)
{
	uint32_t size = 0, version;
	const void *content = find_note(file, header, MZ_NOTE_NAME, MZ_NOTE_TYPE, &size);
	if (!content) return "was not built for exploration; build it with: mazurka cc -g -o";
	if (size < sizeof version)
		return "was built for another version of mazurka; build it again with: mazurka cc -g -o";
	memcpy(&version, content, sizeof version);
	if (version != MZ_ABI_VERSION)
		return "was built for another version of mazurka; build it again with: mazurka cc -g -o";
	return NULL;
}

static int check_contents(const char *path, const struct file_bytes *file, char *error, size_t size)
{
	Elf64_Ehdr header;
	if (!read_header(file, &header)) {
		bool script = file->size >= 2 && memcmp(file->data, "#!", 2) == 0;
		snprintf(error, size, "%s is %s: a program built with `mazurka cc` is needed", path,
		         script ? "a script" : "not an executable file (ELF)");
		return -1;
	}
	if (!for_this_machine(&header)) {
		snprintf(error, size, "%s is a program for another machine: 64-bit x86-64 is needed", path);
		return -1;
	}
	if (header.e_type != ET_EXEC && header.e_type != ET_DYN) {
		snprintf(error, size, "%s is an object file, not a program: link it with `mazurka cc`", path);
		return -1;
	}
	const char *objection = note_objection(file, &header);
	if (!objection) return 0;
	const char *slash = strrchr(path, '/');
	snprintf(error, size, "%s %s %s ...", path, objection, slash ? slash + 1 : path);
	return -1;
}

int mz_program_check(const char *path, char *error, size_t size)
{
	struct stat st;
	struct file_bytes file;
	if (stat(path, &st) < 0) {
		snprintf(error, size, "%s: %s", path, strerror(errno));
		return -1;
	}
	if (S_ISDIR(st.st_mode)) {
		snprintf(error, size, "%s is a directory, not a program", path);
		return -1;
	}
	if (!S_ISREG(st.st_mode)) {
		snprintf(error, size, "%s is not a regular file", path);
		return -1;
	}
	if (access(path, X_OK) < 0) {
		snprintf(error, size, "%s is not executable (chmod +x makes it so)", path);
		return -1;
	}
	if (map_file(&file, path) < 0) {
		snprintf(error, size, "%s cannot be read: %s", path, strerror(errno));
		return -1;
	}
	int status = check_contents(path, &file, error, size);
	unmap_file(&file);
	return status;
}

static bool runnable(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* Looks for a program in a list of folders like PATH, in which an empty element stands for the current folder. */
static bool find_in(const char *folders, const char *name, char path[PATH_MAX])
{
	for (;;) {
		size_t length = strcspn(folders, ":");
		int n = length ? snprintf(path, PATH_MAX, "%.*s/%s", (int)length, folders, name)
		               : snprintf(path, PATH_MAX, "./%s", name);
		if (n > 0 && n < PATH_MAX && runnable(path)) return true;
		if (!folders[length]) return false;
		folders += length + 1;
	}
}

int mz_program_find(const char *name, char path[PATH_MAX], char *error, size_t size)
{
	const char *folders = getenv("PATH");
	if (strlen(name) >= PATH_MAX) {
		snprintf(error, size, "%.64s...: %s", name, strerror(ENAMETOOLONG));
		return -1;
	}
	if (strchr(name, '/')) {
		strcpy(path, name);
		return 0;
	}
	if (name[0] && find_in(folders ? folders : "/bin:/usr/bin", name, path)) return 0;
	bool here = name[0] && access(name, F_OK) == 0;
	snprintf(error, size,
	         here ? "%s is not in PATH; to run the one in this folder write ./%s" : "%s is not in PATH", name,
	         name);
	return -1;
}

static uint64_t hash_bytes(const struct file_bytes *file)
{
	uint64_t hash = mz_mix(file->size);
	for (size_t at = 0; at < file->size; at += sizeof(uint64_t)) {
		uint64_t word = 0;
		size_t left = file->size - at;
		memcpy(&word, file->data + at, left < sizeof word ? left : sizeof word);
		hash = mz_hash2(hash, word);
	}
	return hash;
}

static void to_hex(char *out, const unsigned char *data, size_t size)
{
	for (size_t i = 0; i < size; i++) sprintf(out + 2 * i, "%02x", data[i]);
}

int mz_program_identity(const char *path, char out[MZ_IDENTITY_SIZE])
{
	struct file_bytes file;
	Elf64_Ehdr header;
	uint32_t size = 0;
	if (map_file(&file, path) < 0) return -1;
	bool known = read_header(&file, &header) && header.e_ident[EI_CLASS] == ELFCLASS64;
	const void *id = known ? find_note(&file, &header, "GNU", NT_GNU_BUILD_ID, &size) : NULL;
	if (id && size > 0 && 2 * (size_t)size < MZ_IDENTITY_SIZE)
		to_hex(out, id, size);
	else
		snprintf(out, MZ_IDENTITY_SIZE, "%016llx", (unsigned long long)hash_bytes(&file));
	unmap_file(&file);
	return 0;
}

/* Instrumented code refers to a variable of the library by this name. */
bool mz_program_is_symbolic(const char *path)
{
	static const char name[] = "__mz_sym_active";
	struct file_bytes file;
	if (map_file(&file, path) != 0) return false;
	bool found = file.size && memmem(file.data, file.size, name, sizeof name);
	unmap_file(&file);
	return found;
}
