// Tells ThreadSanitizer what it can't see of Swift's own libraries, which aren't instrumented.
// Linked into the tests' programs by `Tests/Sanitizers/run`, in front of those libraries; nothing
// here is part of what is shipped. It says more about who waits for whom and ignores what has no
// address, so a race beside it is still one (probe.swift checks both).

#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define swiftcall __attribute__((swiftcall))
#define self_register __attribute__((swift_context))
#define swiftasynccall __attribute__((swiftasynccall))
#define async_register __attribute__((swift_async_context))

// Weak, because the build's own tools get this too and aren't sanitized.
#define tsan extern __attribute__((weak))
tsan void __tsan_acquire(void *);
tsan void __tsan_release(void *);
tsan void __real___tsan_external_write(void *address, void *caller, void *tag);

static void *original(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL) abort();
    return found;
}

// 1. `Synchronization.Mutex` under contention.
//
// The fast path, a compare-and-swap, is inlined into our code and seen. The rest is done by
// libswiftSynchronization and the kernel (FUTEX_LOCK_PI): the lock is handed over unseen, and what
// it protects looks like a race. The three slow functions take the mutex in Swift's `self`.

#define HANDLE "$s15Synchronization12_MutexHandleV"
#define LOCK HANDLE "9_lockSlowyys6UInt32VF"
#define TRY_LOCK HANDLE "12_tryLockSlowSbyF"
#define UNLOCK HANDLE "11_unlockSlowyyF"

swiftcall void lock_slow(uint32_t thread, self_register void *mutex) __asm__(LOCK);
swiftcall void lock_slow(uint32_t thread, self_register void *mutex) {
    swiftcall void (*next)(uint32_t, self_register void *) = original(LOCK);
    next(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

swiftcall bool try_lock_slow(self_register void *mutex) __asm__(TRY_LOCK);
swiftcall bool try_lock_slow(self_register void *mutex) {
    swiftcall bool (*next)(self_register void *) = original(TRY_LOCK);
    bool is_locked = next(mutex);
    if (is_locked && __tsan_acquire) __tsan_acquire(mutex);
    return is_locked;
}

swiftcall void unlock_slow(self_register void *mutex) __asm__(UNLOCK);
swiftcall void unlock_slow(self_register void *mutex) {
    swiftcall void (*next)(self_register void *) = original(UNLOCK);
    if (__tsan_release) __tsan_release(mutex);
    next(mutex);
}

// 2. A continuation that is resumed before its task has got to waiting for it.
//
// Whoever resumes releases the task, and a task that was suspended acquires itself when it runs
// on. One that needn't be suspended goes on at once, ordered by an atomic in libswift_Concurrency,
// and what the other side wrote before looks like a race. That path, and no other, goes on through
// the context's own copy of the function to return to, so that copy is exchanged.

struct task {
    void *job[7];
    void *resume;
};

struct continuation {
    void *parent;
    void *resume;
};

typedef swiftasynccall void resume_function(async_register struct continuation *);

extern swiftcall struct task *swift_task_getCurrent(void);

static swiftasynccall void resume_early(async_register struct continuation *continuation) {
    struct task *task = swift_task_getCurrent();
    if (__tsan_acquire) __tsan_acquire(task);
    __attribute__((musttail)) return ((resume_function *)task->resume)(continuation);
}

typedef swiftasynccall void await_function(struct continuation *);

await_function swift_continuation_await;
swiftasynccall void swift_continuation_await(struct continuation *continuation) {
    await_function *next = original("swift_continuation_await");
    if (swift_task_getCurrent()->resume != continuation->resume) abort();
    continuation->resume = resume_early;
    __attribute__((musttail)) return next(continuation);
}

// 3. `inout` arguments of types without a size, such as `SystemRandomNumberGenerator`.
//
// Swift notes every `inout` access as a write, also of nothing, and the address it then gives is
// whatever the register held: often code, whose shadow can't be written. So a write to what can't
// be written is passed over. (`--wrap` makes this the one that is called.)

static struct { uintptr_t start, end; } fixed[512];
static int fixed_count;

static int collect(struct dl_phdr_info *image, size_t size, void *unused) {
    (void)size, (void)unused;
    for (int index = 0; index < image->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &image->dlpi_phdr[index];
        if (part->p_type != PT_LOAD || part->p_flags & PF_W) continue;
        if (fixed_count == sizeof(fixed) / sizeof(fixed[0])) abort();
        fixed[fixed_count].start = image->dlpi_addr + part->p_vaddr;
        fixed[fixed_count++].end = image->dlpi_addr + part->p_vaddr + part->p_memsz;
    }
    return 0;
}

__attribute__((constructor)) static void collect_fixed(void) { dl_iterate_phdr(collect, NULL); }

// Where a Linux program on x86-64 has its own memory under ThreadSanitizer; between lie shadows.
static bool is_memory(uintptr_t address) {
    return (address >= 0x550000000000 && address < 0x568000000000)
        || (address >= 0x720000000000 && address < 0x730000000000)
        || (address >= 0x7e8000000000 && address < 0x800000000000);
}

void __wrap___tsan_external_write(void *address, void *caller, void *tag);
void __wrap___tsan_external_write(void *address, void *caller, void *tag) {
    uintptr_t at = (uintptr_t)address;
    if (!is_memory(at)) return;
    for (int index = 0; index < fixed_count; index++)
        if (at >= fixed[index].start && at < fixed[index].end) return;
    // The caller is this function unless told, and reports name it.
    if (caller == NULL) caller = __builtin_return_address(0);
    __real___tsan_external_write(address, caller, tag);
}
