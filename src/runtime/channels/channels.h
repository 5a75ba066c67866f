/* SPDX-License-Identifier: MIT
 *
 * What threads send to each other through descriptors: pipes, sockets, events, epoll, and files that they share.
 * Other rooms include this header and none of those behind it.
 */
#ifndef MZ_RUNTIME_CHANNELS_H
#define MZ_RUNTIME_CHANNELS_H

#include "runtime/channels/descriptor.h"
#include "runtime/channels/early_channel.h"
#include "runtime/channels/poll.h"
#include "runtime/channels/shared_file.h"
#include "runtime/channels/socket_option.h"
#include "runtime/channels/timer_channel.h"

#endif
