/* Preloaded into a process, gives names `h17.many.test` addresses on loopback: 127.1.0.18 and so
 * on. All other names are asked for as always. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>

typedef int (*lookup)(const char *, const char *, const struct addrinfo *, struct addrinfo **);

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                struct addrinfo **result) {
    lookup real = (lookup)dlsym(RTLD_NEXT, "getaddrinfo");
    unsigned number;
    int length = 0;
    char address[32];
    if (node && sscanf(node, "h%u.many.test%n", &number, &length) == 1 && length > 0
        && node[length] == 0 && number < 65000) {
        snprintf(address, sizeof address, "127.1.%u.%u", number / 250, number % 250 + 1);
        node = address;
    }
    return real(node, service, hints, result);
}
