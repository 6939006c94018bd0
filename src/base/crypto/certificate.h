// A server's certificate and the key that belongs to it, as PEM: how one is made, and how one that
// was given is checked. Threads: every function may be called from any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace mayfly {

struct Identity {
  std::string certificate;  // the server's own; behind it those that lead to a root
  std::string key;          // never shown
};

// A certificate that its own key has signed, for `localhost`, 127.0.0.1, ::1 and the name of the
// host where that is one; it holds for ten years. Whoever trusts it trusts nobody else by that: it
// may not sign others.
Identity make_identity(std::string_view host_name, Instant now);

// What is a certificate in the one text and a key in the other, and nothing else of them. Fails
// with invalid, and the field "certificate" or "key", where one is missing, the key asks for a
// password or does not belong to the first certificate.
Result<Identity> read_identity(std::string_view certificate, std::string_view key);

// From when on nobody takes it any more. The identity is one that was read or made.
Instant end_of(const Identity& identity);

}  // namespace mayfly
