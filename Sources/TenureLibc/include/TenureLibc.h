// What differs between Linux, with glibc or musl, and macOS, with one face for all: here types are
// C's own, which Swift sees as others on each system. TenureSystem says it in Swift; nobody else
// imports this.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __linux__
// Glibc's module leaves them out.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#endif
#ifdef __APPLE__
// As does Darwin's.
#include <iconv.h>
#endif

/// A socket that no program gets that is started beside; -1, and errno, where there is none.
int tenure_socket(int family, int type, int protocol);
int tenure_stream_socket(int family);
int tenure_datagram_socket(int family);

/// Two connected stream sockets of the same kind; -1, and errno, where there are none.
int tenure_socket_pair(int ends[2]);

/// As `send` without flags, but nobody gets a SIGPIPE of it.
ssize_t tenure_send(int descriptor, const void *bytes, size_t count);

/// The option of TCP by which a listener is told of a connection when its first bytes are there; -1
/// where the system has none.
int tenure_defer_accept_option(void);

/// Whether a code of `getaddrinfo` says that the name, or an address of it, doesn't exist, as
/// against that nobody could say.
int tenure_says_unknown(int code);

/// Starts a detached thread. Returns 0, or the error's number.
int tenure_start_thread(void *(*body)(void *), void *context);

/// Names the calling thread, with as much of it as the system keeps.
void tenure_name_thread(const char *name);

/// How a program is to be started.
struct tenure_program {
    const char *path;
    char *const *arguments;
    char *const *environment;
    /// Descriptors of ours, and which numbers they have there; in this order.
    const int *ours;
    const int *theirs;
    int count;
    /// Its standard input is empty.
    int reads_nothing;
    /// It blocks no signals.
    int blocks_nothing;
    /// With all signals as they are by default, in a process group of its own, with no descriptor
    /// above `last`.
    int is_apart;
    int last;
};

/// Returns 0, or the error's number.
int tenure_start_program(const struct tenure_program *program, pid_t *id);

/// The path of the program that this process runs; -1 where it can't be told.
int tenure_own_path(char *path, size_t room);

/// The processes whose working directory is the folder, whose path has no links in it. Writes as
/// many as there is room for; returns how many there are.
int tenure_processes_in(const char *folder, pid_t *found, int room);

/// CPU time of all threads of a process, in seconds; 0 when it is gone.
double tenure_cpu_seconds(pid_t id);

/// Its resident memory, in bytes; 0 when it is gone.
double tenure_resident_bytes(pid_t id);

/// What the processor calls itself; -1 where it doesn't.
int tenure_processor_name(char *name, size_t room);

/// Of the machine, in bytes; 0 where it can't be told.
double tenure_memory_bytes(void);

/// Raises the number of descriptors that this process may have to the hard limit, and no higher
/// than `most`. Returns how many there may be now, 0 where that can't be told.
uint64_t tenure_raise_descriptors(uint64_t most);

/// A terminal that nobody sits at: a program has one end, its user the other. -1, and errno, where
/// there is none.
int tenure_open_terminal(int *program, int *user);
