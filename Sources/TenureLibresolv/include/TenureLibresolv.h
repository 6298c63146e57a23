#pragma once

#include <stdint.h>

/// What the name servers say of where a domain's mail goes.
enum tenure_mail_domain {
    TENURE_MAIL_TAKEN,
    TENURE_MAIL_NO_DOMAIN,
    /// It says that it takes none (RFC 7505), or has neither a mail server nor an address.
    TENURE_MAIL_NOT_TAKEN,
    /// Nobody answered in time, or the answer was no answer.
    TENURE_MAIL_UNCLEAR,
};

/// Blocks for a few seconds at most. The domain is in ASCII.
/// @param server an IPv4 address and its port, to be asked instead of the system's name servers;
///     or null.
enum tenure_mail_domain tenure_mail_domain(const char *domain, const char *server, uint16_t port);
