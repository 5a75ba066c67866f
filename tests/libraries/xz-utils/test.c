/* SPDX-License-Identifier: MIT
 *
 * liblzma: compression and decompression by threads in the background. The decoder of 5.4.1 has a data race: the worker
 * sets partial_update without a lock because the main thread does not look at it by then, but read_output_and_wait()
 * does.
 *
 * builds: gcc-O1
 *
 * variant: encoder
 * arguments: encode
 * options: --preemptions 1
 *
 * variant: encoder given up
 * arguments: give-up
 * options: --preemptions 1
 *
 * variant: decoder
 * arguments: decode
 * expect: optimal 64
 * findings: data-race
 */
#include <assert.h>
#include <lzma.h>
#include <string.h>

enum { BLOCK = 4096, SIZE = 5000 };

static uint8_t text[SIZE], packed[2 * SIZE], unpacked[SIZE];

/* With memory for little more than a block, or there would be much to clear in each execution. */
static lzma_filter *filters(void)
{
	static lzma_options_lzma options;
	static lzma_filter chain[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, NULL}};
	assert(!lzma_lzma_preset(&options, 0));
	options.dict_size = LZMA_DICT_SIZE_MIN;
	return chain;
}

static void start(lzma_stream *stream)
{
	lzma_mt options = {.threads = 1, .block_size = BLOCK, .filters = filters(), .check = LZMA_CHECK_CRC32};
	for (size_t i = 0; i < SIZE; i++) text[i] = (uint8_t)(i * 7 % 13);
	assert(lzma_stream_encoder_mt(stream, &options) == LZMA_OK);
	stream->next_in = text;
	stream->avail_in = SIZE;
	stream->next_out = packed;
	stream->avail_out = sizeof packed;
}

static void finish(lzma_stream *stream)
{
	lzma_ret status;
	while ((status = lzma_code(stream, LZMA_FINISH)) == LZMA_OK) {}
	assert(status == LZMA_STREAM_END);
	lzma_end(stream);
}

/* Two blocks by one thread; what comes out is what went in. */
static void test_encode(void)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	uint64_t memory = UINT64_MAX;
	size_t in = 0, out = 0;
	start(&stream);
	finish(&stream);
	assert(lzma_stream_buffer_decode(&memory, 0, NULL, packed, &in, stream.total_out, unpacked, &out, SIZE) ==
	       LZMA_OK);
	assert(out == SIZE && memcmp(text, unpacked, SIZE) == 0);
}

/* The end while a thread is at work. */
static void test_give_up(void)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	start(&stream);
	assert(lzma_code(&stream, LZMA_RUN) == LZMA_OK);
	lzma_end(&stream);
}

/* By a thread too. */
static void test_decode(void)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	lzma_mt options = {.threads = 2, .memlimit_threading = UINT64_MAX, .memlimit_stop = UINT64_MAX};
	size_t length = 0;
	for (size_t i = 0; i < SIZE; i++) text[i] = (uint8_t)(i * 7 % 13);
	assert(lzma_stream_buffer_encode(filters(), LZMA_CHECK_CRC32, NULL, text, SIZE, packed, &length,
	                                 sizeof packed) == LZMA_OK);
	assert(lzma_stream_decoder_mt(&stream, &options) == LZMA_OK);
	stream.next_in = packed;
	stream.avail_in = length;
	stream.next_out = unpacked;
	stream.avail_out = SIZE;
	finish(&stream);
	assert(stream.total_out == SIZE && memcmp(text, unpacked, SIZE) == 0);
}

int main(int argc, char **argv)
{
	assert(argc == 2);
	if (strcmp(argv[1], "encode") == 0) test_encode();
	if (strcmp(argv[1], "give-up") == 0) test_give_up();
	if (strcmp(argv[1], "decode") == 0) test_decode();
	return 0;
}
