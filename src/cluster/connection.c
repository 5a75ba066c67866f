/* SPDX-License-Identifier: MIT */
#include "cluster/connection.h"
#include "base/alloc.h"
#include "base/array.h"
#include <cluster/store_lua.h> /* made of store.lua by the build */
#include <errno.h>
#include <fcntl.h>
#include <hiredis/hiredis.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#define PAUSE_FIRST 20                  /* milliseconds before the second attempt; each time twice that, up to */
#define PAUSE_MOST 1000                 /* this */
#define FIRST_PATIENCE 3000             /* milliseconds for who was never reached: that is hardly for a moment */
#define SLICE 100                       /* milliseconds between two looks at whether to give up */
#define LINE_MOST 65536                 /* bytes of a line of Redis */
#define PARTS_MOST 65536                /* of an answer */
#define ANSWER_MOST ((size_t)544 << 20) /* bytes of an answer: Redis itself has no string of more than 512 MiB */

struct mz_connection {
	struct mz_address address;
	struct mz_store_options options;
	redisContext *context; /* NULL: not connected */
	redisReply *reply;     /* of the last call */
	uint8_t *joined;       /* the parts of a reply, put together */
	size_t joined_size;
	bool reached;      /* an attempt has succeeded */
	char trouble[200]; /* why the last attempt failed */
};

enum outcome {
	DONE,
	AGAIN,   /* after a pause */
	MISSING, /* Redis does not know the functions */
	REFUSED,
	ENDLESS, /* an answer is larger than any can be */
	GIVEN_UP,
};

const char *mz_connection_functions(void)
{
	return MZ_STORE_LIBRARY "_";
}

struct mz_connection *mz_connection_new(const struct mz_address *address, const struct mz_store_options *options,
                                        struct mz_store_error *error)
{
	struct mz_connection *connection = mz_alloc(sizeof *connection);
	if (!connection) {
		mz_store_fail(error, MZ_STORE_NO_MEMORY, "out of memory");
		return NULL;
	}
	*connection = (struct mz_connection){.address = *address, .options = *options};
	return connection;
}

/* Drops the connection, after a failure that `what` names. */
static enum outcome broken(struct mz_connection *connection, const char *what)
{
	snprintf(connection->trouble, sizeof connection->trouble, "%s", what);
	mz_store_clean(connection->trouble);
	if (connection->context) redisFree(connection->context);
	connection->context = NULL;
	return AGAIN;
}

static void forget_reply(struct mz_connection *connection)
{
	if (connection->reply) freeReplyObject(connection->reply);
	connection->reply = NULL;
}

void mz_connection_free(struct mz_connection *connection)
{
	if (!connection) return;
	forget_reply(connection);
	if (connection->context) redisFree(connection->context);
	mz_free(connection->joined);
	explicit_bzero(connection, sizeof *connection);
	mz_free(connection);
}

/* ---- one attempt ---- */

static uint64_t now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

static bool is_given_up(const struct mz_connection *connection)
{
	const struct mz_store_options *options = &connection->options;
	return options->is_interrupted && options->is_interrupted(options->self);
}

/* Sends bytes; writing by the library itself would raise SIGPIPE. */
static bool send_bytes(int fd, const char *at, size_t size)
{
	while (size > 0) {
		ssize_t sent = send(fd, at, size, MSG_NOSIGNAL);
		if (sent < 0 && errno == EINTR) continue;
		if (sent <= 0) return false;
		at += sent;
		size -= (size_t)sent;
	}
	return true;
}

static enum outcome send_command(struct mz_connection *connection, const struct mz_command *command)
{
	const char *words[16];
	size_t sizes[16];
	char *text;
	for (size_t i = 0; i < command->n; i++) {
		words[i] = (const char *)command->words[i].at;
		sizes[i] = command->words[i].size;
	}
	int size = redisFormatCommandArgv(&text, (int)command->n, words, sizes);
	if (size < 0) return broken(connection, "out of memory");
	bool sent = send_bytes(connection->context->fd, text, (size_t)size);
	int problem = errno;
	redisFreeCommand(text);
	return sent ? DONE : broken(connection, problem == EAGAIN ? "no answer" : strerror(problem));
}

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* Says what to do about an error that Redis answered with. */
static enum outcome judge(struct mz_connection *connection, const redisReply *reply)
{
	static const char *const passing[] = {"LOADING",     "BUSY",     "TRYAGAIN", "MASTERDOWN",
	                                      "CLUSTERDOWN", "READONLY", "MISCONF"};
	char said[sizeof connection->trouble];
	size_t size = reply->len < sizeof said - 1 ? reply->len : sizeof said - 1;
	memcpy(said, reply->str, size);
	said[size] = '\0';
	said[strcspn(said, "\r\n")] = '\0';
	mz_store_clean(said);
	if (begins(said, "ERR Function not found")) return MISSING;
	for (size_t i = 0; i < sizeof passing / sizeof *passing; i++)
		if (begins(said, passing[i])) return broken(connection, said);
	memcpy(connection->trouble, said, sizeof said);
	return REFUSED;
}

/* Drops the connection, for good. */
static enum outcome drop(struct mz_connection *connection, enum outcome why)
{
	redisFree(connection->context);
	connection->context = NULL;
	return why;
}

/* What has come of an answer. */
struct arrival {
	uint64_t began, last; /* milliseconds: when waiting for it began, and when bytes came last */
	size_t size;
};

static enum outcome break_off(struct mz_connection *connection)
{
	char said[sizeof connection->context->errstr];
	memcpy(said, connection->context->errstr, sizeof said);
	return broken(connection, said);
}

/* Returns whether the bytes that the library has not read yet begin with a line, or an array, that is longer than any of Redis: the
 * library would take all of it, however long that is. */
static bool is_senseless(const redisReader *reader)
{
	const char *at = reader->buf + reader->pos;
	size_t size = reader->len - reader->pos;
	if (size > LINE_MOST && !memmem(at, LINE_MOST, "\r\n", 2)) return true;
	return size > 1 && *at == '*' && strtol(at + 1, NULL, 10) > PARTS_MOST;
}

/* Waits a moment for bytes of an answer, and hands them to the library. Returns DONE if there may be more to come. */
static enum outcome take_bytes(struct mz_connection *connection, struct arrival *arrival)
{
	char bytes[16384];
	const struct mz_store_options *options = &connection->options;
	struct pollfd ready = {.fd = connection->context->fd, .events = POLLIN};
	uint64_t time = now();
	if (time - arrival->last >= options->timeout) return broken(connection, "no answer");
	if (time - arrival->began >= options->timeout + options->patience)
		return broken(connection, "an answer that does not end");
	if (poll(&ready, 1, SLICE) <= 0) return is_given_up(connection) ? drop(connection, GIVEN_UP) : DONE;
	ssize_t size = recv(ready.fd, bytes, sizeof bytes, MSG_DONTWAIT);
	if (size < 0 && (errno == EINTR || errno == EAGAIN)) return DONE;
	if (size <= 0) return broken(connection, size ? strerror(errno) : "Server closed the connection");
	arrival->last = now();
	arrival->size += (size_t)size;
	if (redisReaderFeed(connection->context->reader, bytes, (size_t)size) != REDIS_OK) return break_off(connection);
	return arrival->size > ANSWER_MOST || is_senseless(connection->context->reader) ? drop(connection, ENDLESS)
	                                                                                : DONE;
}

static enum outcome receive(struct mz_connection *connection)
{
	void *reply = NULL;
	struct arrival arrival = {now(), now(), 0};
	forget_reply(connection);
	for (;;) {
		if (redisGetReplyFromReader(connection->context, &reply) != REDIS_OK) return break_off(connection);
		if (reply) break;
		enum outcome outcome = take_bytes(connection, &arrival);
		if (outcome != DONE) return outcome;
	}
	connection->reply = reply;
	return connection->reply->type == REDIS_REPLY_ERROR ? judge(connection, connection->reply) : DONE;
}

static enum outcome exchange(struct mz_connection *connection, const struct mz_command *commands, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (send_command(connection, &commands[i]) != DONE) return AGAIN;
	for (size_t i = 0; i < n; i++) {
		enum outcome outcome = receive(connection);
		if (outcome == DONE) continue;
		/* the answers to the rest are not read: they must not be taken for those to other commands */
		if (i + 1 < n && connection->context) {
			redisFree(connection->context);
			connection->context = NULL;
		}
		return outcome;
	}
	return DONE;
}

static struct mz_bytes word(const char *text)
{
	return (struct mz_bytes){(const uint8_t *)text, strlen(text)};
}

static enum outcome log_in(struct mz_connection *connection)
{
	const struct mz_address *address = &connection->address;
	if (!*address->password) return DONE;
	struct mz_bytes words[] = {word("AUTH"), word(*address->user ? address->user : "default"),
	                           word(address->password)};
	return exchange(connection, &(struct mz_command){words, 3}, 1);
}

static enum outcome connect_to(struct mz_connection *connection)
{
	uint32_t timeout = connection->options.timeout;
	struct timeval most = {.tv_sec = timeout / 1000, .tv_usec = timeout % 1000 * 1000};
	if (connection->context) return DONE;
	connection->context = redisConnectWithTimeout(connection->address.host, connection->address.port, most);
	if (!connection->context) return broken(connection, "out of memory");
	if (connection->context->err) {
		char said[sizeof connection->context->errstr];
		memcpy(said, connection->context->errstr, sizeof said);
		return broken(connection, said);
	}
	/* programs under test do not inherit the connection */
	fcntl(connection->context->fd, F_SETFD, FD_CLOEXEC);
	redisSetTimeout(connection->context, most);
	redisEnableKeepAlive(connection->context);
	return log_in(connection);
}

static enum outcome load_functions(struct mz_connection *connection)
{
	struct mz_bytes words[] = {word("FUNCTION"), word("LOAD"), word(mz_store_functions)};
	enum outcome outcome = exchange(connection, &(struct mz_command){words, 3}, 1);
	/* another member may have been quicker */
	return outcome == REFUSED && strstr(connection->trouble, "already exists") ? DONE : outcome;
}

static enum outcome attempt(struct mz_connection *connection, const struct mz_command *commands, size_t n)
{
	enum outcome outcome = connect_to(connection);
	if (outcome == DONE) outcome = exchange(connection, commands, n);
	if (outcome != MISSING) return outcome;
	outcome = connect_to(connection);
	if (outcome == DONE) outcome = load_functions(connection);
	if (outcome == DONE) outcome = exchange(connection, commands, n);
	return outcome == MISSING ? AGAIN : outcome;
}

/* ---- until it works ---- */

/* Sleeps between half of `pause` and all of it, so that not all members come back at once. */
static void sleep_for(uint32_t pause)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	pause -= (uint32_t)(time.tv_nsec / 1000 % (pause / 2 + 1));
	time = (struct timespec){.tv_sec = pause / 1000, .tv_nsec = (long)(pause % 1000) * 1000000};
	nanosleep(&time, NULL);
}

/* Puts the strings of a reply together. Returns false if there is something else in it, or no memory. */
static bool join_parts(struct mz_connection *connection, const redisReply *reply, struct mz_bytes *answer)
{
	size_t size = 0;
	for (size_t i = 0; i < reply->elements; i++) {
		if (reply->element[i]->type != REDIS_REPLY_STRING) return false;
		size += reply->element[i]->len;
	}
	if (!mz_array_reserve(&connection->joined, &connection->joined_size, size + 1)) return false;
	*answer = (struct mz_bytes){connection->joined, 0};
	for (size_t i = 0; i < reply->elements; i++) {
		memcpy(connection->joined + answer->size, reply->element[i]->str, reply->element[i]->len);
		answer->size += reply->element[i]->len;
	}
	return true;
}

static enum mz_store_status answer_of(struct mz_connection *connection, struct mz_bytes *answer,
                                      struct mz_store_error *error)
{
	const redisReply *reply = connection->reply;
	*answer = (struct mz_bytes){0};
	if (reply->type == REDIS_REPLY_STRING || reply->type == REDIS_REPLY_STATUS)
		*answer = (struct mz_bytes){(const uint8_t *)reply->str, reply->len};
	else if (reply->type != REDIS_REPLY_NIL &&
	         (reply->type != REDIS_REPLY_ARRAY || !join_parts(connection, reply, answer)))
		return mz_store_fail(error, MZ_STORE_DAMAGED, "Redis answers with something else than strings");
	return MZ_STORE_OK;
}

/* Says what Redis refuses. One that does not know functions is too old. */
static enum mz_store_status refused(const struct mz_connection *connection, struct mz_store_error *error)
{
	const struct mz_address *address = &connection->address;
	const char *said = connection->trouble;
	if (strstr(said, "unknown command") && (strstr(said, "FCALL") || strstr(said, "FUNCTION")))
		return mz_store_fail(error, MZ_STORE_REFUSED,
		                     "Redis at %s:%u has no functions: it has to be of version 7.0 or later",
		                     address->host, address->port);
	return mz_store_fail(error, MZ_STORE_REFUSED, "Redis at %s:%u refuses: %s", address->host, address->port, said);
}

enum mz_store_status mz_connection_call(struct mz_connection *connection, const struct mz_command *commands, size_t n,
                                        struct mz_bytes *answer, struct mz_store_error *error)
{
	const struct mz_store_options *options = &connection->options;
	const struct mz_address *address = &connection->address;
	bool first = !connection->reached && options->patience > FIRST_PATIENCE;
	uint32_t patience = first ? FIRST_PATIENCE : options->patience;
	uint64_t until = now() + patience;
	for (uint32_t pause = PAUSE_FIRST;; pause = pause * 2 < PAUSE_MOST ? pause * 2 : PAUSE_MOST) {
		enum outcome outcome = attempt(connection, commands, n);
		connection->reached |= outcome == DONE;
		if (outcome == DONE) return answer_of(connection, answer, error);
		if (outcome == REFUSED) return refused(connection, error);
		if (outcome == ENDLESS)
			return mz_store_fail(error, MZ_STORE_DAMAGED,
			                     "what answers at %s:%u is no Redis: its answer does not end",
			                     address->host, address->port);
		if (outcome == GIVEN_UP || is_given_up(connection))
			return mz_store_fail(error, MZ_STORE_INTERRUPTED,
			                     "interrupted while Redis at %s:%u did not answer", address->host,
			                     address->port);
		if (now() >= until)
			return mz_store_fail(error, MZ_STORE_UNREACHABLE,
			                     "Redis at %s:%u cannot be reached, for %u seconds: %s", address->host,
			                     address->port, patience / 1000, connection->trouble);
		sleep_for(pause);
	}
}
