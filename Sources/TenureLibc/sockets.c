#define _GNU_SOURCE  // EAI_NODATA
#include "TenureLibc.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef SOCK_CLOEXEC
/// A program that another thread starts just then gets it all the same: macOS has no better.
static int keep(int descriptor) {
    if (descriptor < 0 || fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0) return descriptor;
    int failure = errno;
    close(descriptor);
    errno = failure;
    return -1;
}
#endif

int tenure_socket(int family, int type, int protocol) {
#ifdef SOCK_CLOEXEC
    return socket(family, type | SOCK_CLOEXEC, protocol);
#else
    return keep(socket(family, type, protocol));
#endif
}

int tenure_stream_socket(int family) { return tenure_socket(family, SOCK_STREAM, 0); }

int tenure_datagram_socket(int family) { return tenure_socket(family, SOCK_DGRAM, 0); }

int tenure_socket_pair(int ends[2]) {
#ifdef SOCK_CLOEXEC
    return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
#else
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return -1;
    int failure;
    if (keep(ends[0]) < 0) {
        failure = errno;
        close(ends[1]);
    } else if (keep(ends[1]) < 0) {
        failure = errno;
        close(ends[0]);
    } else {
        return 0;
    }
    errno = failure;
    return -1;
#endif
}

ssize_t tenure_send(int descriptor, const void *bytes, size_t count) {
#ifdef SO_NOSIGPIPE
    // Newer systems have MSG_NOSIGNAL too; what older ones make of it, nobody says.
    int yes = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
    return send(descriptor, bytes, count, 0);
#else
    return send(descriptor, bytes, count, MSG_NOSIGNAL);
#endif
}

int tenure_defer_accept_option(void) {
#ifdef TCP_DEFER_ACCEPT
    return TCP_DEFER_ACCEPT;
#else
    return -1;
#endif
}

int tenure_says_unknown(int code) {
    switch (code) {
    case EAI_NONAME:
#ifdef EAI_NODATA
    case EAI_NODATA:
#endif
#ifdef EAI_ADDRFAMILY
    case EAI_ADDRFAMILY:
#endif
        return 1;
    default: return 0;
    }
}
