#define _GNU_SOURCE  // POSIX_SPAWN_SETSIGMASK and its kin, readlink
#include "TenureLibc.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __APPLE__
#include <limits.h>
#include <mach-o/dyld.h>
#endif

/// It gets no descriptor above the last but those that it was given: libraries don't always say
/// close-on-exec.
static void limit(
    const struct tenure_program *program, posix_spawn_file_actions_t *actions, short *flags
) {
#ifdef __APPLE__
    *flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
    for (int descriptor = 0; descriptor <= program->last; descriptor++) {
        int is_given = descriptor == 0 && program->reads_nothing;
        for (int index = 0; index < program->count; index++)
            is_given |= program->theirs[index] == descriptor;
        if (!is_given && fcntl(descriptor, F_GETFD) >= 0)
            posix_spawn_file_actions_addinherit_np(actions, descriptor);
    }
#else
    (void)flags;
    // Without /proc, what was marked well is closed and nothing else.
    DIR *entries = opendir("/proc/self/fd");
    if (entries == NULL) return;
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        char *end;
        long descriptor = strtol(entry->d_name, &end, 10);
        if (end == entry->d_name || *end != '\0' || descriptor <= program->last) continue;
        int marks = fcntl((int)descriptor, F_GETFD);
        if (marks >= 0 && (marks & FD_CLOEXEC) == 0)
            posix_spawn_file_actions_addclose(actions, (int)descriptor);
    }
    closedir(entries);
#endif
}

static void set_attributes(
    const struct tenure_program *program, posix_spawn_file_actions_t *actions,
    posix_spawnattr_t *attributes
) {
    short flags = 0;
    sigset_t signals;
    if (program->blocks_nothing) {
        flags |= POSIX_SPAWN_SETSIGMASK;
        sigemptyset(&signals);
        posix_spawnattr_setsigmask(attributes, &signals);
    }
    if (program->is_apart) {
        flags |= POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF;
        sigfillset(&signals);
        posix_spawnattr_setsigdefault(attributes, &signals);
        posix_spawnattr_setpgroup(attributes, 0);
        limit(program, actions, &flags);
    }
    posix_spawnattr_setflags(attributes, flags);
}

int tenure_start_program(const struct tenure_program *program, pid_t *id) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    if (program->reads_nothing)
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    for (int index = 0; index < program->count; index++)
        posix_spawn_file_actions_adddup2(&actions, program->ours[index], program->theirs[index]);
    set_attributes(program, &actions, &attributes);
    int failure = posix_spawn(
        id, program->path, &actions, &attributes, program->arguments, program->environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

int tenure_own_path(char *path, size_t room) {
#ifdef __APPLE__
    char raw[PATH_MAX], real[PATH_MAX];
    uint32_t size = sizeof raw;
    if (_NSGetExecutablePath(raw, &size) != 0 || realpath(raw, real) == NULL) return -1;
    return strlcpy(path, real, room) < room ? 0 : -1;
#else
    ssize_t count = readlink("/proc/self/exe", path, room);
    if (count < 0 || (size_t)count >= room) return -1;
    path[count] = '\0';
    return 0;
#endif
}
