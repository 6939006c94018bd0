// Finds the principal of a request from the secret that it carries:
//
//   SECRET | SECRET:ROLE | SECRET:path/to/database:ROLE
//
// The scope after the secret needs a secret of the role admin. Only `SECRET:@doc/COLLECTION/ID` may
// also follow one of the role server.
#pragma once

#include "base/result.h"
#include "dialect/dialect.h"
#include "dialect/fauna/auth/principal.h"
#include "dialect/fauna/options.h"
#include "net/message.h"

namespace mayfly::fauna {

inline constexpr std::string_view well_known_secret = "secret";

// The secret of the root database. Threads: any.
class RootSecret {
 public:
  RootSecret(const Credentials& server, const FaunaOptions& own);
  bool is(std::string_view secret) const;
  // Whether the root has no secret: other dialects require credentials, and `fauna.secret` is not
  // set.
  bool is_closed() const { return secret_.empty(); }
  bool is_well_known() const { return secret_ == well_known_secret; }

 private:
  std::string secret_;
};

// Reads the header `Authorization`. Fails with unauthenticated; its message gives the reason and is
// only for the log, never for clients.
Result<Principal> authenticate(const net::Request& request, const RootSecret& root,
                               Database& database);

// Whether the secret is a JWT. JWTs are always refused.
bool has_jwt(const net::Request& request);

}  // namespace mayfly::fauna
