/* SPDX-License-Identifier: MIT */
#include "cluster/address.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCHEME "redis://"
#define FORM "a store is redis://[user@]host[:port]/name"
#define PASSWORD "MAZURKA_REDIS_PASSWORD"
#define PASSWORD_FILE "MAZURKA_REDIS_PASSWORD_FILE"

/* Copies `size` characters, unless there are none, or too many. */
static bool copy(char *to, size_t most, const char *from, size_t size)
{
	if (size == 0 || size >= most) return false;
	memcpy(to, from, size);
	to[size] = '\0';
	return true;
}

static bool is_name(const char *text)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
	return text[strspn(text, letters)] == '\0';
}

static bool read_port(struct mz_address *address, const char *at, const char *end)
{
	unsigned port = 0;
	address->port = MZ_REDIS_PORT;
	if (at == end) return true;
	if (*at++ != ':' || at == end) return false;
	for (; at < end && port < 65536; at++) {
		if (*at < '0' || *at > '9') return false;
		port = 10 * port + (unsigned)(*at - '0');
	}
	address->port = (uint16_t)port;
	return port > 0 && port < 65536;
}

/* Reads host[:port]; the host may be an IPv6 address in brackets. */
static bool read_host(struct mz_address *address, const char *at, const char *end)
{
	if (at < end && *at == '[') {
		const char *close = memchr(at, ']', (size_t)(end - at));
		return close && copy(address->host, sizeof address->host, at + 1, (size_t)(close - at - 1)) &&
		       read_port(address, close + 1, end);
	}
	const char *colon = memchr(at, ':', (size_t)(end - at));
	if (!colon) colon = end;
	return copy(address->host, sizeof address->host, at, (size_t)(colon - at)) && read_port(address, colon, end);
}

/* Returns whether host[:port] is all of it, and not the beginning of user:password. */
static bool is_host(struct mz_address *address, const char *at, const char *end)
{
	return !memchr(at, '@', (size_t)(end - at)) && read_host(address, at, end);
}

enum mz_store_status mz_address_read(struct mz_address *address, const char *url, struct mz_store_error *error)
{
	*address = (struct mz_address){0};
	if (strncmp(url, SCHEME, strlen(SCHEME)) != 0) return mz_store_fail(error, MZ_STORE_REFUSED, FORM);
	const char *at = url + strlen(SCHEME), *sign = strrchr(at, '@'), *slash = strchr(at, '/');
	/* behind the slash, with nothing of a password before it, the sign is one of the name, which is refused below */
	if (sign && slash && slash < sign && is_host(address, at, slash)) sign = NULL;
	if (sign && memchr(at, ':', (size_t)(sign - at)))
		return mz_store_fail(
		    error, MZ_STORE_REFUSED,
		    "a password does not belong into a URL, where others see it: put it into the environment "
		    "variable " PASSWORD ", or into a file named by " PASSWORD_FILE);
	if (sign && !copy(address->user, sizeof address->user, at, (size_t)(sign - at)))
		return mz_store_fail(error, MZ_STORE_REFUSED, FORM);
	if (sign) at = sign + 1;
	slash = strchr(at, '/');
	if (!slash || !read_host(address, at, slash)) return mz_store_fail(error, MZ_STORE_REFUSED, FORM);
	if (!copy(address->name, sizeof address->name, slash + 1, strlen(slash + 1)) || !is_name(address->name))
		return mz_store_fail(error, MZ_STORE_REFUSED,
		                     FORM "; the name has letters, digits, '.', '_' and '-', 100 at most");
	return MZ_STORE_OK;
}

/* ---- the password ---- */

static enum mz_store_status read_open_file(struct mz_address *address, int fd, const char *path,
                                           struct mz_store_error *error)
{
	struct stat about;
	if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode))
		return mz_store_fail(error, MZ_STORE_REFUSED, "%s: not a file", path);
	if (about.st_mode & 077)
		return mz_store_fail(error, MZ_STORE_REFUSED, "%s: others may use this file: chmod 600 it", path);
	ssize_t size = read(fd, address->password, sizeof address->password);
	if (size < 0) return mz_store_fail(error, MZ_STORE_REFUSED, "%s: %s", path, strerror(errno));
	if ((size_t)size == sizeof address->password) size = 0;
	address->password[size] = '\0';
	address->password[strcspn(address->password, "\r\n")] = '\0';
	return *address->password
	           ? MZ_STORE_OK
	           : mz_store_fail(error, MZ_STORE_REFUSED, "%s: no password of 1 to 1023 characters", path);
}

static enum mz_store_status read_file(struct mz_address *address, const char *path, struct mz_store_error *error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0) return mz_store_fail(error, MZ_STORE_REFUSED, "%s: %s", path, strerror(errno));
	enum mz_store_status status = read_open_file(address, fd, path, error);
	close(fd);
	return status;
}

/* What the environment said before mz_password_hide(). */
static struct {
	char password[sizeof((struct mz_address *)0)->password];
	char path[PATH_MAX]; /* of the file with the password */
	char too_long[80];   /* one line about a value that was too long; empty: none was */
} hidden;

/* Moves the value of a variable out of the environment. */
static void hide(const char *name, char *to, size_t most)
{
	char *value = getenv(name);
	if (!value) return;
	if (strlen(value) < most)
		strcpy(to, value);
	else
		snprintf(hidden.too_long, sizeof hidden.too_long, "%s: more than %zu characters", name, most - 1);
	explicit_bzero(value, strlen(value));
	unsetenv(name);
}

void mz_password_hide(void)
{
	hide(PASSWORD, hidden.password, sizeof hidden.password);
	hide(PASSWORD_FILE, hidden.path, sizeof hidden.path);
}

enum mz_store_status mz_address_read_password(struct mz_address *address, struct mz_store_error *error)
{
	mz_password_hide();
	if (*hidden.too_long) return mz_store_fail(error, MZ_STORE_REFUSED, "%s", hidden.too_long);
	if (*hidden.password) {
		memcpy(address->password, hidden.password, sizeof hidden.password);
		explicit_bzero(hidden.password, sizeof hidden.password);
		return MZ_STORE_OK;
	}
	if (*hidden.path) return read_file(address, hidden.path, error);
	return *address->user
	           ? mz_store_fail(error, MZ_STORE_REFUSED,
	                           "the URL names a user: put the password into the environment variable " PASSWORD
	                           ", or into a file named by " PASSWORD_FILE)
	           : MZ_STORE_OK;
}

bool mz_address_is_local(const struct mz_address *address)
{
	struct in_addr four;
	struct in6_addr six;
	if (strcmp(address->host, "localhost") == 0) return true;
	if (inet_pton(AF_INET, address->host, &four) == 1) return ntohl(four.s_addr) >> 24 == 127;
	return inet_pton(AF_INET6, address->host, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}
