/* SPDX-License-Identifier: MIT
 *
 * Sleeping until something happens, for code without locks. Who finds nothing to do says that it is going to sleep,
 * looks again, and then sleeps or not:
 *
 *     while (!ready()) {
 *             unsigned key = event_prepare(&event);
 *             if (ready())
 *                     event_cancel(&event);
 *             else
 *                     event_wait(&event, key);
 *     }
 *
 * Who makes it ready calls event_notify() afterwards, which costs next to nothing if nobody is about to sleep.
 */
#ifndef EVENT_H
#define EVENT_H

#include <pthread.h>
#include <stdatomic.h>

typedef struct event {
	atomic_uint count, waiters;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
} event;

void event_init(event *event);
void event_destroy(event *event);

unsigned event_prepare(event *event);
void event_cancel(event *event);

/* Returns when there was a notification since event_prepare(). */
void event_wait(event *event, unsigned key);

/* Wakes all. */
void event_notify(event *event);

#endif
