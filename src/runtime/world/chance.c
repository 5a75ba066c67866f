/* SPDX-License-Identifier: MIT */
#include "runtime/world/chance.h"
#include "base/hash.h"
#include "runtime/core/core.h"
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define FILE_SIZE (64 * 1024UL) /* more than anybody draws from /dev/urandom to seed something */

void mz_chance_seed(struct mz_fiber *self, enum mz_chance_stream stream, uint64_t seed)
{
	self->chance[stream].state = mz_hash2(mz_rt.session->configuration.seed, mz_hash2(seed, stream));
}

static bool is_early;                             /* constructors have drawn or seeded */
static struct mz_random early[MZ_CHANCE_STREAMS]; /* the streams of the first thread after that */

static void seed_all(struct mz_fiber *first)
{
	for (unsigned stream = 0; stream < MZ_CHANCE_STREAMS; stream++)
		mz_chance_seed(first, (enum mz_chance_stream)stream, 1);
}

struct mz_fiber *mz_chance_early(void)
{
	if (!is_early) seed_all(&mz_rt.fibers[0]);
	is_early = true;
	return &mz_rt.fibers[0];
}

void mz_chance_save(void)
{
	MZ_REAL(memcpy)(early, mz_rt.fibers[0].chance, sizeof early);
}

void mz_chance_start(struct mz_fiber *first)
{
	if (is_early)
		MZ_REAL(memcpy)(first->chance, early, sizeof early);
	else
		seed_all(first);
}

void mz_chance_inherit(const struct mz_fiber *parent, struct mz_fiber *child)
{
	for (unsigned stream = 0; stream < MZ_CHANCE_STREAMS; stream++)
		child->chance[stream].state = mz_hash2(parent->chance[stream].state, parent->counts.children);
}

void mz_chance_name(struct mz_fiber *self, char blank[6])
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	struct mz_random random = {mz_random_word(&self->chance[MZ_CHANCE_SYSTEM]) + (uint64_t)getpid()};
	for (int i = 0; i < 6; i++) blank[i] = letters[mz_random_below(&random, sizeof letters - 1)];
}

void mz_chance_fill(struct mz_fiber *self, void *to, size_t size)
{
	uint8_t *bytes = to;
	while (size) {
		uint64_t word = mz_random_word(&self->chance[MZ_CHANCE_SYSTEM]);
		size_t n = size < sizeof word ? size : sizeof word;
		MZ_REAL(memcpy)(bytes, &word, n);
		bytes += n;
		size -= n;
	}
}

int mz_chance_file(struct mz_fiber *self)
{
	int fd = memfd_create("urandom", MFD_CLOEXEC);
	if (fd < 0) return -1;
	for (size_t size = 0; size < FILE_SIZE;) {
		uint8_t bytes[4096];
		mz_chance_fill(self, bytes, sizeof bytes);
		ssize_t written = pwrite(fd, bytes, sizeof bytes, (off_t)size);
		if (written <= 0) break;
		size += (size_t)written;
	}
	return fd;
}
