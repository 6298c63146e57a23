// Tells ThreadSanitizer what a contended `Synchronization.Mutex` orders.
//
// The fast path of the mutex, a compare-and-swap, is inlined into our code and seen. Under
// contention the rest is done by libswiftSynchronization, which isn't instrumented, and by the
// kernel (FUTEX_LOCK_PI): the lock is handed over unseen, and what it protects looks like a race.
// So these three stand in front of the library's, call them, and say what was acquired and
// released. Nothing is suppressed: a race beside the lock is still one.
//
// Linked into the tests' programs by `Tests/Sanitizers/run`; `self` comes in Swift's own register.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define swiftcall __attribute__((swiftcall))
#define context __attribute__((swift_context))

#define HANDLE "$s15Synchronization12_MutexHandleV"
#define LOCK HANDLE "9_lockSlowyys6UInt32VF"
#define TRY_LOCK HANDLE "12_tryLockSlowSbyF"
#define UNLOCK HANDLE "11_unlockSlowyyF"

extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

static void *original(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL) abort();
    return found;
}

swiftcall void lock_slow(uint32_t thread, context void *handle) __asm__(LOCK);
swiftcall void lock_slow(uint32_t thread, context void *handle) {
    swiftcall void (*next)(uint32_t, context void *) = original(LOCK);
    next(thread, handle);
    if (__tsan_acquire) __tsan_acquire(handle);
}

swiftcall bool try_lock_slow(context void *handle) __asm__(TRY_LOCK);
swiftcall bool try_lock_slow(context void *handle) {
    swiftcall bool (*next)(context void *) = original(TRY_LOCK);
    bool locked = next(handle);
    if (locked && __tsan_acquire) __tsan_acquire(handle);
    return locked;
}

swiftcall void unlock_slow(context void *handle) __asm__(UNLOCK);
swiftcall void unlock_slow(context void *handle) {
    swiftcall void (*next)(context void *) = original(UNLOCK);
    if (__tsan_release) __tsan_release(handle);
    next(handle);
}
