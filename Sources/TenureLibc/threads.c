#define _GNU_SOURCE  // pthread_setname_np
#include "TenureLibc.h"

#include <pthread.h>
#include <stdio.h>

int tenure_start_thread(void *(*body)(void *), void *context) {
    pthread_t thread;
    int failure = pthread_create(&thread, NULL, body, context);
    if (failure == 0) pthread_detach(thread);
    return failure;
}

void tenure_name_thread(const char *name) {
#ifdef __APPLE__
    char kept[64];
    snprintf(kept, sizeof kept, "%s", name);
    pthread_setname_np(kept);
#else
    char kept[16];
    snprintf(kept, sizeof kept, "%s", name);
    pthread_setname_np(pthread_self(), kept);
#endif
}
