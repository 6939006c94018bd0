#include "dialect/native/headers/auth.h"

#include <fmt/format.h>
#include <strings.h>

namespace mayfly::native {
namespace {

constexpr std::string_view scheme = "bearer ";

bool has_scheme(std::string_view header) {
  return header.size() >= scheme.size() &&
         strncasecmp(header.data(), scheme.data(), scheme.size()) == 0;
}

}  // namespace

Result<void> authenticate(const net::Request& request, const Credentials& credentials) {
  if (credentials.is_open()) return {};
  if (credentials.keys.empty()) {
    return fail(Code::unauthenticated,
                fmt::format("the native API refuses every request, because {} is set and "
                            "auth.keys is not: set auth.keys",
                            credentials.closed_by));
  }
  const std::string* header = request.header("authorization");
  if (header == nullptr || !has_scheme(*header)) {
    return fail(Code::unauthenticated, "this needs a key: 'Authorization: Bearer KEY'",
                "Authorization");
  }
  if (credentials.has_key(std::string_view(*header).substr(scheme.size()))) return {};
  return fail(Code::unauthenticated, "the server does not know this key", "Authorization");
}

}  // namespace mayfly::native
