/* Preloaded into a process, shifts its wall clock by an offset that another process writes.
 *
 * TENURE_CLOCK_FILE names a file of eight bytes, nanoseconds, shared by mapping it. The clocks that
 * count from the machine's start (CLOCK_MONOTONIC, CLOCK_BOOTTIME) are left alone, as they are when
 * somebody sets a real machine's clock. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const int64_t SECOND = 1000000000;
static volatile int64_t *offset;

__attribute__((constructor)) static void map_offset(void) {
    const char *path = getenv("TENURE_CLOCK_FILE");
    if (!path) return;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return;
    void *page = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (page != MAP_FAILED) offset = page;
}

static int is_wall_clock(clockid_t clock) {
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int status = (int)syscall(SYS_clock_gettime, clock, time);
    if (status == 0 && offset && is_wall_clock(clock)) {
        int64_t nanoseconds = time->tv_nsec + *offset % SECOND;
        time->tv_sec += *offset / SECOND;
        if (nanoseconds < 0) {
            nanoseconds += SECOND;
            time->tv_sec -= 1;
        } else if (nanoseconds >= SECOND) {
            nanoseconds -= SECOND;
            time->tv_sec += 1;
        }
        time->tv_nsec = nanoseconds;
    }
    return status;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct timespec now;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    if (time) {
        time->tv_sec = now.tv_sec;
        time->tv_usec = now.tv_nsec / 1000;
    }
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return (time_t)-1;
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}
