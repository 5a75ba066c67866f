/* SPDX-License-Identifier: MIT
 *
 * A cache in memory that any number of threads may share. It keeps what was used last, up to a capacity; entries have a
 * charge, which counts against it, and may expire.
 *
 *     Cache<std::string, Page> pages({.capacity = 1000});
 *     auto page = pages.get_or_load(url, [](const std::string &url) { return fetch(url); });
 *     show(*page);
 *
 * What get() and its like return is a Pinned: as long as there is one the entry stays where it is in memory, whether
 * the cache still has it or not. Values are not to be changed by then.
 *
 * Keys are spread over shards, each with a mutex, a map, and a list from the entry used last to the one used least
 * recently. A pinned entry is in no list: it cannot be evicted, and goes to the front when its last pin is gone. An
 * entry that is in no map any more belongs to its pins.
 *
 * No function of the user's is called with a mutex held.
 */
#ifndef CACHE_H
#define CACHE_H

#include <cassert>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

template <typename Key, typename Value> class Cache
{
      public:
	using Clock = std::function<std::uint64_t()>;
	using Listener = std::function<void(const Key &, const Value &)>;
	using Loader = std::function<Value(const Key &)>;

	struct Options {
		std::size_t capacity = 1; /* of each shard: the sum of the charges */
		std::size_t shards = 1;
		std::uint64_t lifetime = 0; /* in units of the clock; 0: entries do not expire */
		Clock clock;
		Listener on_evict; /* told what the cache gives up for lack of room */
	};

	struct Statistics {
		std::size_t hits = 0, misses = 0, loads = 0, evictions = 0;
	};

      private:
	struct Entry;
	struct Shard;

      public:
	/* Holds an entry. */
	class Pinned
	{
	      public:
		Pinned() = default;
		Pinned(Pinned &&other) noexcept
		    : cache(std::exchange(other.cache, nullptr)), entry(std::exchange(other.entry, nullptr))
		{
		}
		Pinned(const Pinned &) = delete;
		Pinned &operator=(const Pinned &) = delete;
		Pinned &operator=(Pinned &&other) noexcept
		{
			std::swap(cache, other.cache);
			std::swap(entry, other.entry);
			return *this;
		}
		~Pinned()
		{
			if (entry) cache->unpin(entry);
		}
		explicit operator bool() const
		{
			return entry != nullptr;
		}
		const Value &operator*() const
		{
			return entry->value;
		}
		const Value *operator->() const
		{
			return &entry->value;
		}
		const Key &key() const
		{
			return entry->key;
		}

	      private:
		friend class Cache;
		Pinned(Cache *in, Entry *what) : cache(in), entry(what)
		{
		}
		Cache *cache = nullptr;
		Entry *entry = nullptr;
	};

	explicit Cache(Options with) : options(std::move(with)), shards(options.shards)
	{
		assert(!shards.empty());
	}

	Cache(const Cache &) = delete;
	Cache &operator=(const Cache &) = delete;

	/* Nothing may be pinned any more. */
	~Cache()
	{
		for (Shard &shard : shards)
			for (auto &[key, entry] : shard.entries) delete entry;
	}

	/* Empty if it is not there. */
	Pinned get(const Key &key)
	{
		Shard &shard = shard_of(key);
		std::uint64_t now = time();
		std::unique_lock<std::mutex> lock(shard.mutex);
		Entry *entry = find(shard, key, now);
		(entry ? shard.statistics.hits : shard.statistics.misses)++;
		return entry ? pin(shard, entry) : Pinned();
	}

	/* In place of what is there under this key. */
	Pinned put(const Key &key, Value value, std::size_t charge = 1)
	{
		Shard &shard = shard_of(key);
		auto fresh = std::make_unique<Entry>(key, std::move(value), charge, expiry());
		Garbage garbage;
		Pinned result;
		{
			std::lock_guard<std::mutex> lock(shard.mutex);
			result = insert(shard, std::move(fresh), garbage);
		}
		dispose(garbage);
		return result;
	}

	/* What is there, or what `load` makes of the key. If several ask for the same key at the same time one of them
	 * loads, and the others wait for it. What load throws goes to the one that called it; of the others, one tries
	 * again. */
	Pinned get_or_load(const Key &key, const Loader &load, std::size_t charge = 1)
	{
		Shard &shard = shard_of(key);
		for (;;) {
			std::uint64_t now = time();
			std::unique_lock<std::mutex> lock(shard.mutex);
			if (Entry *entry = find(shard, key, now)) {
				shard.statistics.hits++;
				return pin(shard, entry);
			}
			auto flight = shard.flights.find(key);
			if (flight == shard.flights.end()) {
#ifdef WRONG_LOAD_TWICE
				lock.unlock(); /* a loader may take long */
				lock.lock();
#endif
				shard.statistics.misses++;
				shard.flights[key] = std::make_shared<Flight>();
				lock.unlock();
				return load_and_put(shard, key, load, charge);
			}
			std::shared_ptr<Flight> other = flight->second;
			other->landed.wait(lock, [&] { return other->over; });
		}
	}

	/* Whether it was there. */
	bool erase(const Key &key)
	{
		Shard &shard = shard_of(key);
		Garbage garbage;
		bool found = false;
		{
			std::lock_guard<std::mutex> lock(shard.mutex);
			auto at = shard.entries.find(key);
			if (at != shard.entries.end()) {
				found = true;
				take_out(shard, at->second, garbage);
			}
		}
		return found;
	}

	void clear()
	{
		for (Shard &shard : shards) {
			Garbage garbage;
			std::lock_guard<std::mutex> lock(shard.mutex);
			while (!shard.entries.empty()) take_out(shard, shard.entries.begin()->second, garbage);
		}
	}

	/* Calls function(key, value) for what was there a moment ago. */
	void for_each(const std::function<void(const Key &, const Value &)> &function)
	{
		for (Shard &shard : shards) {
			std::vector<Pinned> all;
			{
				std::lock_guard<std::mutex> lock(shard.mutex);
				all.reserve(shard.entries.size());
				for (auto &[key, entry] : shard.entries) all.push_back(pin(shard, entry));
			}
			for (const Pinned &entry : all) function(entry.key(), *entry);
		}
	}

	/* Gives up what has become too much. */
	void set_capacity(std::size_t capacity)
	{
		for (Shard &shard : shards) {
			Garbage garbage;
			{
				std::lock_guard<std::mutex> lock(shard.mutex);
				shard.capacity = capacity;
				make_room(shard, garbage);
			}
			dispose(garbage);
		}
	}

	std::size_t size()
	{
		std::size_t sum = 0;
		for (Shard &shard : shards) {
			std::lock_guard<std::mutex> lock(shard.mutex);
			sum += shard.entries.size();
		}
		return sum;
	}

	Statistics statistics()
	{
		Statistics sum;
		for (Shard &shard : shards) {
			std::lock_guard<std::mutex> lock(shard.mutex);
			sum.hits += shard.statistics.hits;
			sum.misses += shard.statistics.misses;
			sum.loads += shard.statistics.loads;
			sum.evictions += shard.statistics.evictions;
		}
		return sum;
	}

      private:
	struct Entry {
		Entry(Key k, Value v, std::size_t c, std::uint64_t e)
		    : key(std::move(k)), value(std::move(v)), charge(c), expires(e)
		{
		}
		const Key key;
		const Value value;
		const std::size_t charge;
		const std::uint64_t expires; /* 0: never */
		/* with the shard's mutex: */
		std::size_t pins = 0;
		bool cached = false;                                        /* whether it is in the map */
		std::optional<typename std::list<Entry *>::iterator> place; /* in the list, if it is in it */
	};

	/* Somebody loads a key. */
	struct Flight {
		std::condition_variable landed;
		bool over = false;
	};

	struct Shard {
		std::mutex mutex;
		std::unordered_map<Key, Entry *> entries;
		std::list<Entry *> unpinned; /* used last first */
		std::unordered_map<Key, std::shared_ptr<Flight>> flights;
		std::size_t charge = 0; /* of all in the map */
		std::optional<std::size_t> capacity;
		Statistics statistics;
	};

	/* What was taken out and belongs to nobody: to be told to the listener, and freed, without a mutex. */
	struct Garbage {
		std::vector<std::unique_ptr<Entry>> evicted, erased;
	};

	Shard &shard_of(const Key &key)
	{
		return shards[std::hash<Key>()(key) % shards.size()];
	}

	std::uint64_t time() const
	{
		return options.clock ? options.clock() : 0;
	}

	std::uint64_t expiry() const
	{
		return options.lifetime ? time() + options.lifetime : 0;
	}

	/* ---- with the shard's mutex ---- */

	/* One that has expired is not there; it is taken out when room is needed. */
	Entry *find(Shard &shard, const Key &key, std::uint64_t now)
	{
		auto at = shard.entries.find(key);
		if (at == shard.entries.end()) return nullptr;
		Entry *entry = at->second;
		return entry->expires && entry->expires <= now ? nullptr : entry;
	}

	Pinned pin(Shard &shard, Entry *entry)
	{
		if (entry->pins++ == 0 && entry->place) {
			shard.unpinned.erase(*entry->place);
			entry->place.reset();
#ifdef WRONG_EVICT_PINNED
			to_front(shard, entry);
#endif
		}
		return Pinned(this, entry);
	}

	void to_front(Shard &shard, Entry *entry)
	{
		shard.unpinned.push_front(entry);
		entry->place = shard.unpinned.begin();
	}

	/* From map and list. If nobody has pinned it, it is garbage. */
	void take_out(Shard &shard, Entry *entry, Garbage &garbage, bool evicted = false)
	{
		shard.entries.erase(entry->key);
		shard.charge -= entry->charge;
		entry->cached = false;
		if (!entry->place) return;
		shard.unpinned.erase(*entry->place);
		entry->place.reset();
		(evicted ? garbage.evicted : garbage.erased).emplace_back(entry);
		if (evicted) shard.statistics.evictions++;
	}

	void make_room(Shard &shard, Garbage &garbage)
	{
		std::size_t capacity = shard.capacity.value_or(options.capacity);
		while (shard.charge > capacity && !shard.unpinned.empty())
			take_out(shard, shard.unpinned.back(), garbage, true);
	}

	Pinned insert(Shard &shard, std::unique_ptr<Entry> fresh, Garbage &garbage)
	{
		auto at = shard.entries.find(fresh->key);
		if (at != shard.entries.end()) take_out(shard, at->second, garbage);
		Entry *entry = fresh.release();
		shard.entries.emplace(entry->key, entry);
		shard.charge += entry->charge;
		entry->cached = true;
		Pinned result = pin(shard, entry); /* first, or it might be what has to go */
		make_room(shard, garbage);
#ifdef WRONG_LISTENER_WITH_LOCK
		dispose(garbage);
#endif
		return result;
	}

	/* ---- without ---- */

	void dispose(Garbage &garbage)
	{
		for (const std::unique_ptr<Entry> &entry : garbage.evicted)
			if (options.on_evict) options.on_evict(entry->key, entry->value);
		garbage.evicted.clear();
		garbage.erased.clear();
	}

	void unpin(Entry *entry)
	{
		Shard &shard = shard_of(entry->key);
		Garbage garbage;
		std::unique_ptr<Entry> orphan;
		{
			std::lock_guard<std::mutex> lock(shard.mutex);
			if (--entry->pins > 0) return;
			if (entry->cached) {
				if (!entry->place) to_front(shard, entry);
				make_room(shard, garbage); /* there may have been nothing else to give up */
			} else {
				orphan.reset(entry);
			}
		}
		dispose(garbage);
	}

	/* All who wait for the key look again. */
	void land(Shard &shard, const Key &key)
	{
		auto flight = shard.flights.find(key);
		if (flight == shard.flights.end()) return;
		flight->second->over = true;
		flight->second->landed.notify_all();
		shard.flights.erase(flight);
	}

	Pinned load_and_put(Shard &shard, const Key &key, const Loader &load, std::size_t charge)
	{
		std::unique_ptr<Entry> fresh;
		try {
			fresh = std::make_unique<Entry>(key, load(key), charge, expiry());
		} catch (...) {
			std::lock_guard<std::mutex> lock(shard.mutex);
			land(shard, key);
			throw;
		}
		Garbage garbage;
		Pinned result;
		{
			std::lock_guard<std::mutex> lock(shard.mutex);
			shard.statistics.loads++;
			result = insert(shard, std::move(fresh), garbage);
			land(shard, key);
		}
		dispose(garbage);
		return result;
	}

	const Options options;
	std::vector<Shard> shards;
};

#endif
