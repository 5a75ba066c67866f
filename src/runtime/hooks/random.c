/* SPDX-License-Identifier: MIT
 *
 * Randomness: in an execution it is virtual (chance.h). rand_r and others that keep everything in the caller's memory
 * are left to the C library. Reads of /dev/urandom are in files.c.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "runtime/core/core.h"
#include "runtime/hooks/kernel.h"
#include "runtime/memory/memory.h"
#include "runtime/watch/watch.h"
#include "runtime/world/world.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* The thread that draws; before main the first one, with whose streams every execution begins. NULL if the program is
 * not explored. */
#define DRAWS() (mz_rt.session && mz_image_owns_code(MZ_CALLER()) ? drawer() : NULL)

static struct mz_fiber *drawer(void)
{
	return mz_current ? mz_current : mz_chance_early();
}

/* ---- rand, random ---- */

static int draw(struct mz_fiber *self)
{
	return (int)(mz_random_word(&self->chance[MZ_CHANCE_RAND]) >> 33);
}

MZ_EXPORT int rand(void)
{
	struct mz_fiber *self = DRAWS();
	return self ? draw(self) : MZ_REAL(rand)();
}

MZ_EXPORT long random(void)
{
	struct mz_fiber *self = DRAWS();
	return self ? draw(self) : MZ_REAL(random)();
}

MZ_EXPORT void srand(unsigned seed)
{
	struct mz_fiber *self = DRAWS();
	if (self)
		mz_chance_seed(self, MZ_CHANCE_RAND, seed);
	else
		MZ_REAL(srand)(seed);
}

MZ_EXPORT void srandom(unsigned seed)
{
	struct mz_fiber *self = DRAWS();
	if (self)
		mz_chance_seed(self, MZ_CHANCE_RAND, seed);
	else
		MZ_REAL(srandom)(seed);
}

/* Changes the state buffer of random(). The position of a stream is kept at the beginning of its buffer while another
 * one is in use. Returns the old buffer. */
static char *change_state(struct mz_fiber *self, char *state, uintptr_t caller)
{
	char *old = mz_library.random_state ? mz_library.random_state : mz_library.random_first;
	uint64_t *stream = &self->chance[MZ_CHANCE_RAND].state;
	if (mz_current) mz_plain(self, (uintptr_t)&mz_library.random_state, sizeof old, true, caller);
	MZ_REAL(memcpy)(old, stream, sizeof *stream);
	mz_library.random_state = state;
	return old;
}

MZ_EXPORT char *initstate(unsigned seed, char *state, size_t size)
{
	struct mz_fiber *self = DRAWS();
	if (!self || size < sizeof(uint64_t)) return MZ_REAL(initstate)(seed, state, size);
	char *old = change_state(self, state, MZ_CALLER());
	mz_chance_seed(self, MZ_CHANCE_RAND, seed);
	return old;
}

MZ_EXPORT char *setstate(char *state)
{
	struct mz_fiber *self = DRAWS();
	if (!self) return MZ_REAL(setstate)(state);
	char *old = change_state(self, state, MZ_CALLER());
	MZ_REAL(memcpy)(&self->chance[MZ_CHANCE_RAND].state, state, sizeof(uint64_t));
	return old;
}

/* ---- drand48 and its kin: the generator that POSIX prescribes, in 48 bits ---- */

#define BITS_48 ((1ULL << 48) - 1)

static uint64_t next_48(uint64_t x)
{
	uint64_t multiplier = mz_library.multiplier ? mz_library.multiplier : 0x5deece66dULL;
	return (multiplier * x + (mz_library.multiplier ? mz_library.addend : 0xb)) & BITS_48;
}

static uint64_t step_own(struct mz_fiber *self)
{
	uint64_t *state = &self->chance[MZ_CHANCE_48].state;
	return *state = next_48(*state & BITS_48);
}

static uint64_t step_given(unsigned short state[3])
{
	uint64_t x = next_48(state[0] | (uint64_t)state[1] << 16 | (uint64_t)state[2] << 32);
	for (unsigned n = 0; n < 3; n++) state[n] = (unsigned short)(x >> 16 * n);
	return x;
}

static double fraction(uint64_t x)
{
	return (double)x / (double)(1ULL << 48);
}

MZ_EXPORT double drand48(void)
{
	struct mz_fiber *self = DRAWS();
	return self ? fraction(step_own(self)) : MZ_REAL(drand48)();
}

MZ_EXPORT double erand48(unsigned short state[3])
{
	struct mz_fiber *self = DRAWS();
	return self ? fraction(step_given(state)) : MZ_REAL(erand48)(state);
}

MZ_EXPORT long lrand48(void)
{
	struct mz_fiber *self = DRAWS();
	return self ? (long)(step_own(self) >> 17) : MZ_REAL(lrand48)();
}

MZ_EXPORT long nrand48(unsigned short state[3])
{
	struct mz_fiber *self = DRAWS();
	return self ? (long)(step_given(state) >> 17) : MZ_REAL(nrand48)(state);
}

MZ_EXPORT long mrand48(void)
{
	struct mz_fiber *self = DRAWS();
	return self ? (int32_t)(step_own(self) >> 16) : MZ_REAL(mrand48)();
}

MZ_EXPORT long jrand48(unsigned short state[3])
{
	struct mz_fiber *self = DRAWS();
	return self ? (int32_t)(step_given(state) >> 16) : MZ_REAL(jrand48)(state);
}

/* Sets a state, and the parameters of the generator back to those that POSIX prescribes. */
static void set_own(struct mz_fiber *self, uint64_t state)
{
	mz_library.multiplier = 0;
	self->chance[MZ_CHANCE_48].state = state;
}

MZ_EXPORT void srand48(long seed)
{
	struct mz_fiber *self = DRAWS();
	if (self)
		set_own(self, (uint64_t)(uint32_t)seed << 16 | 0x330e);
	else
		MZ_REAL(srand48)(seed);
}

static uint64_t joined(const unsigned short words[3])
{
	return words[0] | (uint64_t)words[1] << 16 | (uint64_t)words[2] << 32;
}

MZ_EXPORT unsigned short *seed48(unsigned short seed[3])
{
	struct mz_fiber *self = DRAWS();
	if (!self) return MZ_REAL(seed48)(seed);
	uint64_t old = self->chance[MZ_CHANCE_48].state;
	if (mz_current) mz_plain(self, (uintptr_t)mz_library.seed, sizeof mz_library.seed, true, MZ_CALLER());
	set_own(self, joined(seed));
	for (unsigned n = 0; n < 3; n++) mz_library.seed[n] = (unsigned short)(old >> 16 * n);
	return mz_library.seed;
}

MZ_EXPORT void lcong48(unsigned short parameters[7])
{
	struct mz_fiber *self = DRAWS();
	if (!self) {
		MZ_REAL(lcong48)(parameters);
		return;
	}
	if (mz_current) mz_plain(self, (uintptr_t)&mz_library.multiplier, 2 * sizeof(uint64_t), true, MZ_CALLER());
	set_own(self, joined(parameters));
	mz_library.multiplier = joined(parameters + 3);
	mz_library.addend = parameters[6];
}

/* ---- the system's ---- */

static void fill(struct mz_fiber *self, void *to, size_t size, uintptr_t caller)
{
	mz_plain(self, (uintptr_t)to, size, true, caller);
	mz_chance_fill(self, to, size);
}

ssize_t mz_chance_get(struct mz_fiber *self, void *to, size_t size, unsigned flags, uintptr_t caller)
{
	if (flags & ~(GRND_NONBLOCK | GRND_RANDOM | GRND_INSECURE) || (~flags & (GRND_RANDOM | GRND_INSECURE)) == 0) {
		errno = EINVAL;
		return -1;
	}
	fill(self, to, size, caller);
	return (ssize_t)size;
}

MZ_EXPORT ssize_t getrandom(void *to, size_t size, unsigned flags)
{
	if (!MZ_SELF()) return MZ_REAL(getrandom)(to, size, flags);
	return mz_chance_get(mz_current, to, size, flags, MZ_CALLER());
}

MZ_EXPORT int getentropy(void *to, size_t size)
{
	if (!MZ_SELF()) return MZ_REAL(getentropy)(to, size);
	if (size > 256) {
		errno = EIO;
		return -1;
	}
	fill(mz_current, to, size, MZ_CALLER());
	return 0;
}

MZ_EXPORT uint32_t arc4random(void)
{
	if (!MZ_SELF()) return MZ_REAL(arc4random)();
	return (uint32_t)mz_random_word(&mz_current->chance[MZ_CHANCE_SYSTEM]);
}

MZ_EXPORT uint32_t arc4random_uniform(uint32_t n)
{
	if (!MZ_SELF()) return MZ_REAL(arc4random_uniform)(n);
	return n < 2 ? 0 : mz_random_below(&mz_current->chance[MZ_CHANCE_SYSTEM], n);
}

MZ_EXPORT void arc4random_buf(void *to, size_t size)
{
	if (MZ_SELF())
		fill(mz_current, to, size, MZ_CALLER());
	else
		MZ_REAL(arc4random_buf)(to, size);
}

/* std::random_device of libstdc++ and of libc++, which may ask the processor. A C program has none behind us. */
#define RANDOM_DEVICE(id, symbol)                                                                                      \
	MZ_EXPORT unsigned mz_random_device_##id(void *device) __asm__(symbol);                                        \
	unsigned mz_random_device_##id(void *device)                                                                   \
	{                                                                                                              \
		if (MZ_SELF()) return (unsigned)mz_random_word(&mz_current->chance[MZ_CHANCE_SYSTEM]);                 \
		return ((unsigned (*)(void *))dlsym(RTLD_NEXT, symbol))(device);                                       \
	}
RANDOM_DEVICE(gnu, "_ZNSt13random_device9_M_getvalEv")
RANDOM_DEVICE(gnu_pretr1, "_ZNSt13random_device16_M_getval_pretr1Ev")
RANDOM_DEVICE(llvm, "_ZNSt3__113random_deviceclEv")
