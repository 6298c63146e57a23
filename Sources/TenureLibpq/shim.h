/* What TenurePostgres needs of C: libpq, and the kernel's calls that Glibc's module leaves out. */
#include <libpq-fe.h>
#include <pthread.h>

#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

/* Declared only under _GNU_SOURCE. */
extern int pthread_setname_np(pthread_t thread, const char *name);
#endif
