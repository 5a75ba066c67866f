/* SPDX-License-Identifier: MIT
 *
 * The kernel keeps the numbers of such a channel, and nothing else: what was written to it before main is taken out
 * when that begins, and is in ours at the beginning of every execution.
 */
#include "runtime/channels/early_channel.h"
#include "base/alloc.h"
#include "runtime/core/core.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#define MESSAGE_MAX 65536

struct early_message {
	uint8_t *bytes;
	size_t size;
};

struct early {
	struct mz_making making;
	int numbers[2];
	ino_t files[2]; /* the inodes, by which it is seen whether the numbers still stand for the channel */
	bool open[2];
	struct early_message *messages[2]; /* messages to be read at each end */
	size_t nmessages[2], capacity[2];
	uintptr_t made_at;
};

static struct early *channels;
static size_t nchannels, channels_capacity;

static ino_t file_of(int number)
{
	struct stat status;
	return fstat(number, &status) == 0 ? status.st_ino : 0;
}

void mz_early_channel_made(const struct mz_making *making, const int *numbers, uintptr_t caller)
{
	mz_array_require(&channels, &channels_capacity, nchannels + 1);
	int second = making->kind == MZ_CHANNEL_EVENT ? -1 : numbers[1];
	channels[nchannels++] = (struct early){.making = *making,
	                                       .numbers = {numbers[0], second},
	                                       .files = {file_of(numbers[0]), second < 0 ? 0 : file_of(second)},
	                                       .made_at = caller};
}

/* ---- what is in it ---- */

static bool take_message(struct early *channel, int end)
{
	static uint8_t room[MESSAGE_MAX];
	struct pollfd ready = {.fd = channel->numbers[end], .events = POLLIN};
	if (MZ_REAL(poll)(&ready, 1, 0) <= 0 || !(ready.revents & POLLIN)) return false;
	ssize_t size = MZ_REAL(read)(channel->numbers[end], room, sizeof room);
	if (size <= 0) return false;
	mz_array_require(&channel->messages[end], &channel->capacity[end], channel->nmessages[end] + 1);
	uint8_t *bytes = mz_alloc((size_t)size);
	if (!bytes) mz_unsupported("out of memory");
	MZ_REAL(memcpy)(bytes, room, (size_t)size);
	channel->messages[end][channel->nmessages[end]++] = (struct early_message){bytes, (size_t)size};
	return true;
}

/* Reads the counter of an eventfd; one with EFD_SEMAPHORE is read one by one. */
static void take_number(struct early *channel)
{
	channel->making.value = 0;
	while (take_message(channel, 0)) {
		struct early_message *last = &channel->messages[0][--channel->nmessages[0]];
		channel->making.value += *(const uint64_t *)last->bytes;
		mz_free(last->bytes);
	}
}

static void take_all(struct early *channel)
{
	for (int end = 0; end < 2; end++)
		channel->open[end] =
		    channel->numbers[end] >= 0 && file_of(channel->numbers[end]) == channel->files[end];
	if (channel->making.kind == MZ_CHANNEL_EVENT) {
		if (channel->open[0]) take_number(channel);
		return;
	}
	for (int end = 0; end < 2; end++)
		while (channel->open[end] && take_message(channel, end)) {}
}

void mz_early_channels_save(void)
{
	for (size_t i = 0; i < nchannels; i++) take_all(&channels[i]);
}

/* ---- executions ---- */

static void put_all(const struct early *channel, int end)
{
	const struct mz_channel_end *reader = mz_descriptor_end(channel->numbers[end]);
	for (size_t i = 0; reader && reader->in && i < channel->nmessages[end]; i++)
		mz_queue_put(reader->in, channel->messages[end][i].bytes, channel->messages[end][i].size, false);
	if (reader && reader->in) mz_channel_settle(NULL, 0, reader->in);
}

static void open_at_start(struct mz_fiber *first, const struct early *channel)
{
	if (!channel->open[0] && !channel->open[1]) return;
	mz_descriptors_adopt(first, &channel->making, channel->numbers, channel->made_at);
	for (int end = 0; end < 2; end++) put_all(channel, end);
	for (int end = 0; end < 2; end++)
		if (!channel->open[end] && channel->numbers[end] >= 0) mz_descriptors_abandon(channel->numbers[end]);
}

void mz_early_channels_start(struct mz_fiber *first)
{
	for (size_t i = 0; i < nchannels; i++) open_at_start(first, &channels[i]);
}
