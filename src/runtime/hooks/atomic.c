/* SPDX-License-Identifier: MIT
 *
 * Atomic operations: of all widths, as compiled code calls them (__tsan_atomic*), and those that compilers leave to
 * libatomic (__atomic_*). Each is one visible operation. Only one thread runs at a time, so that between choice and
 * commit the plain operation is atomic; outside an execution they are done with the processor's atomic instructions.
 * All begin in entry.S. And the operations that assembly in the program makes by itself (base/assembly.h): these are
 * told of beforehand, and the instruction is executed as soon as the hook has returned.
 *
 * Runs on the stacks of the program's threads: see runtime.h for what it may do.
 */
#include "base/assembly.h"
#include "base/hash.h"
#include "runtime/core/core.h"
#include "runtime/inputs/inputs.h"
#include "runtime/memory/memory.h"
#include "runtime/watch/watch.h"
#include <string.h>

typedef unsigned __int128 u128;
typedef uint16_t __attribute__((aligned(1), may_alias)) unaligned16;
typedef uint32_t __attribute__((aligned(1), may_alias)) unaligned32;
typedef uint64_t __attribute__((aligned(1), may_alias)) unaligned64;

/* ---- within an execution ---- */

#define INLINE static inline __attribute__((always_inline)) /* inlined, so that sizes are constants */

INLINE void copy(void *to, const void *from, size_t size)
{
	switch (size) {
	case 1: *(uint8_t *)to = *(const uint8_t *)from; break;
	case 2: *(unaligned16 *)to = *(const unaligned16 *)from; break;
	case 4: *(unaligned32 *)to = *(const unaligned32 *)from; break;
	case 8: *(unaligned64 *)to = *(const unaligned64 *)from; break;
	default: MZ_REAL(memcpy)(to, from, size);
	}
}

INLINE bool equal(const void *a, const void *b, size_t size)
{
	switch (size) {
	case 1: return *(const uint8_t *)a == *(const uint8_t *)b;
	case 2: return *(const unaligned16 *)a == *(const unaligned16 *)b;
	case 4: return *(const unaligned32 *)a == *(const unaligned32 *)b;
	case 8: return *(const unaligned64 *)a == *(const unaligned64 *)b;
	default: return MZ_REAL(memcmp)(a, b, size) == 0;
	}
}

struct atomic {
	struct mz_fiber *self;
	struct mz_operation operation;
	uintptr_t address;
	size_t size;
	uintptr_t caller;
};

/* Waits until the operation may be performed. */
INLINE struct atomic begin(enum mz_op op, const volatile void *address, size_t size, enum mz_access_kind kind,
                           uintptr_t caller)
{
	struct mz_fiber *self = mz_current;
	uint16_t n = mz_words(self, (uintptr_t)address, size, kind);
	return (struct atomic){self, mz_operation(op, n), (uintptr_t)address, size, caller};
}

static void wait_turn(const struct atomic *atomic)
{
	mz_visible(atomic->self, atomic->operation, atomic->caller);
	mz_words_before(atomic->self, atomic->operation.naccesses);
}

/* The same for an operation that may turn out to be a read. */
static void wait_turn_spinning(const struct atomic *atomic, uint64_t argument)
{
	mz_spin_visible(atomic->self, atomic->operation, argument, atomic->caller);
	mz_words_before(atomic->self, atomic->operation.naccesses);
}

/* Returns a number that stands for an operand when states are compared. */
INLINE uint64_t argument_of(const void *operand, size_t size)
{
	uint64_t argument = 0;
	for (size_t done = 0; done < size; done += 8) {
		uint64_t word = 0;
		copy(&word, (const uint8_t *)operand + done, size - done < 8 ? size - done : 8);
		argument = mz_hash2(argument, word);
	}
	return argument;
}

static void record_value(const struct atomic *atomic, const void *value)
{
	uint64_t known = 0;
	if (value && atomic->size <= 8) copy(&known, value, atomic->size);
	mz_record_value(atomic->address, atomic->size, value && atomic->size <= 8, known);
}

static void follow_value(const struct atomic *atomic, bool write)
{
	bool only = atomic->operation.op == MZ_OP_STORE;
	enum mz_follow_kind kind = only ? MZ_FOLLOW_WRITE : write ? MZ_FOLLOW_UPDATE : MZ_FOLLOW_READ;
	mz_follow(atomic->address, atomic->size, kind, atomic->caller);
}

/* Tells of an operation that is about to be performed; `value`: what it reads or writes, or NULL if that is not known. */
MZ_COLD static void tell(const struct atomic *atomic, bool write, const void *value)
{
	if (mz_rt.mode.replaying) record_value(atomic, value);
	if (__mz_sym_active) follow_value(atomic, write);
}

static void commit(const struct atomic *atomic, bool write, const void *value)
{
	struct mz_fiber *self = atomic->self;
	if (MZ_UNLIKELY(mz_rt.mode.tells_atomics)) tell(atomic, write, value);
	mz_commit(self, atomic->operation);
	mz_memory_check(self, atomic->address, atomic->size, write,
	                atomic->caller); /* the schedule has the step by now */
	mz_race_access(self, atomic->address, atomic->size, MZ_RACE_ATOMIC | (write ? MZ_RACE_WRITE : 0),
	               atomic->caller);
}

/* Ends an operation: checks, while data races are looked for, whether unseen code has written what the operation read;
 * and notes what the operation means for other threads, by its memory order. */

INLINE void keep(const struct atomic *atomic, struct mz_object *object, const void *written)
{
	if (atomic->size <= 8)
		mz_unseen_wrote(object, atomic->size, mz_unseen_number(written, atomic->size));
	else
		mz_unseen_forget(object, atomic->size);
}

INLINE void look(const struct atomic *atomic, struct mz_object *object, const void *read)
{
	if (atomic->size <= 8)
		mz_unseen_read(object, atomic->size, mz_unseen_number(read, atomic->size), atomic->caller);
}

INLINE void loaded(const struct atomic *atomic, const void *value, int order)
{
	if (!mz_rt.mode.finds_races) return;
	struct mz_object *object = mz_object_find(atomic->address);
	look(atomic, object, value);
	mz_race_atomic_load(atomic->self, object, order);
}

INLINE void stored(const struct atomic *atomic, const void *value, int order)
{
	if (!mz_rt.mode.finds_races) return;
	struct mz_object *object = mz_object_find(atomic->address);
	mz_race_atomic_store(atomic->self, object, order);
	keep(atomic, object, value);
}

INLINE void updated(const struct atomic *atomic, const void *old, const void *new, int order)
{
	if (!mz_rt.mode.finds_races) return;
	struct mz_object *object = mz_object_find(atomic->address);
	look(atomic, object, old);
	mz_race_atomic_update(atomic->self, object, order);
	keep(atomic, object, new);
}

INLINE void load(const volatile void *address, void *result, size_t size, int order, uintptr_t caller)
{
	struct atomic atomic = begin(MZ_OP_LOAD, address, size, MZ_READ, caller);
	wait_turn_spinning(&atomic, size);
	copy(result, (const void *)address, size);
	commit(&atomic, false, result);
	loaded(&atomic, result, order);
}

INLINE void store(volatile void *address, const void *value, size_t size, int order, uintptr_t caller)
{
	struct atomic atomic = begin(MZ_OP_STORE, address, size, MZ_WRITE, caller);
	wait_turn(&atomic);
	commit(&atomic, true, value);
	copy((void *)address, value, size);
	stored(&atomic, value, order);
}

/* Sets the `expected` of the accesses: the bytes of `expected`, at their places in the words. */
static void set_expected(const struct atomic *atomic, const void *expected)
{
	for (uint16_t i = 0; i < atomic->operation.naccesses; i++) {
		struct mz_access *access = &atomic->self->accesses[i];
		uint8_t *bytes = (uint8_t *)&access->expected;
		for (unsigned b = 0; b < 8; b++)
			if (access->mask >> b & 1)
				bytes[b] = ((const uint8_t *)expected)[access->object + b - atomic->address];
	}
}

static void set_kinds(const struct atomic *atomic, bool write)
{
	for (uint16_t i = 0; i < atomic->operation.naccesses; i++)
		atomic->self->accesses[i].kind = write ? MZ_WRITE : MZ_READ;
}

/* Sets the kind of the accesses of an operation that may change nothing, by what it turned out to be. */
static void set_changed(const struct atomic *atomic, bool changed, bool releases)
{
	if (!releases)
		set_kinds(atomic, changed);
	else if (!changed)
		for (uint16_t i = 0; i < atomic->operation.naccesses; i++)
			atomic->self->accesses[i].really = 1 + MZ_READ;
}

/* Returns whether what an operation finds depends on inputs: then it is a write, whatever it finds. */
INLINE bool depends_on_inputs(const volatile void *address, size_t size)
{
	if (MZ_LIKELY(!mz_inputs_space)) return false;
	mz_follow_end();
	return mz_shadow_is_learned((uintptr_t)address, size);
}

INLINE bool compare_exchange(volatile void *address, void *expected, const void *desired, size_t size, int order,
                             int failure, uintptr_t caller)
{
	bool blind = depends_on_inputs(address, size);
	struct atomic atomic = begin(blind ? MZ_OP_UPDATE : MZ_OP_COMPARE_EXCHANGE, address, size, MZ_WRITE, caller);
	if (!blind) set_expected(&atomic, expected);
	wait_turn_spinning(&atomic, argument_of(desired, size) ^ argument_of(expected, size) ^ (uintptr_t)expected);
	bool success = equal((const void *)address, expected, size);
	if (!blind) set_kinds(&atomic, success);
	commit(&atomic, success, success ? desired : (const void *)address);
	if (success) {
		copy((void *)address, desired, size);
		updated(&atomic, expected, desired, order);
	} else {
		mz_spin_write(atomic.self, (uintptr_t)expected, size);
		copy(expected, (const void *)address, size);
		loaded(&atomic, expected, failure);
	}
	return success;
}

/* A function that is given the address of what to expect has stored there what it found. Instrumented code calls others. */
MZ_COLD static void follow_expected(const void *expected, size_t size)
{
	mz_follow((uintptr_t)expected, size, MZ_FOLLOW_WRITE, 0);
}

/* ---- the functions ---- */

/* Defines an operation that is a write whatever it finds. */
#define UPDATE(bits, type, name, expression, native)                                                                   \
	type mz_entry___tsan_atomic##bits##_##name(volatile type *address, type operand, int order);                   \
	type mz_entry___tsan_atomic##bits##_##name(volatile type *address, type operand, int order)                    \
	{                                                                                                              \
		if (!mz_current) return native;                                                                        \
		struct atomic atomic =                                                                                 \
		    begin(MZ_OP_UPDATE, address, sizeof(type), MZ_WRITE, MZ_NOTED_CALLER(mz_current));                 \
		wait_turn(&atomic);                                                                                    \
		type old = *address, new = expression;                                                                 \
		commit(&atomic, true, &new);                                                                           \
		*address = new;                                                                                        \
		updated(&atomic, &old, &new, order);                                                                   \
		return old;                                                                                            \
	}

/* Defines an operation that may change nothing: `still` is what that depends on, see trace/event.h. If it changes
 * nothing it is a read, or counts as a write all the same if it releases. */
#define CHANGE(bits, type, op, name, expression, still, native)                                                        \
	type mz_entry___tsan_atomic##bits##_##name(volatile type *address, type operand, int order);                   \
	type mz_entry___tsan_atomic##bits##_##name(volatile type *address, type operand, int order)                    \
	{                                                                                                              \
		if (!mz_current) return native;                                                                        \
		bool releases = mz_race_releases(mz_current, order), blind = depends_on_inputs(address, sizeof(type)); \
		struct atomic atomic = begin(blind      ? MZ_OP_UPDATE                                                 \
		                             : releases ? MZ_OP_RELEASING_##op                                         \
		                                        : MZ_OP_##op,                                                  \
		                             address, sizeof(type), MZ_WRITE, MZ_NOTED_CALLER(mz_current));            \
		const type same = still;                                                                               \
		if (!blind) set_expected(&atomic, &same);                                                              \
		wait_turn_spinning(&atomic, argument_of(&operand, sizeof operand));                                    \
		type old = *address, new = expression;                                                                 \
		if (!blind) set_changed(&atomic, new != old, releases);                                                \
		commit(&atomic, true, &new);                                                                           \
		*address = new;                                                                                        \
		updated(&atomic, &old, &new, order);                                                                   \
		return old;                                                                                            \
	}

#define LOAD_STORE(bits, type, native_load, native_store)                                                              \
	type mz_entry___tsan_atomic##bits##_load(const volatile type *address, int order);                             \
	type mz_entry___tsan_atomic##bits##_load(const volatile type *address, int order)                              \
	{                                                                                                              \
		type value;                                                                                            \
		if (!mz_current) return native_load;                                                                   \
		load(address, &value, sizeof value, order, MZ_NOTED_CALLER(mz_current));                               \
		return value;                                                                                          \
	}                                                                                                              \
	void mz_entry___tsan_atomic##bits##_store(volatile type *address, type value, int order);                      \
	void mz_entry___tsan_atomic##bits##_store(volatile type *address, type value, int order)                       \
	{                                                                                                              \
		if (!mz_current)                                                                                       \
			native_store;                                                                                  \
		else                                                                                                   \
			store(address, &value, sizeof value, order, MZ_NOTED_CALLER(mz_current));                      \
	}

#define COMPARE(bits, type, name, native)                                                                              \
	int mz_entry___tsan_atomic##bits##_compare_exchange_##name(volatile type *address, type *expected,             \
	                                                           type desired, int order, int failure);              \
	int mz_entry___tsan_atomic##bits##_compare_exchange_##name(volatile type *address, type *expected,             \
	                                                           type desired, int order, int failure)               \
	{                                                                                                              \
		if (!mz_current) return native;                                                                        \
		bool success = compare_exchange(address, expected, &desired, sizeof desired, order, failure,           \
		                                MZ_NOTED_CALLER(mz_current));                                          \
		if (MZ_UNLIKELY(__mz_sym_active) && !success) follow_expected(expected, sizeof desired);               \
		return success;                                                                                        \
	}

#define COMPARE_VALUE(bits, type)                                                                                      \
	type mz_entry___tsan_atomic##bits##_compare_exchange_val(volatile type *address, type expected, type desired,  \
	                                                         int order, int failure);                              \
	type mz_entry___tsan_atomic##bits##_compare_exchange_val(volatile type *address, type expected, type desired,  \
	                                                         int order, int failure)                               \
	{                                                                                                              \
		if (mz_current)                                                                                        \
			compare_exchange(address, &expected, &desired, sizeof desired, order, failure,                 \
			                 MZ_NOTED_CALLER(mz_current));                                                 \
		else                                                                                                   \
			native_compare_##bits(address, &expected, desired);                                            \
		return expected;                                                                                       \
	}

#define NATIVE_COMPARE(bits, type)                                                                                     \
	static bool native_compare_##bits(volatile type *address, type *expected, type desired)                        \
	{                                                                                                              \
		return __atomic_compare_exchange_n(address, expected, desired, false, __ATOMIC_SEQ_CST,                \
		                                   __ATOMIC_SEQ_CST);                                                  \
	}

#define SMALL(bits, type)                                                                                              \
	NATIVE_COMPARE(bits, type)                                                                                     \
	LOAD_STORE(bits, type, __atomic_load_n(address, __ATOMIC_SEQ_CST),                                             \
	           __atomic_store_n(address, value, __ATOMIC_SEQ_CST))                                                 \
	CHANGE(bits, type, EXCHANGE, exchange, operand, operand,                                                       \
	       __atomic_exchange_n(address, operand, __ATOMIC_SEQ_CST))                                                \
	UPDATE(bits, type, fetch_add, (type)(old + operand), __atomic_fetch_add(address, operand, __ATOMIC_SEQ_CST))   \
	UPDATE(bits, type, fetch_sub, (type)(old - operand), __atomic_fetch_sub(address, operand, __ATOMIC_SEQ_CST))   \
	CHANGE(bits, type, AND, fetch_and, (type)(old & operand), (type)~operand,                                      \
	       __atomic_fetch_and(address, operand, __ATOMIC_SEQ_CST))                                                 \
	CHANGE(bits, type, OR, fetch_or, (type)(old | operand), operand,                                               \
	       __atomic_fetch_or(address, operand, __ATOMIC_SEQ_CST))                                                  \
	UPDATE(bits, type, fetch_xor, (type)(old ^ operand), __atomic_fetch_xor(address, operand, __ATOMIC_SEQ_CST))   \
	UPDATE(bits, type, fetch_nand, (type) ~(old & operand),                                                        \
	       __atomic_fetch_nand(address, operand, __ATOMIC_SEQ_CST))                                                \
	COMPARE(bits, type, strong, native_compare_##bits(address, expected, desired))                                 \
	COMPARE(bits, type, weak, native_compare_##bits(address, expected, desired))                                   \
	COMPARE_VALUE(bits, type)

SMALL(8, uint8_t)
SMALL(16, uint16_t)
SMALL(32, uint32_t)
SMALL(64, uint64_t)

/* 128 bits: only compare-exchange is an instruction, the rest are loops around it. */

static bool native_compare_128(volatile u128 *address, u128 *expected, u128 desired)
{
	uint64_t low = (uint64_t)*expected, high = (uint64_t)(*expected >> 64);
	bool success;
	__asm__ volatile("lock cmpxchg16b %1"
	                 : "=@ccz"(success), "+m"(*address), "+a"(low), "+d"(high)
	                 : "b"((uint64_t)desired), "c"((uint64_t)(desired >> 64))
	                 : "memory");
	*expected = (u128)high << 64 | low;
	return success;
}

static u128 native_load_128(const volatile u128 *address)
{
	u128 value = 0;
	native_compare_128((volatile u128 *)address, &value, 0); /* writes 0 over 0, or nothing */
	return value;
}

#define NATIVE_128(expression)                                                                                         \
	({                                                                                                             \
		u128 old = native_load_128(address);                                                                   \
		while (!native_compare_128(address, &old, expression)) {}                                              \
		old;                                                                                                   \
	})

LOAD_STORE(128, u128, native_load_128(address), (void)NATIVE_128(((void)old, value)))
CHANGE(128, u128, EXCHANGE, exchange, operand, operand, NATIVE_128(((void)old, operand)))
UPDATE(128, u128, fetch_add, old + operand, NATIVE_128(old + operand))
UPDATE(128, u128, fetch_sub, old - operand, NATIVE_128(old - operand))
CHANGE(128, u128, AND, fetch_and, old &operand, (u128)~operand, NATIVE_128(old &operand))
CHANGE(128, u128, OR, fetch_or, old | operand, operand, NATIVE_128(old | operand))
UPDATE(128, u128, fetch_xor, old ^ operand, NATIVE_128(old ^ operand))
UPDATE(128, u128, fetch_nand, ~(old &operand), NATIVE_128(~(old &operand)))
COMPARE(128, u128, strong, native_compare_128(address, expected, desired))
COMPARE(128, u128, weak, native_compare_128(address, expected, desired))
COMPARE_VALUE(128, u128)

/* ---- fences ---- */

MZ_EXPORT void __tsan_atomic_thread_fence(int order);
MZ_EXPORT void __tsan_atomic_thread_fence(int order)
{
	if (mz_current)
		mz_race_fence(mz_current, order);
	else
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

MZ_EXPORT void __tsan_atomic_signal_fence(int order);
MZ_EXPORT void __tsan_atomic_signal_fence(int order)
{
	(void)order;
}

/* ---- what compilers leave to libatomic: objects of any size. Outside an execution one lock serves them all. ---- */

static int any_size_lock;

static void lock_any_size(void)
{
	while (__atomic_exchange_n(&any_size_lock, 1, __ATOMIC_ACQUIRE)) __builtin_ia32_pause();
}

static void unlock_any_size(void)
{
	__atomic_store_n(&any_size_lock, 0, __ATOMIC_RELEASE);
}

/* The names are builtins of the compiler, which has its own idea of their types: so they are set by hand. */
#define LIBATOMIC(name) __asm__("mz_entry___atomic_" #name)

void mz_any_load(size_t size, const void *address, void *result, int order) LIBATOMIC(load);
void mz_any_load(size_t size, const void *address, void *result, int order)
{
	if (mz_current) {
		load(address, result, size, order, MZ_NOTED_CALLER(mz_current));
		return;
	}
	lock_any_size();
	copy(result, address, size);
	unlock_any_size();
}

void mz_any_store(size_t size, void *address, const void *value, int order) LIBATOMIC(store);
void mz_any_store(size_t size, void *address, const void *value, int order)
{
	if (mz_current) {
		store(address, value, size, order, MZ_NOTED_CALLER(mz_current));
		return;
	}
	lock_any_size();
	copy(address, value, size);
	unlock_any_size();
}

void mz_any_exchange(size_t size, void *address, const void *value, void *result, int order) LIBATOMIC(exchange);
void mz_any_exchange(size_t size, void *address, const void *value, void *result, int order)
{
	if (mz_current) {
		bool releases = mz_race_releases(mz_current, order);
		struct atomic atomic = begin(releases ? MZ_OP_RELEASING_EXCHANGE : MZ_OP_EXCHANGE, address, size,
		                             MZ_WRITE, MZ_NOTED_CALLER(mz_current));
		set_expected(&atomic, value);
		wait_turn(&atomic);
		set_changed(&atomic, !equal(address, value, size), releases);
		copy(result, address, size);
		commit(&atomic, true, value);
		copy(address, value, size);
		updated(&atomic, result, value, order);
		return;
	}
	lock_any_size();
	copy(result, address, size);
	copy(address, value, size);
	unlock_any_size();
}

bool mz_any_compare(size_t size, void *address, void *expected, const void *desired, int order, int failure)
    LIBATOMIC(compare_exchange);
bool mz_any_compare(size_t size, void *address, void *expected, const void *desired, int order, int failure)
{
	if (mz_current)
		return compare_exchange(address, expected, desired, size, order, failure, MZ_NOTED_CALLER(mz_current));
	lock_any_size();
	bool success = equal(address, expected, size);
	if (success)
		copy(address, desired, size);
	else
		copy(expected, address, size);
	unlock_any_size();
	return success;
}

/* 16 bytes by value: gcc calls these where it may not assume the instruction. */
u128 mz_load_16(const volatile u128 *address, int order) LIBATOMIC(load_16);
u128 mz_load_16(const volatile u128 *address, int order)
{
	u128 value;
	if (!mz_current) return native_load_128(address);
	load(address, &value, sizeof value, order, MZ_NOTED_CALLER(mz_current));
	return value;
}

void mz_store_16(volatile u128 *address, u128 value, int order) LIBATOMIC(store_16);
void mz_store_16(volatile u128 *address, u128 value, int order)
{
	if (mz_current)
		store(address, &value, sizeof value, order, MZ_NOTED_CALLER(mz_current));
	else
		(void)NATIVE_128(((void)old, value));
}

bool mz_compare_16(volatile u128 *address, u128 *expected, u128 desired, int order, int failure)
    LIBATOMIC(compare_exchange_16);
bool mz_compare_16(volatile u128 *address, u128 *expected, u128 desired, int order, int failure)
{
	if (!mz_current) return native_compare_128(address, expected, desired);
	return compare_exchange(address, expected, &desired, sizeof desired, order, failure,
	                        MZ_NOTED_CALLER(mz_current));
}

/* ---- assembly ---- */

/* What x86_64/assembly.S keeps of the thread: registers by their numbers, but for the stack pointer (4) and rdi (7),
 * where the address is. */
struct mz_assembly_frame {
	uint64_t registers[16];
	uint64_t flags;
	uint64_t place; /* return address */
	uint64_t code;
	uint64_t rdi;
	uint8_t red_zone[136];
	uint8_t stack[]; /* the program's stack */
};

void mz_assembly(struct mz_assembly_frame *frame, const uint8_t *vectors);

/* All registers may be in use, not only those that calls preserve. */
static uint64_t hash_registers(const struct mz_assembly_frame *frame, const uint8_t *vectors)
{
	static const uint8_t others[] = {0, 1, 2, 6, 8, 9, 10, 11};
	struct mz_key key = mz_hash_bytes(vectors, 256, (struct mz_key){frame->rdi, 0});
	uint64_t hash = key.low;
	for (size_t i = 0; i < sizeof others; i++) hash = mz_hash2(hash, frame->registers[others[i]]);
	return hash;
}

/* Notes the call as the entries of other operations do. */
static void note_call(struct mz_assembly_frame *frame, uint64_t hash)
{
	const uint64_t *r = frame->registers;
	if (!mz_notes_reads && !mz_notes_writes) return;
	mz_caller = (struct mz_caller){.place = frame->place,
	                               .sp = frame->stack,
	                               .registers = {r[3], r[5], r[12], r[13], r[14], r[15]},
	                               .arguments = {hash}};
}

/* Returns the address of the bit that an instruction with a bit number in a register touches. */
static uintptr_t address_of_bit(const struct mz_assembly_frame *frame, uintptr_t address, size_t size, unsigned reg)
{
	uint64_t number = reg == 7 ? frame->rdi : frame->registers[reg];
	int64_t bit = size == 2 ? (int16_t)number : size == 4 ? (int32_t)number : (int64_t)number;
	int64_t bits = (int64_t)size * 8, unit = (bit - (bit % bits + bits) % bits) / bits;
	return address + (uintptr_t)(unit * (int64_t)size);
}

/* Copies the value that the instruction compares memory with. */
static void get_expected(const struct mz_assembly_frame *frame, uint32_t code, uint8_t expected[16])
{
	unsigned reg = mz_assembly_register(code), size = mz_assembly_size(code);
	uint64_t value = frame->registers[0], high = frame->registers[2];
	if (reg) value = reg - 1 == 7 ? frame->rdi : frame->registers[reg - 1];
	bool pair = !reg && mz_assembly_flag(code);
	MZ_REAL(memcpy)(expected, &value, 8);
	if (pair) MZ_REAL(memcpy)(expected + size / 2, &high, size / 2);
}

static void commit_assembly(const struct atomic *atomic, bool write)
{
	if (MZ_UNLIKELY(mz_rt.mode.tells_atomics)) tell(atomic, write, NULL);
	mz_commit(atomic->self, atomic->operation);
	mz_memory_check(atomic->self, atomic->address, atomic->size, write, atomic->caller);
	mz_race_access(atomic->self, atomic->address, atomic->size, MZ_RACE_ATOMIC | (write ? MZ_RACE_WRITE : 0),
	               atomic->caller);
}

/* Notes the memory order of an instruction: the processor's is acquire and release. What will be written is not
 * known. */
static void order_assembly(const struct atomic *atomic, bool reads, bool writes)
{
	if (!mz_rt.mode.finds_races) return;
	struct mz_object *object = mz_object_find(atomic->address);
	if (reads) look(atomic, object, (const void *)atomic->address);
	if (reads && writes)
		mz_race_atomic_update(atomic->self, object, __ATOMIC_ACQ_REL);
	else if (reads)
		mz_race_atomic_load(atomic->self, object, __ATOMIC_ACQUIRE);
	else
		mz_race_atomic_store(atomic->self, object, __ATOMIC_RELEASE);
	if (writes) mz_unseen_forget(object, atomic->size);
}

static void follow_compare(struct atomic *atomic, const struct mz_assembly_frame *frame, uint32_t code, uint64_t hash)
{
	uint8_t expected[16] = {0};
	bool compares = atomic->operation.op == MZ_OP_COMPARE_EXCHANGE;
	get_expected(frame, code, expected);
	set_expected(atomic, expected);
	wait_turn_spinning(atomic, hash);
	bool same = equal((const void *)atomic->address, expected, atomic->size);
	if (compares)
		set_kinds(atomic, same);
	else
		set_changed(atomic, !same, atomic->operation.op == MZ_OP_RELEASING_EXCHANGE);
	commit_assembly(atomic, !compares || same);
	order_assembly(atomic, true, !compares || same);
}

static void follow(struct mz_assembly_frame *frame, uintptr_t address, uint32_t code, uint64_t hash)
{
	static const uint8_t ops[] = {MZ_OP_LOAD, MZ_OP_STORE, MZ_OP_UPDATE, MZ_OP_EXCHANGE, MZ_OP_COMPARE_EXCHANGE};
	enum mz_assembly_kind kind = mz_assembly_kind(code);
	bool writes = kind != MZ_ASSEMBLY_LOAD;
	bool releases = kind == MZ_ASSEMBLY_EXCHANGE && mz_race_releases(mz_current, __ATOMIC_ACQ_REL);
	enum mz_op op = releases ? MZ_OP_RELEASING_EXCHANGE : (enum mz_op)ops[kind];
	struct atomic atomic =
	    begin(op, (void *)address, mz_assembly_size(code), writes ? MZ_WRITE : MZ_READ, frame->place);
	if (kind == MZ_ASSEMBLY_EXCHANGE || kind == MZ_ASSEMBLY_COMPARE) {
		follow_compare(&atomic, frame, code, hash);
		return;
	}
	if (writes)
		wait_turn(&atomic);
	else
		wait_turn_spinning(&atomic, hash);
	commit_assembly(&atomic, writes);
	order_assembly(&atomic, kind != MZ_ASSEMBLY_STORE, writes);
}

/* Reports whether the address is in a frame that was made since the thread's last operation: nobody else knows of it. */
static bool is_own(uintptr_t address)
{
	bool follows = !mz_rt.seen.leaves_stacks && mz_fiber_is_home(mz_current, (const void *)address);
	return follows && address < mz_current->frames_from;
}

void mz_assembly(struct mz_assembly_frame *frame, const uint8_t *vectors)
{
	uint32_t code = (uint32_t)frame->code;
	size_t size = mz_assembly_size(code);
	uintptr_t address = frame->registers[7];
	unsigned reg = mz_assembly_register(code);
	bool is_bit = reg && mz_assembly_flag(code);
	if (is_bit) address = address_of_bit(frame, address, size, reg - 1);
	if (is_own(address)) return;
	if (mz_assembly_kind(code) == MZ_ASSEMBLY_PLAIN) {
		mz_plain(mz_current, address, size, false, frame->place);
		mz_plain(mz_current, address, size, true, frame->place);
		return;
	}
	uint64_t hash = hash_registers(frame, vectors);
	note_call(frame, hash);
	follow(frame, address, code, hash);
}
