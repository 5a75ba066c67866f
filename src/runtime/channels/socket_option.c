/* SPDX-License-Identifier: MIT */
#include "runtime/channels/socket_option.h"
#include "runtime/channels/descriptor.h"
#include "runtime/core/core.h"
#include "runtime/memory/memory.h"
#include "runtime/watch/watch.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

#define VALUE_MOST 16 /* bytes: a pair of integers or of times */

/* One call of setsockopt, after others. */
struct setting {
	uint64_t key; /* a hash of all other members; never 0 */
	uint64_t before;
	int level, name;
	socklen_t size;
	uint8_t value[VALUE_MOST];
};

static struct setting *settings; /* all that any execution has made */
static size_t nsettings, settings_capacity;

static const struct setting *find_setting(uint64_t key)
{
	size_t n = 0;
	while (n < nsettings && settings[n].key != key) n++;
	return n < nsettings ? &settings[n] : NULL;
}

/* Returns the key of `option` set after `before`. */
static uint64_t key_after(uint64_t before, const struct mz_socket_option *option)
{
	struct setting new = {.before = before, .level = option->level, .name = option->name, .size = option->size};
	uint64_t words[2] = {0};
	MZ_REAL(memcpy)(new.value, option->value, option->size);
	MZ_REAL(memcpy)(words, option->value, option->size);
	uint64_t what = mz_hash2((uint64_t)(uint32_t)option->level << 32 | (uint32_t)option->name, option->size);
	new.key = mz_hash2(mz_hash2(before, what), mz_hash2(words[0], words[1])) | 1;
	if (find_setting(new.key)) return new.key;
	mz_array_require(&settings, &settings_capacity, nsettings + 1);
	settings[nsettings++] = new;
	return new.key;
}

static void set_again(int socket, uint64_t key)
{
	const struct setting *last = find_setting(key);
	if (!last) return;
	set_again(socket, last->before);
	MZ_REAL(setsockopt)(socket, last->level, last->name, last->value, last->size);
}

/* ---- sockets of the kernel's ---- */

/* Opens a socket of the kernel's, one of a pair, with the options that the end has. Returns 0 or an error number. */
static int open_like(const struct mz_channel_end *end, int sockets[2])
{
	int type = end->kind == MZ_CHANNEL_STREAM     ? SOCK_STREAM
	           : end->kind == MZ_CHANNEL_DATAGRAM ? SOCK_DGRAM
	                                              : SOCK_SEQPACKET;
	if (MZ_REAL(socketpair)(AF_UNIX, type | SOCK_CLOEXEC, 0, sockets)) return errno;
	set_again(sockets[0], end->options);
	return 0;
}

static void close_both(const int sockets[2])
{
	MZ_REAL(close)(sockets[0]);
	MZ_REAL(close)(sockets[1]);
}

/* Returns how many bytes the socket can send that nobody reads. */
static uint32_t room_of(int socket)
{
	int room = 0;
	socklen_t size = sizeof room;
	return MZ_REAL(getsockopt)(socket, SOL_SOCKET, SO_SNDBUF, &room, &size) ? 0 : (uint32_t)room;
}

/* ---- calls ---- */

/* Reports whether nothing that is modelled depends on the option, or it is modelled. */
static bool is_followed(const struct mz_socket_option *option)
{
	if (option->level != SOL_SOCKET) return true;
	switch (option->name) {
	case SO_RCVTIMEO:
	case SO_SNDTIMEO:
	case SO_RCVLOWAT:
	case SO_PEEK_OFF:
	case SO_PASSCRED:
	case SO_PASSSEC:
	case SO_ATTACH_FILTER:
	case SO_ATTACH_BPF: return false;
	default: return true;
	}
}

static bool is_socket(const struct mz_channel_end *end)
{
	return end->kind >= MZ_CHANNEL_STREAM && end->kind <= MZ_CHANNEL_PACKET;
}

int mz_socket_option_set(struct mz_fiber *self, int number, const struct mz_socket_option *option, uintptr_t caller)
{
	int sockets[2], error;
	mz_plain(self, (uintptr_t)option->value, option->size, false, caller);
	struct mz_channel_end *end = mz_descriptor_settings(self, number, true, caller);
	if (!end) return EBADF;
	if (!is_socket(end)) return ENOTSOCK;
	if ((error = open_like(end, sockets))) return error;
	if (MZ_REAL(setsockopt)(sockets[0], option->level, option->name, option->value, option->size)) error = errno;
	uint32_t room = room_of(sockets[0]);
	close_both(sockets);
	if (error) return error;
	if (!is_followed(option) || option->size > VALUE_MOST)
		mz_unsupported("it sets an option of a socket that is one of a pair, and the option is not modelled");
	end->options = key_after(end->options, option);
	if (option->level == SOL_SOCKET && (option->name == SO_SNDBUF || option->name == SO_SNDBUFFORCE))
		mz_channel_limit(self, end, room, caller);
	return 0;
}

int mz_socket_option_get(struct mz_fiber *self, int number, struct mz_socket_option *option, uintptr_t caller)
{
	int sockets[2], error;
	struct mz_channel_end *end = mz_descriptor_settings(self, number, false, caller);
	if (!end) return EBADF;
	if (!is_socket(end)) return ENOTSOCK;
	if ((error = open_like(end, sockets))) return error;
	if (MZ_REAL(getsockopt)(sockets[0], option->level, option->name, option->value, &option->size)) error = errno;
	close_both(sockets);
	return error;
}
