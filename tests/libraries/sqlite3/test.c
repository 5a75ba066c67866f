/* SPDX-License-Identifier: MIT
 *
 * SQLite: its mutexes, its initialization and one connection for two threads. sqlite3_initialize() reads whether it was
 * called before without a lock, and so races with itself, as its comments say; nothing comes of it.
 *
 * builds: gcc-O1
 *
 * variant: mutex
 * arguments: mutex
 * expect: optimal 2
 *
 * variant: initialization
 * arguments: initialize
 * findings: data-race
 *
 * variant: initialization without races
 * arguments: initialize
 * options: --no-races
 *
 * variant: connection
 * arguments: connection
 * expect: optimal 2
 */
#include <assert.h>
#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

static void twice(void *(*function)(void *))
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, function, NULL);
	for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
}

static sqlite3_mutex *mutex;
static int counter;

static void *count(void *unused)
{
	sqlite3_mutex_enter(mutex);
	sqlite3_mutex_enter(mutex);
	counter++;
	sqlite3_mutex_leave(mutex);
	sqlite3_mutex_leave(mutex);
	return unused;
}

/* Recursive, and one thread at a time. */
static void test_mutex(void)
{
	assert(sqlite3_initialize() == SQLITE_OK);
	mutex = sqlite3_mutex_alloc(SQLITE_MUTEX_RECURSIVE);
	twice(count);
	assert(counter == 2);
	sqlite3_mutex_free(mutex);
}

static void *initialize(void *unused)
{
	assert(sqlite3_initialize() == SQLITE_OK);
	return unused;
}

static void test_initialize(void)
{
	twice(initialize);
	assert(sqlite3_shutdown() == SQLITE_OK);
}

static sqlite3 *database;

static void *insert(void *unused)
{
	assert(sqlite3_exec(database, "insert into t values (1)", NULL, NULL, NULL) == SQLITE_OK);
	return unused;
}

static int check_count(void *unused, int columns, char **values, char **names)
{
	(void)unused, (void)columns, (void)names;
	counter++;
	return strcmp(values[0], "2");
}

/* Both rows are there. */
static void test_connection(void)
{
	assert(sqlite3_open(":memory:", &database) == SQLITE_OK);
	assert(sqlite3_exec(database, "create table t (x)", NULL, NULL, NULL) == SQLITE_OK);
	twice(insert);
	assert(sqlite3_exec(database, "select count(*) from t", check_count, NULL, NULL) == SQLITE_OK && counter == 1);
	assert(sqlite3_close(database) == SQLITE_OK);
}

int main(int argc, char **argv)
{
	assert(argc == 2);
	if (strcmp(argv[1], "mutex") == 0) test_mutex();
	if (strcmp(argv[1], "initialize") == 0) test_initialize();
	if (strcmp(argv[1], "connection") == 0) test_connection();
	return 0;
}
