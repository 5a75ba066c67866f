/* SPDX-License-Identifier: MIT */
#include "runtime/objects/settings.h"
#include "runtime/core/core.h"
#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of the threads from number 0 to the last one whose settings were ever set. Bytes that are all 0 stand for a thread that
 * has those of the process. */
struct entry {
	struct mz_settings settings;
	uint64_t is_set;
};
static struct entry *entries;
static size_t nentries, capacity;

static struct mz_settings of_process(void)
{
	struct mz_settings settings;
	struct sched_param parameters = {0};
	memset(&settings, 0, sizeof settings);
	MZ_REAL(sched_getaffinity)(0, sizeof settings.processors, &settings.processors);
	int policy = MZ_REAL(sched_getscheduler)(0);
	MZ_REAL(sched_getparam)(0, &parameters);
	settings.policy = policy > 0 ? policy : SCHED_OTHER;
	settings.priority = parameters.sched_priority;
	return settings;
}

struct mz_settings mz_settings_of(const struct mz_fiber *fiber)
{
	bool known = fiber->index < nentries && entries[fiber->index].is_set;
	return known ? entries[fiber->index].settings : of_process();
}

void mz_settings_set(const struct mz_fiber *fiber, const struct mz_settings *settings)
{
	size_t need = fiber->index + 1UL;
	mz_array_require(&entries, &capacity, need);
	if (need > nentries) {
		memset(entries + nentries, 0, (need - nentries) * sizeof *entries);
		nentries = need;
	}
	entries[fiber->index] = (struct entry){*settings, 1};
}

void mz_settings_schedule(const struct mz_fiber *fiber, int policy, int priority)
{
	struct mz_settings settings = mz_settings_of(fiber);
	settings.policy = policy;
	settings.priority = priority;
	mz_settings_set(fiber, &settings);
}

void mz_settings_inherit(const struct mz_fiber *creator, const struct mz_fiber *fiber)
{
	if (creator->index >= nentries || !entries[creator->index].is_set) return;
	struct mz_settings settings = entries[creator->index].settings;
	mz_settings_set(fiber, &settings);
}

/* ---- checks ---- */

static bool may_raise_priority(int priority)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
	struct rlimit limit;
	bool known = syscall(SYS_capget, &header, data) == 0;
	if (known && (data[CAP_SYS_NICE / 32].effective >> CAP_SYS_NICE % 32 & 1)) return true;
	return MZ_REAL(getrlimit)(RLIMIT_RTPRIO, &limit) == 0 && (rlim_t)priority <= limit.rlim_cur;
}

int mz_settings_check(int policy, int priority)
{
	policy &= ~SCHED_RESET_ON_FORK;
	bool is_real_time = policy == SCHED_FIFO || policy == SCHED_RR;
	if (!is_real_time && policy != SCHED_OTHER && policy != SCHED_BATCH && policy != SCHED_IDLE) return EINVAL;
	if (priority < sched_get_priority_min(policy) || priority > sched_get_priority_max(policy)) return EINVAL;
	return is_real_time && !may_raise_priority(priority) ? EPERM : 0;
}

int mz_settings_check_processors(cpu_set_t *processors, const cpu_set_t *wanted, size_t size)
{
	const struct mz_settings settings = of_process();
	memset(processors, 0, sizeof *processors);
	memcpy(processors, wanted, size < sizeof *processors ? size : sizeof *processors);
	CPU_AND(processors, processors, &settings.processors);
	return CPU_COUNT(processors) ? 0 : EINVAL;
}

/* ---- names ---- */

void mz_settings_set_name(struct mz_fiber *fiber, const char *name)
{
	_Static_assert(sizeof fiber->name == MZ_NAME_OF_THREAD, "names of threads");
	memset(fiber->name, 0, sizeof fiber->name);
	memcpy(fiber->name, name, strnlen(name, sizeof fiber->name - 1));
	if (!*name) fiber->name[1] = 1; /* a name that was set, and is empty */
}

void mz_settings_get_name(const struct mz_fiber *fiber, char name[MZ_NAME_OF_THREAD])
{
	bool is_named = *fiber->name || fiber->name[1];
	const char *told = is_named ? fiber->name : program_invocation_short_name;
	size_t length = strnlen(told, MZ_NAME_OF_THREAD - 1);
	memcpy(name, told, length);
	memset(name + length, 0, MZ_NAME_OF_THREAD - length);
}

/* ---- executions ---- */

void mz_settings_reset(void)
{
	nentries = 0;
}

bool mz_settings_is_used(void)
{
	return nentries > 0;
}

void mz_settings_store(struct mz_state *state)
{
	mz_state_put(state, &nentries, sizeof nentries);
	mz_state_put(state, entries, nentries * sizeof *entries);
}

void mz_settings_load(struct mz_state *state)
{
	nentries = 0;
	if (!state) return;
	size_t n;
	mz_state_get(state, &n, sizeof n);
	mz_array_require(&entries, &capacity, n);
	mz_state_get(state, entries, n * sizeof *entries);
	nentries = n;
}
