#include "TenureLibresolv.h"

#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>
#include <string.h>

enum { LONGEST_ANSWER = 65535 };

/// Whether an answer says of itself that it was cut off. By its bytes: not every system declares
/// HEADER.
static int is_cut_off(const unsigned char *answer) { return (answer[2] & 0x02) != 0; }

/// The answer's length, or -1; then *failure says why.
static int ask(res_state state, const char *domain, int type, unsigned char *answer, int *failure) {
    memset(answer, 0, NS_HFIXEDSZ);
    int length = res_nquery(state, domain, ns_c_in, type, answer, LONGEST_ANSWER);
    *failure = length < 0 ? state->res_h_errno : 0;
    // What was cut off may have said more.
    if (length < 0 && is_cut_off(answer)) *failure = TRY_AGAIN;
    return length < LONGEST_ANSWER ? length : LONGEST_ANSWER;
}

/// How many servers an answer names, and whether one of them is "none at all".
static int servers(const unsigned char *answer, int length, int *is_none) {
    ns_msg message;
    int count = 0;
    *is_none = 0;
    if (ns_initparse(answer, length, &message) < 0) return -1;
    for (int index = 0; index < ns_msg_count(message, ns_s_an); index++) {
        ns_rr record;
        char name[NS_MAXDNAME];
        if (ns_parserr(&message, ns_s_an, index, &record) < 0) return -1;
        if (ns_rr_type(record) != ns_t_mx || ns_rr_rdlen(record) < 3) continue;
        if (dn_expand(ns_msg_base(message), ns_msg_end(message), ns_rr_rdata(record) + 2, name,
                      sizeof name) < 0)
            return -1;
        count++;
        if (name[0] == '\0' || strcmp(name, ".") == 0) *is_none = 1;
    }
    return count;
}

static enum tenure_mail_domain judge(res_state state, const char *domain) {
    static _Thread_local unsigned char answer[LONGEST_ANSWER];
    int failure, is_none;
    int length = ask(state, domain, ns_t_mx, answer, &failure);
    if (length >= 0) {
        int count = servers(answer, length, &is_none);
        if (count < 0) return TENURE_MAIL_UNCLEAR;
        if (count == 0 && is_cut_off(answer)) return TENURE_MAIL_UNCLEAR;
        if (count > 0) return is_none && count == 1 ? TENURE_MAIL_NOT_TAKEN : TENURE_MAIL_TAKEN;
    } else if (failure == HOST_NOT_FOUND) {
        return TENURE_MAIL_NO_DOMAIN;
    } else if (failure != NO_DATA) {
        return TENURE_MAIL_UNCLEAR;
    }
    // Without a server of its own, a domain's mail goes to its address (RFC 5321, section 5.1).
    const int types[] = {ns_t_a, ns_t_aaaa};
    for (int index = 0; index < 2; index++) {
        if (ask(state, domain, types[index], answer, &failure) >= 0) return TENURE_MAIL_TAKEN;
        if (failure != NO_DATA && failure != HOST_NOT_FOUND) return TENURE_MAIL_UNCLEAR;
    }
    return TENURE_MAIL_NOT_TAKEN;
}

enum tenure_mail_domain tenure_mail_domain(const char *domain, const char *server, uint16_t port) {
    struct __res_state state;
    memset(&state, 0, sizeof state);
    if (res_ninit(&state) != 0) return TENURE_MAIL_UNCLEAR;
    // By TCP it would read for as long as nothing comes.
    state.options |= RES_IGNTC | RES_USE_EDNS0;
    state.options &= ~(unsigned long)RES_USEVC;
    state.retrans = 2;
    state.retry = 2;
    if (server != NULL) {
        memset(&state.nsaddr_list[0], 0, sizeof state.nsaddr_list[0]);
        state.nsaddr_list[0].sin_family = AF_INET;
        state.nsaddr_list[0].sin_port = htons(port);
        inet_pton(AF_INET, server, &state.nsaddr_list[0].sin_addr);
        state.nscount = 1;
    }
    enum tenure_mail_domain verdict = judge(&state, domain);
    res_nclose(&state);
    return verdict;
}
