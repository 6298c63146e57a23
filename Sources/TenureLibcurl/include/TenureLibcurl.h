// libcurl for Swift: Swift can't call variadic functions, so each type of argument that
// curl_easy_setopt, curl_easy_getinfo and their kin are called with has a name of its own here.
#pragma once
#include <curl/curl.h>

static inline CURLcode tenure_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode tenure_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode tenure_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode tenure_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

/// Every callback a transfer has; all of them get the same context.
struct tenure_callbacks {
    void *context;
    curl_write_callback header;
    curl_write_callback body;
    curl_opensocket_callback open_socket;
    curl_prereq_callback before_request;
    curl_resolver_start_callback before_resolve;
};

CURLcode tenure_set_callbacks(CURL *easy, struct tenure_callbacks callbacks);

/// Every callback that the sending of a message has; all of them get the same context.
struct tenure_mail_callbacks {
    void *context;
    curl_write_callback reply;
    curl_read_callback message;
    curl_debug_callback talk;
    curl_xferinfo_callback progress;
    curl_opensocket_callback open_socket;
    curl_resolver_start_callback before_resolve;
};

CURLcode tenure_set_mail_callbacks(CURL *easy, struct tenure_mail_callbacks callbacks);

static inline CURLcode tenure_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode tenure_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode tenure_get_string(CURL *easy, CURLINFO info, const char **value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode tenure_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/// A name cache of its own, so that addresses pinned for one transfer serve no other.
CURLSH *tenure_own_name_cache(void);
