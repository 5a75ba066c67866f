/* SPDX-License-Identifier: MIT
 *
 * Options of sockets that were made in pairs. Which there are, which values they take, and what they are by default, the
 * kernel knows: an end only has what the program has set, in order, as one number (mz_channel_end.options). To ask for
 * an option, or to try to set one, does all of that again to a socket of the kernel's, which exists for that moment.
 *
 * The size of the buffer to send (SO_SNDBUF) is how much a stream holds. Options that change what calls do in other
 * ways, such as limits on time, are refused.
 */
#ifndef MZ_RUNTIME_CHANNELS_SOCKET_OPTION_H
#define MZ_RUNTIME_CHANNELS_SOCKET_OPTION_H

#include "runtime/channels/channel.h"
#include <sys/socket.h>

struct mz_socket_option {
	int level, name;
	void *value;
	socklen_t size;
};

/* As setsockopt and getsockopt, for a number that has stood for a channel; return 0 or an error number. The second puts
 * at most `size` bytes where `value` points, and sets `size` to how many they are. */
int mz_socket_option_set(struct mz_fiber *self, int number, const struct mz_socket_option *option, uintptr_t caller);
int mz_socket_option_get(struct mz_fiber *self, int number, struct mz_socket_option *option, uintptr_t caller);

#endif
