/* SPDX-License-Identifier: MIT
 *
 * A sleeper adds itself to `waiters` before it looks whether there is something to do, a notifier looks at `waiters`
 * after it has made something to do: at least one of them sees the other. `count` is for the time between preparing and
 * sleeping: it changes with each notification, and the sleeper does not sleep if it has.
 */
#include "event.h"

void event_init(event *event)
{
	atomic_init(&event->count, 0);
	atomic_init(&event->waiters, 0);
	pthread_mutex_init(&event->mutex, NULL);
	pthread_cond_init(&event->changed, NULL);
}

void event_destroy(event *event)
{
	pthread_cond_destroy(&event->changed);
	pthread_mutex_destroy(&event->mutex);
}

unsigned event_prepare(event *event)
{
	atomic_fetch_add(&event->waiters, 1);
	return atomic_load(&event->count);
}

void event_cancel(event *event)
{
	atomic_fetch_sub(&event->waiters, 1);
}

void event_wait(event *event, unsigned key)
{
	pthread_mutex_lock(&event->mutex);
	while (atomic_load(&event->count) == key) pthread_cond_wait(&event->changed, &event->mutex);
	pthread_mutex_unlock(&event->mutex);
	event_cancel(event);
}

void event_notify(event *event)
{
	if (atomic_load(&event->waiters) == 0) return;
#ifdef WRONG_NOTIFY_WITHOUT_MUTEX
	atomic_fetch_add(&event->count, 1);
	pthread_cond_broadcast(&event->changed);
#else
	pthread_mutex_lock(&event->mutex);
	atomic_fetch_add(&event->count, 1);
	pthread_cond_broadcast(&event->changed);
	pthread_mutex_unlock(&event->mutex);
#endif
}
