// A server's TLS certificate and its private key, as PEM: generates a pair, or checks a pair that
// the user supplies. Threads: every function may be called from any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace mayfly {

struct Identity {
  std::string certificate;  // the server's own, followed by the chain that leads to a root
  std::string key;          // secret: never shown
};

// Generates a self-signed certificate for `localhost`, 127.0.0.1, ::1 and the host name, if that is
// a valid one. It is valid for ten years. It is no certificate authority: trusting it means to
// trust no other certificate.
Identity make_identity(std::string_view host_name, Instant now);

// Keeps the certificates of the first text and the private key of the second, and drops everything
// else. Fails with invalid, and the field "certificate" or "key", if one is missing, or if the key
// needs a password or does not belong to the first certificate.
Result<Identity> read_identity(std::string_view certificate, std::string_view key);

// The instant from which the certificate is no longer valid. The identity comes from a function
// above.
Instant end_of(const Identity& identity);

}  // namespace mayfly
