// Tells the thread sanitizer what Swift's Mutex does when it is contended.
//
// Taking a free mutex is inlined into the caller, so the sanitizer sees it; waiting for one and waking who waits is code
// of libswiftSynchronization.so, which is not built with it: whatever such a mutex guards would be reported as a race.
// Preloaded, this stands before those two functions and says what they order. Nothing is suppressed: memory that no
// mutex guards is still reported.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

// Weak: only a program built with the sanitizer has them.
void __tsan_acquire(void *) __attribute__((weak));
void __tsan_release(void *) __attribute__((weak));

// Synchronization._MutexHandle._lockSlow(UInt32) and _unlockSlow(), as `swift demangle` has them.
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

typedef SWIFT void lock_function(uint32_t thread, SELF mutex);
typedef SWIFT void unlock_function(SELF mutex);

SWIFT void lock_slow(uint32_t thread, SELF mutex) __asm__(LOCK);
SWIFT void lock_slow(uint32_t thread, SELF mutex) {
    ((lock_function *)dlsym(RTLD_NEXT, LOCK))(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock_slow(SELF mutex) __asm__(UNLOCK);
SWIFT void unlock_slow(SELF mutex) {
    if (__tsan_release) __tsan_release(mutex);
    ((unlock_function *)dlsym(RTLD_NEXT, UNLOCK))(mutex);
}
