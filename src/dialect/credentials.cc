// Comparing secrets in constant time.
#include "base/crypto/crypto.h"
#include "dialect/dialect.h"

namespace mayfly {

bool Credentials::has_key(std::string_view key) const {
  bool found = false;
  for (const std::string& known : keys) found |= constant_time_equal(known, key);
  return found;
}

}  // namespace mayfly
