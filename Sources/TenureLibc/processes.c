#define _GNU_SOURCE  // readlink
#include "TenureLibc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __APPLE__
#include <libproc.h>
#include <mach/mach_time.h>
#include <sys/proc_info.h>
#else
#include <dirent.h>
#include <limits.h>
#endif

#ifdef __APPLE__
static int works_in(pid_t id, const char *folder) {
    struct proc_vnodepathinfo info;
    int size = proc_pidinfo(id, PROC_PIDVNODEPATHINFO, 0, &info, (int)sizeof info);
    return size == (int)sizeof info && strcmp(info.pvi_cdir.vip_path, folder) == 0;
}

int tenure_processes_in(const char *folder, pid_t *found, int room) {
    // Some may be started meanwhile.
    int most = proc_listallpids(NULL, 0) + 64;
    pid_t *all = calloc((size_t)most, sizeof *all);
    if (all == NULL) return 0;
    int listed = proc_listallpids(all, most * (int)sizeof *all);
    int count = 0;
    for (int index = 0; index < listed; index++) {
        if (!works_in(all[index], folder)) continue;
        if (count < room) found[count] = all[index];
        count++;
    }
    free(all);
    return count;
}

/// Zeros for a process that is gone, or isn't ours to look at.
static struct proc_taskinfo usage(pid_t id) {
    struct proc_taskinfo info;
    memset(&info, 0, sizeof info);
    int size = proc_pidinfo(id, PROC_PIDTASKINFO, 0, &info, (int)sizeof info);
    if (size != (int)sizeof info) memset(&info, 0, sizeof info);
    return info;
}

double tenure_cpu_seconds(pid_t id) {
    struct proc_taskinfo info = usage(id);
    // In ticks of mach's clock, which are no nanoseconds on Apple's own processors.
    mach_timebase_info_data_t base;
    if (mach_timebase_info(&base) != 0 || base.denom == 0) return 0;
    double ticks = (double)(info.pti_total_user + info.pti_total_system);
    return ticks * base.numer / base.denom / 1e9;
}

double tenure_resident_bytes(pid_t id) { return (double)usage(id).pti_resident_size; }
#else
static int works_in(long id, const char *folder) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/%ld/cwd", id);
    // It fails for a process that is gone, or isn't ours to look at.
    ssize_t count = readlink(link, path, sizeof path - 1);
    if (count < 0) return 0;
    path[count] = '\0';
    return strcmp(path, folder) == 0;
}

int tenure_processes_in(const char *folder, pid_t *found, int room) {
    // Without /proc nothing can be listed.
    DIR *entries = opendir("/proc");
    if (entries == NULL) return 0;
    int count = 0;
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        char *end;
        long id = strtol(entry->d_name, &end, 10);
        if (end == entry->d_name || *end != '\0' || !works_in(id, folder)) continue;
        if (count < room) found[count] = (pid_t)id;
        count++;
    }
    closedir(entries);
    return count;
}

/// The first bytes of a file of the process, as text; empty when it is gone.
static void read_file(pid_t id, const char *name, char *text, size_t room) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", id, name);
    FILE *file = fopen(path, "re");
    size_t count = file == NULL ? 0 : fread(text, 1, room - 1, file);
    text[count] = '\0';
    if (file != NULL) fclose(file);
}

double tenure_cpu_seconds(pid_t id) {
    char text[4096];
    read_file(id, "stat", text, sizeof text);
    // The name may hold anything; behind it, the user's and the system's ticks are 12 and 13.
    char *place = strrchr(text, ')');
    unsigned long user, system;
    if (place == NULL
        || sscanf(place + 1, " %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %lu %lu", &user, &system)
            != 2)
        return 0;
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

double tenure_resident_bytes(pid_t id) {
    char text[8192];
    read_file(id, "status", text, sizeof text);
    char *place = strstr(text, "VmRSS:");
    return place == NULL ? 0 : strtod(place + strlen("VmRSS:"), NULL) * 1024;
}
#endif
