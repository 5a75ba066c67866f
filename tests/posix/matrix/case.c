/* SPDX-License-Identifier: MIT
 * One case of the matrix: case STORAGE LIFETIME USERS does something correct with an object in the storage; case STORAGE fault NAME does
 * something wrong with it. The object is OBJECT_SOURCE, written by objects.py: the type `object`, initialise, use, destroy, faults.
 * Compiled with a STATIC_INITIALIZER, the object can also be used without initialise. Each use has to have counted once. */
#include OBJECT_SOURCE

static const char *storage, *lifetime, *users;
static object *shared;
static const struct fault *chosen;

static bool is(const char *word, const char *other)
{
	return strcmp(word, other) == 0;
}

static void *run_beside(void *object)
{
	chosen->beside(object);
	return NULL;
}

/* Threads */

static int parties(void)
{
	return is(users, "two") || is(users, "others") || is(users, "published") ? 2 : 1;
}

static void *first_user(void *o)
{
	use(o, 0, parties());
	return NULL;
}

static void *second_user(void *o)
{
	use(o, 1, parties());
	return NULL;
}

static _Atomic(object *) published;

static void *subscriber(void *unused)
{
	(void)unused;
	object *o;
	while ((o = atomic_load_explicit(&published, memory_order_acquire)) == NULL) sched_yield();
	return second_user(o);
}

static void *initialiser(void *o)
{
	initialise(o, parties());
	return NULL;
}

static void *destroyer(void *o)
{
	destroy(o);
	return NULL;
}

static pthread_t started(void *(*function)(void *), void *argument)
{
	pthread_t thread;
	OK(pthread_create(&thread, NULL, function, argument));
	return thread;
}

static void in_thread(void *(*function)(void *), void *argument)
{
	OK(pthread_join(started(function, argument), NULL));
}

/* Returns how often the object was used. */
static int use_by_several(object *o)
{
	if (is(users, "handed")) {
		first_user(o);
		ready = 0;
		in_thread(first_user, o);
		ready = 0;
		first_user(o);
		return 3;
	}
	if (is(users, "turns")) {
		in_thread(first_user, o);
		ready = 0;
		in_thread(first_user, o);
		return 2;
	}
	pthread_t second = started(is(users, "published") ? subscriber : second_user, o);
	atomic_store_explicit(&published, o, memory_order_release);
	if (is(users, "others"))
		in_thread(first_user, o);
	else
		first_user(o);
	OK(pthread_join(second, NULL));
	atomic_store(&published, NULL);
	return 2;
}

static void use_once(object *o)
{
	count = ready = 0;
	int expected = 1;
	if (is(users, "one") || is(users, "made"))
		first_user(o);
	else
		expected = use_by_several(o);
	assert(count == expected);
}

static void set_up_object(object *o)
{
	if (is(users, "made"))
		in_thread(initialiser, o);
	else
		initialise(o, parties());
}

static void tear_down(object *o)
{
	if (is(users, "made"))
		in_thread(destroyer, o);
	else
		destroy(o);
}

/* Lifetimes */

static bool by_initializer(void)
{
	return is(lifetime, "static") || is(lifetime, "static-again");
}

static void assign_initializer(object *o)
{
#ifdef STATIC_INITIALIZER
	static const object initial = STATIC_INITIALIZER;
	memcpy((void *)o, (const void *)&initial, sizeof(*o));
#else
	(void)o;
	abort();
#endif
}

/* The lifetimes of an object in memory that is there; `initialised` if it was defined with an initializer. */
static void live(object *o, bool initialised)
{
	owner = pthread_self();
	if (is(lifetime, "fault")) {
		initialise(o, 1);
		chosen->code(o);
		return;
	}
	if (by_initializer() && !initialised) assign_initializer(o);
	if (is(lifetime, "zero")) memset((void *)o, 0, sizeof(*o));
	if (!by_initializer() && !is(lifetime, "zero")) set_up_object(o);
	use_once(o);
	if (is(lifetime, "kept")) use_once(o);
	if (is(lifetime, "left")) return;
	tear_down(o);
	for (int again = is(lifetime, "again") || is(lifetime, "static-again") ? 1
	                 : is(lifetime, "thrice")                              ? 2
	                                                                       : 0;
	     again; again--) {
		set_up_object(o);
		use_once(o);
		tear_down(o);
	}
}

/* Storages. Of those that are defined, there is one with an initializer, if the object has one, and one without. */

struct around {
	char before;
	object it;
	char after;
};

struct flexible {
	int length;
	object items[];
};

union either {
	char bytes[sizeof(object) + 5];
	object it;
	long number;
};

object global;
static object of_file, row[3];
static struct around inside;
static union either overlaid;
static _Thread_local object of_thread;
#ifdef STATIC_INITIALIZER
object global_initialised = STATIC_INITIALIZER;
static object of_file_initialised = STATIC_INITIALIZER,
              row_initialised[3] = {STATIC_INITIALIZER, STATIC_INITIALIZER, STATIC_INITIALIZER};
static struct around inside_initialised = {1, STATIC_INITIALIZER, 2};
static union either overlaid_initialised = {.it = STATIC_INITIALIZER};
static _Thread_local object of_thread_initialised = STATIC_INITIALIZER;
#define CHOOSE(name) (by_initializer() ? &name##_initialised : &(name))
#define CHOOSE_PART(name, part) (by_initializer() ? &name##_initialised part : &name part)
#else
#define CHOOSE(name) (&(name))
#define CHOOSE_PART(name, part) (&name part)
#endif

static void in_function(void)
{
#ifdef STATIC_INITIALIZER
	static object local_initialised = STATIC_INITIALIZER;
#endif
	static object local;
	live(CHOOSE(local), true);
}

static void automatic(void)
{
#ifdef STATIC_INITIALIZER
	object local_initialised = STATIC_INITIALIZER;
#endif
	object local;
	live(CHOOSE(local), true);
}

static void *in_automatic(void *unused)
{
	automatic();
	return unused;
}

static void *in_thread_local(void *unused)
{
	live(CHOOSE(of_thread), true);
	return unused;
}

static void in_frame(void)
{
	object *o = alloca(sizeof(object));
	live(o, false);
}

static void *moved_by_realloc(void)
{
	void *small = malloc(sizeof(object)), *barrier = malloc(64);
	memset(small, 1, sizeof(object));
	void *moved = realloc(small, 100000 + sizeof(object));
	free(barrier);
	return moved;
}

static void *aligned(size_t alignment)
{
	void *memory;
	OK(posix_memalign(&memory, alignment, sizeof(object)));
	return memory;
}

static void in_heap(void *memory, size_t offset)
{
	assert(memory);
	shared = (object *)((char *)memory + offset);
	if (is(users, "leaked")) {
		initialise(shared, 1);
		*(object *volatile *)&shared = NULL; /* not left out because nobody reads it any more */
		return;
	}
	if (is(users, "freed-before-use")) initialise(shared, 1), free(memory), use(shared, 0, 1);
	if (is(users, "freed-before-join")) {
		initialise(shared, 1);
		pthread_t thread = started(first_user, shared);
		free(memory);
		OK(pthread_join(thread, NULL));
		return;
	}
	if (is(users, "freed-twice"))
		free(memory);
	else
		live(shared, false);
	free(memory);
}

static void in_mapping(int flags)
{
	size_t size = (sizeof(object) + 4095) & ~4095UL;
	object *o = mmap(NULL, size, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
	assert(o != MAP_FAILED);
	if (is(users, "unmapped"))
		initialise(o, 1);
	else
		live(o, false);
	OK(munmap((void *)o, size));
	if (is(users, "unmapped")) use(o, 0, 1);
}

static void *keep_on_stack(void *unused)
{
	object local;
	initialise(&local, 1);
	shared = &local;
	return unused;
}

static void in_other_storage(void)
{
	if (is(storage, "malloc"))
		in_heap(malloc(sizeof(object)), 0);
	else if (is(storage, "calloc"))
		in_heap(calloc(1, sizeof(object)), 0);
	else if (is(storage, "realloc"))
		in_heap(moved_by_realloc(), 0);
	else if (is(storage, "reallocarray"))
		in_heap(reallocarray(NULL, 2, sizeof(object)), 0);
	else if (is(storage, "posix_memalign"))
		in_heap(aligned(256), 0);
	else if (is(storage, "aligned_alloc"))
		in_heap(aligned_alloc(64, (sizeof(object) + 63) & ~63UL), 0);
	else if (is(storage, "element"))
		in_heap(calloc(3, sizeof(object)), sizeof(object));
	else if (is(storage, "member"))
		in_heap(malloc(sizeof(struct around)), offsetof(struct around, it));
	else if (is(storage, "flexible"))
		in_heap(malloc(sizeof(struct flexible) + 2 * sizeof(object)), offsetof(struct flexible, items));
	else if (is(storage, "mmap"))
		in_mapping(MAP_PRIVATE);
	else if (is(storage, "mmap-shared"))
		in_mapping(MAP_SHARED);
	else if (is(storage, "ended-stack")) {
		in_thread(keep_on_stack, NULL);
		use(shared, 0, 1);
	} else
		abort();
}

static void in_storage(void)
{
	if (is(storage, "global"))
		live(CHOOSE(global), true);
	else if (is(storage, "file"))
		live(CHOOSE(of_file), true);
	else if (is(storage, "function"))
		in_function();
	else if (is(storage, "automatic"))
		automatic();
	else if (is(storage, "thread-automatic"))
		in_thread(in_automatic, NULL);
	else if (is(storage, "frame"))
		in_frame();
	else if (is(storage, "array"))
		live(CHOOSE_PART(row, [1]), true);
	else if (is(storage, "struct"))
		live(CHOOSE_PART(inside, .it), true);
	else if (is(storage, "union"))
		live(CHOOSE_PART(overlaid, .it), true);
	else if (is(storage, "thread-local"))
		in_thread_local(NULL);
	else if (is(storage, "other-thread-local"))
		in_thread(in_thread_local, NULL);
	else
		in_other_storage();
}

int main(int argc, char **argv)
{
	if (argc != 4) return 2;
	storage = argv[1], lifetime = argv[2], users = argv[3];
	for (chosen = faults; is(lifetime, "fault") && chosen->name && !is(chosen->name, users); chosen++) {}
	OK(mtx_init(&helper_mtx, mtx_plain));
	in_storage();
	if (is(lifetime, "anew")) in_storage();
	mtx_destroy(&helper_mtx);
	return 0;
}
