#define _GNU_SOURCE  // posix_openpt, ptsname
#include "TenureLibc.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

int tenure_processor_name(char *name, size_t room) {
#ifdef __APPLE__
    return sysctlbyname("machdep.cpu.brand_string", name, &room, NULL, 0) == 0 ? 0 : -1;
#else
    FILE *file = fopen("/proc/cpuinfo", "re");
    if (file == NULL) return -1;
    char line[1024];
    int status = -1;
    // Processors of Arm's have no such line.
    while (status != 0 && fgets(line, sizeof line, file) != NULL) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || colon == NULL) continue;
        line[strcspn(line, "\n")] = '\0';
        const char *text = colon + 1 + strspn(colon + 1, " ");
        status = snprintf(name, room, "%s", text) < (int)room ? 0 : -1;
    }
    fclose(file);
    return status;
#endif
}

double tenure_memory_bytes(void) {
#ifdef __APPLE__
    uint64_t bytes = 0;
    size_t size = sizeof bytes;
    return sysctlbyname("hw.memsize", &bytes, &size, NULL, 0) == 0 ? (double)bytes : 0;
#else
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages < 0 || size < 0 ? 0 : (double)pages * (double)size;
#endif
}

uint64_t tenure_raise_descriptors(uint64_t most) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
    rlim_t hard = limit.rlim_max < most ? limit.rlim_max : (rlim_t)most;
    struct rlimit raised = limit;
    if (hard > limit.rlim_cur) raised.rlim_cur = hard;
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0) return raised.rlim_cur;
#ifdef __APPLE__
    // A hard limit of "any number" isn't meant: this many are allowed to all.
    if (limit.rlim_cur < OPEN_MAX) {
        raised.rlim_cur = OPEN_MAX;
        if (setrlimit(RLIMIT_NOFILE, &raised) == 0) return raised.rlim_cur;
    }
#endif
    return limit.rlim_cur;
}

int tenure_open_terminal(int *program, int *user) {
    *user = posix_openpt(O_RDWR | O_NOCTTY);
    if (*user < 0) return -1;
    const char *name = NULL;
    if (grantpt(*user) == 0 && unlockpt(*user) == 0) name = ptsname(*user);
    *program = name == NULL ? -1 : open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (*program >= 0 && fcntl(*user, F_SETFD, FD_CLOEXEC) == 0) return 0;
    int failure = errno;
    if (*program >= 0) close(*program);
    close(*user);
    errno = failure;
    return -1;
}
