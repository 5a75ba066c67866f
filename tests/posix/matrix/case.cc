/* SPDX-License-Identifier: MIT
 * One case of the matrix in C++: case STORAGE LIFETIME USERS does something correct with an object in the storage; case STORAGE fault NAME
 * does something wrong with it. The object is OBJECT_SOURCE, written by objects_cxx.py: the type `object` with use(), and faults. */
#include OBJECT_SOURCE

static const char *storage, *lifetime, *users;
static const fault *chosen;

static bool is(const char *word, const char *other)
{
	return std::strcmp(word, other) == 0;
}

/* Objects that are constructed before main need to know what is asked for, too. */
__attribute__((constructor(101))) static void take_arguments(int argc, char **argv)
{
	storage = argc == 4 ? argv[1] : "", lifetime = argc == 4 ? argv[2] : "", users = argc == 4 ? argv[3] : "";
}

static int parties()
{
	return is(users, "two") || is(users, "others") || is(users, "published") ? 2 : 1;
}

static void run_beside(object *object)
{
	(object->*chosen->beside)();
}

static std::atomic<object *> published;

static void second_user(object *o)
{
	if (is(users, "published")) {
		while ((o = published.load(std::memory_order_acquire)) == nullptr) std::this_thread::yield();
	}
	o->use(1, 2);
}

static void first_user(object *o)
{
	o->use(0, parties());
}

static int use_by_several(object &o)
{
	if (is(users, "handed")) {
		first_user(&o);
		std::thread(first_user, &o).join();
		first_user(&o);
		return 3;
	}
	if (is(users, "turns")) {
		std::thread(first_user, &o).join();
		std::thread(first_user, &o).join();
		return 2;
	}
	std::thread second(second_user, is(users, "published") ? nullptr : &o);
	published.store(&o, std::memory_order_release);
	if (is(users, "others"))
		std::thread(first_user, &o).join();
	else
		first_user(&o);
	second.join();
	published = nullptr;
	return 2;
}

static void use_once(object &o)
{
	count = 0;
	int expected = 1;
	if (is(users, "one"))
		first_user(&o);
	else
		expected = use_by_several(o);
	assert(count == expected);
}

static void live(object &o)
{
	if (is(lifetime, "fault")) {
		(o.*chosen->code)();
		return;
	}
	use_once(o);
	if (is(lifetime, "kept")) use_once(o);
	for (int again = is(lifetime, "again") ? 1 : is(lifetime, "thrice") ? 2 : 0; again; again--) {
		o.~object();
		new (&o) object();
		use_once(o);
	}
}

struct around {
	char before = 1;
	object it;
	char after = 2;
};

union either {
	char bytes[sizeof(object) + 5];
	object it;
	either() : bytes()
	{
	}
	~either()
	{
	}
};

template <class Function> static void when(const char *name, Function function)
{
	if (is(storage, name)) function();
}

/* Storages that are there in every run would make objects in cases of other storages, which does no harm. */
object global;
static object of_file, row[3];
static around inside;
static either overlaid;
static std::array<object, 2> standard_array;
static thread_local object of_thread;
struct owner {
	static inline object member;
};

static void in_memory(void *memory)
{
	object *o = new (memory) object();
	live(*o);
	if (!is(lifetime, "left")) o->~object();
}

static void in_mapping()
{
	void *memory = mmap(nullptr, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert(memory != MAP_FAILED);
	in_memory(memory);
	assert(munmap(memory, 65536) == 0);
}

static void in_new()
{
	auto *o = new object();
	if (is(users, "leaked")) {
		o = nullptr;
		return;
	}
	if (is(users, "freed-twice")) delete o;
	if (is(users, "freed-before-use")) delete o, first_user(o);
	if (is(users, "freed-before-join")) {
		std::thread thread(first_user, o);
		delete o;
		thread.join();
		return;
	}
	if (!is(users, "freed-twice")) live(*o);
	delete o;
}

static void in_function()
{
	static object o;
	live(o);
}

static void automatic()
{
	object o;
	live(o);
}

static void in_containers()
{
	when("vector", [] {
		std::vector<object> v(2);
		live(v[1]);
	});
	when("deque", [] {
		std::deque<object> d;
		d.emplace_back();
		live(d.emplace_back());
	});
	when("list", [] {
		std::list<object> l;
		live(l.emplace_back());
	});
	when("map", [] {
		std::map<int, object> m;
		live(m[3]);
	});
	when("optional", [] {
		std::optional<object> o;
		live(o.emplace());
	});
	when("unique_ptr", [] {
		auto o = std::make_unique<object>();
		live(*o);
	});
	when("shared_ptr", [] {
		auto o = std::make_shared<object>();
		live(*o);
	});
	when("array", [] { live(standard_array[1]); });
}

static void in_storage()
{
	when("global", [] { live(global); });
	when("file", [] { live(of_file); });
	when("function", in_function);
	when("automatic", automatic);
	when("thread-automatic", [] { std::thread(automatic).join(); });
	when("row", [] { live(row[1]); });
	when("struct", [] { live(inside.it); });
	when("union", [] { in_memory(&overlaid.it); });
	when("thread-local", [] { live(of_thread); });
	when("other-thread-local", [] { std::thread([] { live(of_thread); }).join(); });
	when("static-member", [] { live(owner::member); });
	when("new", in_new);
	when("new-array", [] {
		auto *row = new object[3];
		live(row[1]);
		delete[] row;
	});
	when("new-aligned", [] {
		struct alignas(128) wide {
			object o;
		};
		auto *w = new wide();
		live(w->o);
		delete w;
	});
	when("buffer", [] {
		alignas(object) unsigned char bytes[sizeof(object)];
		in_memory(bytes);
	});
	when("malloc", [] {
		void *memory = malloc(sizeof(object));
		in_memory(memory);
		free(memory);
	});
	when("mmap", in_mapping);
	in_containers();
}

int main(int argc, char **argv)
{
	if (argc != 4) return 2;
	for (chosen = faults; is(lifetime, "fault") && chosen->name && !is(chosen->name, users); chosen++) {}
	in_storage();
	if (is(lifetime, "anew")) in_storage();
	(void)argv;
	return 0;
}
