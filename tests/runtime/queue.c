/* SPDX-License-Identifier: MIT
 *
 * What is in pipes, sockets and eventfds. Pipes are compared with those of the kernel, call by call.
 */
#include "runtime/channels/queue.h"
#include "base/alloc.h"
#include "base/random.h"
#include "stubs.h"
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define NAME 77 /* of the channel: any but 0 */

static struct mz_queue new_queue(enum mz_channel kind)
{
	struct mz_queue queue = {0};
	mz_queue_init(&queue, kind, NAME);
	return queue;
}

static void release(struct mz_queue *queue)
{
	mz_free(queue->bytes);
	mz_free(queue->ends);
}

static size_t put(struct mz_queue *queue, const char *text)
{
	return mz_queue_put(queue, (const uint8_t *)text, strlen(text), false);
}

/* Takes up to `size` bytes out, which have to be `text`, of a message or rest that is `whole` bytes long. */
static void assert_gets(struct mz_queue *queue, size_t size, bool peek, const char *text, size_t whole)
{
	uint8_t bytes[64] = {0};
	size_t is;
	assert_int_equal(mz_queue_get(queue, bytes, size, peek, &is), strlen(text));
	assert_string_equal(bytes, text);
	assert_int_equal(is, whole);
}

static uint64_t room_of(const struct mz_queue *queue)
{
	return mz_queue_state(queue, MZ_CHANNEL_ROOM);
}

/* ---- pipes, against the kernel's ---- */

struct both {
	struct mz_queue queue;
	int ends[2];
	uint8_t next; /* byte to be written */
};

/* As write() without waiting; -1 if it would have to. */
static ssize_t write_queue(struct mz_queue *queue, const uint8_t *bytes, size_t size)
{
	if (room_of(queue) <= mz_queue_need(queue, size, false, 0)) return -1;
	return (ssize_t)mz_queue_put(queue, bytes, size, false);
}

static void write_both(struct both *both, size_t size)
{
	static uint8_t bytes[1 << 17];
	for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)(both->next + i);
	ssize_t written = write(both->ends[1], bytes, size);
	assert_int_equal(write_queue(&both->queue, bytes, size), written);
	if (written > 0) both->next = (uint8_t)(both->next + written);
}

static void read_both(struct both *both, size_t size)
{
	static uint8_t bytes[2][1 << 17];
	size_t whole;
	bool readable = mz_queue_is_readable(&both->queue);
	ssize_t got = read(both->ends[0], bytes[0], size);
	assert_int_equal(readable ? (ssize_t)mz_queue_get(&both->queue, bytes[1], size, false, &whole) : -1, got);
	if (got > 0) assert_memory_equal(bytes[0], bytes[1], (size_t)got);
}

static void poll_both(const struct both *both)
{
	struct pollfd polled[2] = {{.fd = both->ends[0], .events = POLLIN}, {.fd = both->ends[1], .events = POLLOUT}};
	assert_true(poll(polled, 2, 0) >= 0);
	assert_int_equal(mz_queue_is_readable(&both->queue), polled[0].revents != 0);
	assert_int_equal(mz_queue_is_writable(&both->queue), polled[1].revents != 0);
}

static void test_pipes_are_filled_as_the_kernel_does_it(void **unused)
{
	(void)unused;
	struct both both = {.queue = new_queue(MZ_CHANNEL_PIPE)};
	struct mz_random random = {11};
	static const uint32_t most[] = {5, 300, 4097, 20000, 90000};
	assert_int_equal(pipe2(both.ends, O_NONBLOCK), 0);
	both.queue.limit = (uint32_t)fcntl(both.ends[1], F_GETPIPE_SZ) / MZ_QUEUE_PAGE;
	for (int i = 0; i < 5000; i++) {
		size_t size = 1 + mz_random_below(&random, most[mz_random_below(&random, 5)]);
		if (mz_random_below(&random, 10) == 0) size = MZ_QUEUE_PAGE * (1 + size % 3);
		if (mz_random_below(&random, 5) < 3)
			write_both(&both, size);
		else
			read_both(&both, size);
		poll_both(&both);
	}
	close(both.ends[0]);
	close(both.ends[1]);
	release(&both.queue);
}

static void test_a_pipe_has_sixteen_pages(void **unused)
{
	(void)unused;
	struct mz_queue queue = new_queue(MZ_CHANNEL_PIPE);
	uint8_t bytes[MZ_QUEUE_PAGE] = {0};
	size_t whole;
	for (int i = 0; i < 16; i++) {
		assert_true(mz_queue_is_writable(&queue));
		assert_int_equal(room_of(&queue), 1 + MZ_CHANNEL_ATOMIC);
		assert_int_equal(mz_queue_put(&queue, bytes, MZ_QUEUE_PAGE - 3, false), MZ_QUEUE_PAGE - 3);
	}
	assert_false(mz_queue_is_writable(&queue));
	assert_int_equal(room_of(&queue), 1 + 3); /* behind the last bytes */
	assert_int_equal(put(&queue, "abc"), 3);
	assert_int_equal(room_of(&queue), 1);
	mz_queue_get(&queue, bytes, MZ_QUEUE_PAGE - 4, false, &whole);
	assert_int_equal(room_of(&queue), 1); /* a page is free when all of it was read */
	mz_queue_get(&queue, bytes, 1, false, &whole);
	assert_int_equal(room_of(&queue), 1 + MZ_CHANNEL_ATOMIC);
	assert_int_equal(whole, 15 * (MZ_QUEUE_PAGE - 3) + 3 + 1);
	release(&queue);
}

/* ---- sockets ---- */

static void test_messages_stay_whole(void **unused)
{
	(void)unused;
	struct mz_queue queue = new_queue(MZ_CHANNEL_DATAGRAM);
	assert_false(mz_queue_is_readable(&queue));
	assert_int_equal(put(&queue, "first"), 5);
	assert_int_equal(put(&queue, ""), 0); /* an empty one is one, too */
	assert_int_equal(put(&queue, "second"), 6);
	assert_gets(&queue, 3, true, "fir", 5);
	assert_gets(&queue, 3, false, "fir", 5); /* and the rest is lost */
	assert_true(mz_queue_is_readable(&queue));
	assert_gets(&queue, 60, false, "", 0);
	assert_gets(&queue, 60, false, "second", 6);
	assert_false(mz_queue_is_readable(&queue));
	for (int i = 0; i < 10; i++) {
		assert_true(mz_queue_is_writable(&queue));
		put(&queue, "x");
	}
	assert_false(mz_queue_is_writable(&queue));
	assert_int_equal(room_of(&queue), 1);
	release(&queue);
}

static void test_streams_flow_together(void **unused)
{
	(void)unused;
	struct mz_queue queue = new_queue(MZ_CHANNEL_STREAM);
	put(&queue, "one");
	put(&queue, "two");
	assert_gets(&queue, 5, true, "onetw", 6);
	assert_gets(&queue, 5, false, "onetw", 6);
	assert_gets(&queue, 5, false, "o", 1);
	release(&queue);
}

static void test_streams_take_what_fits(void **unused)
{
	(void)unused;
	struct mz_queue queue = new_queue(MZ_CHANNEL_STREAM);
	static uint8_t bytes[300000];
	queue.limit = 1000;
	assert_int_equal(mz_queue_put(&queue, bytes, 250, false), 250);
	assert_true(mz_queue_is_writable(&queue)); /* up to a quarter, by the standards of poll */
	assert_int_equal(mz_queue_put(&queue, bytes, 1, false), 1);
	assert_false(mz_queue_is_writable(&queue));
	assert_int_equal(room_of(&queue), 1 + 749);
	assert_int_equal(mz_queue_put(&queue, bytes, sizeof bytes, false), 749);
	assert_int_equal(room_of(&queue), 1);
	release(&queue);
}

static void test_ends_of_channels(void **unused)
{
	(void)unused;
	struct mz_queue queue = new_queue(MZ_CHANNEL_STREAM);
	mz_queue_end(&queue);
	assert_true(mz_queue_is_readable(&queue));
	assert_gets(&queue, 5, false, "", 0);
	queue.limit = 0;
	assert_int_equal(room_of(&queue), 1);
	mz_queue_break(&queue); /* who writes is told at once */
	assert_true(mz_queue_is_writable(&queue));
	assert_int_equal(room_of(&queue), 1 + MZ_CHANNEL_ATOMIC);
	release(&queue);
}

/* ---- eventfds ---- */

static void test_eventfds(void **unused)
{
	(void)unused;
	struct mz_queue queue = new_queue(MZ_CHANNEL_EVENT);
	assert_false(mz_queue_is_readable(&queue));
	mz_queue_add(&queue, 3);
	mz_queue_add(&queue, 4);
	assert_true(mz_queue_is_readable(&queue));
	assert_int_equal(mz_queue_subtract(&queue), 7);
	assert_false(mz_queue_is_readable(&queue));
	queue.one_by_one = true;
	mz_queue_add(&queue, 2);
	assert_int_equal(mz_queue_subtract(&queue), 1);
	assert_int_equal(queue.count, 1);
	mz_queue_add(&queue, UINT64_MAX - 1 - 1 - 5);
	assert_true(mz_queue_is_writable(&queue));
	assert_int_equal(room_of(&queue), 1 + 5);
	assert_int_equal(mz_queue_need(&queue, 8, false, 5), 5);
	mz_queue_add(&queue, 5);
	assert_false(mz_queue_is_writable(&queue));
	assert_gives_up(mz_queue_need(&queue, 8, false, 5000),
	                "it waits until it can add more than 4096 to an eventfd");
	release(&queue);
}

/* ---- who is told ---- */

static void test_arrivals_are_counted_for_edges(void **unused)
{
	(void)unused;
	struct mz_queue queue = new_queue(MZ_CHANNEL_PIPE);
	assert_int_equal(mz_queue_state(&queue, MZ_CHANNEL_DATA), 0);
	put(&queue, "a");
	put(&queue, "b");
	assert_int_equal(mz_queue_state(&queue, MZ_CHANNEL_DATA), 1);
	queue.by_edges = true;
	put(&queue, "c");
	assert_int_equal(mz_queue_state(&queue, MZ_CHANNEL_DATA), 2);
	assert_gets(&queue, 3, false, "abc", 3);
	assert_int_equal(mz_queue_state(&queue, MZ_CHANNEL_DATA), 0);
	assert_int_equal(mz_queue_state(&queue, MZ_CHANNEL_SPACE), 1); /* it was not full: that was no edge */
	queue.arrivals = INT16_MAX - 1;
	assert_gives_up(put(&queue, "d"), "it writes too often to what is watched by edges");
	release(&queue);
}

/* ---- states ---- */

static void test_states_come_back(void **unused)
{
	(void)unused;
	struct mz_queue queue = new_queue(MZ_CHANNEL_DATAGRAM);
	struct mz_state state = {0};
	put(&queue, "one");
	put(&queue, "three");
	mz_queue_store(&queue, &state);
	assert_gets(&queue, 60, false, "one", 3);
	put(&queue, "other bytes, and more of them");
	mz_queue_end(&queue);
	mz_queue_load(&queue, &state);
	assert_int_equal(state.at, state.size);
	assert_false(queue.ended);
	assert_gets(&queue, 60, false, "one", 3);
	assert_gets(&queue, 60, false, "three", 5);
	assert_false(mz_queue_is_readable(&queue));
	release(&queue);
	mz_free(state.bytes);
}

static bool same_identity(const struct mz_queue *a, const struct mz_queue *b)
{
	struct mz_state states[2] = {{0}};
	mz_queue_identity(a, &states[0]);
	mz_queue_identity(b, &states[1]);
	bool same = states[0].size == states[1].size && memcmp(states[0].bytes, states[1].bytes, states[0].size) == 0;
	mz_free(states[0].bytes);
	mz_free(states[1].bytes);
	return same;
}

static void test_what_tells_states_apart(void **unused)
{
	(void)unused;
	struct mz_queue a = new_queue(MZ_CHANNEL_DATAGRAM), b = new_queue(MZ_CHANNEL_DATAGRAM);
	put(&a, "ab");
	put(&a, "c");
	put(&b, "a");
	put(&b, "bc");
	assert_false(same_identity(&a, &b)); /* the same bytes in other messages */
	assert_gets(&a, 9, false, "ab", 2);
	assert_gets(&b, 9, false, "a", 1);
	put(&a, "d");
	assert_gets(&a, 9, false, "c", 1);
	assert_gets(&b, 9, false, "bc", 2);
	put(&b, "d");
	b.arrivals = 9;
	assert_true(same_identity(&a, &b)); /* however it came to be */
	mz_queue_end(&b);
	assert_false(same_identity(&a, &b));
	release(&a);
	release(&b);
}

static int reset(void **unused)
{
	(void)unused;
	stub_reset();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_pipes_are_filled_as_the_kernel_does_it, reset),
	    cmocka_unit_test_setup(test_a_pipe_has_sixteen_pages, reset),
	    cmocka_unit_test_setup(test_messages_stay_whole, reset),
	    cmocka_unit_test_setup(test_streams_flow_together, reset),
	    cmocka_unit_test_setup(test_streams_take_what_fits, reset),
	    cmocka_unit_test_setup(test_ends_of_channels, reset),
	    cmocka_unit_test_setup(test_eventfds, reset),
	    cmocka_unit_test_setup(test_arrivals_are_counted_for_edges, reset),
	    cmocka_unit_test_setup(test_states_come_back, reset),
	    cmocka_unit_test_setup(test_what_tells_states_apart, reset),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
