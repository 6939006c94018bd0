// Authentication: bearer keys, publishable keys and the tokens that this server issues.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "dialect/centrali/options.h"
#include "dialect/dialect.h"
#include "net/message.h"

namespace mayfly::centrali {

// What requests are authenticated with: the keys of the server, the clients and tokens of this API.
struct Secrets {
  const Credentials& server;
  const CentraliOptions& own;
};

struct Principal {
  std::string name;  // the author of records; empty: a key, which has no name
  std::optional<std::vector<std::string>> workspaces;  // none: all of them
  Instant until = Instant::never();                    // when its token expires
};

// Fails with unauthenticated, and with forbidden if a token is for other workspaces.
Result<Principal> authenticate(const net::Request& request, const Secrets& secrets,
                               const std::string& workspace, Instant now);

struct TokenRefusal {
  Error error;
  std::string_view stream_code;  // by which event streams name it
};
// The same for a token that has been extracted; empty: there is none.
tl::expected<Principal, TokenRefusal> authenticate_token(std::string_view token,
                                                         const Secrets& secrets,
                                                         const std::string& workspace, Instant now);
// The token in the headers of a request; empty if there is none.
std::string_view token_of(const net::Request& request);

// POST /oauth/token and /oidc/token: issues a token for client credentials. Refuses a body over
// limits::token_request_bytes_max before decoding it.
net::Response issue_token(const net::Request& request, const Secrets& secrets, Instant now,
                          std::string_view request_id);
// The same refusal for a request whose head announces such a body.
net::Response refuse_token_body(std::string_view request_id);

}  // namespace mayfly::centrali
