#include "TenureLibcurl.h"

#define TRY(call)                                                                                  \
    do {                                                                                           \
        CURLcode code = (call);                                                                    \
        if (code != CURLE_OK) return code;                                                         \
    } while (0)

CURLcode tenure_set_callbacks(CURL *easy, struct tenure_callbacks callbacks) {
    TRY(curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, callbacks.header));
    TRY(curl_easy_setopt(easy, CURLOPT_HEADERDATA, callbacks.context));
    TRY(curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, callbacks.body));
    TRY(curl_easy_setopt(easy, CURLOPT_WRITEDATA, callbacks.context));
    TRY(curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callbacks.open_socket));
    TRY(curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, callbacks.context));
    TRY(curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callbacks.before_request));
    TRY(curl_easy_setopt(easy, CURLOPT_PREREQDATA, callbacks.context));
    TRY(curl_easy_setopt(easy, CURLOPT_RESOLVER_START_FUNCTION, callbacks.before_resolve));
    TRY(curl_easy_setopt(easy, CURLOPT_RESOLVER_START_DATA, callbacks.context));
    return CURLE_OK;
}

CURLcode tenure_set_mail_callbacks(CURL *easy, struct tenure_mail_callbacks callbacks) {
    TRY(curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, callbacks.reply));
    TRY(curl_easy_setopt(easy, CURLOPT_HEADERDATA, callbacks.context));
    TRY(curl_easy_setopt(easy, CURLOPT_READFUNCTION, callbacks.message));
    TRY(curl_easy_setopt(easy, CURLOPT_READDATA, callbacks.context));
    TRY(curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, callbacks.talk));
    TRY(curl_easy_setopt(easy, CURLOPT_DEBUGDATA, callbacks.context));
    TRY(curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L));
    TRY(curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, callbacks.progress));
    TRY(curl_easy_setopt(easy, CURLOPT_XFERINFODATA, callbacks.context));
    TRY(curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L));
    TRY(curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callbacks.open_socket));
    TRY(curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, callbacks.context));
    TRY(curl_easy_setopt(easy, CURLOPT_RESOLVER_START_FUNCTION, callbacks.before_resolve));
    TRY(curl_easy_setopt(easy, CURLOPT_RESOLVER_START_DATA, callbacks.context));
    return CURLE_OK;
}

CURLSH *tenure_own_name_cache(void) {
    CURLSH *share = curl_share_init();
    if (share && curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_DNS) != CURLSHE_OK) {
        curl_share_cleanup(share);
        return NULL;
    }
    return share;
}
