// Comparing secrets in constant time.
#include "base/crypto.h"
#include "dialect/dialect.h"

namespace mayfly {

bool Credentials::has_key(std::string_view key) const {
  bool found = false;
  for (const std::string& known : keys) found |= constant_time_equal(known, key);
  return found;
}

bool Credentials::has_client(std::string_view id, std::string_view secret) const {
  bool found = false;
  for (const Client& known : clients) {
    found |= constant_time_equal(known.id, id) && constant_time_equal(known.secret, secret);
  }
  return found;
}

}  // namespace mayfly
