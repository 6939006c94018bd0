#include "dialect/centrali/lifetimes/misspelt.h"

#include <algorithm>

#include "dialect/centrali/limits.h"
#include "dialect/common/hint.h"

namespace mayfly::centrali {
namespace {

// The name in lower case, without separators between words; empty if it has other characters.
std::string plain(std::string_view name) {
  std::string letters;
  if (name.size() > limits::hinted_name_bytes_max) return letters;
  for (const char c : name) {
    if (c == '_' || c == '-') continue;
    const bool is_large = c >= 'A' && c <= 'Z';
    if (!is_large && !(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9')) return {};
    letters += is_large ? static_cast<char>(c + 32) : c;
  }
  return letters;
}

bool looks_like_lifetime(std::string_view name) {
  const std::string letters = plain(name);
  return letters.starts_with("ttl") || letters.ends_with("ttl") || letters.starts_with("expir") ||
         letters.find("ttlsec") != std::string::npos ||
         letters.find("timetolive") != std::string::npos || letters == "lifetime";
}

}  // namespace

std::string find_misspelt(const Object& body, std::span<const std::string_view> known) {
  for (const auto& [name, value] : body) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    if (looks_like_lifetime(name)) return std::string(name);
  }
  return {};
}

void hint_at_misspelt(std::string_view member, std::span<const std::string_view> known,
                      net::Response& response) {
  if (member.empty()) return;
  std::string hint =
      "the member " + std::string(member) + " has no effect; a lifetime is read from";
  for (std::size_t i = 0; i < known.size(); ++i) {
    hint += i == 0 ? " " : i + 1 < known.size() ? ", " : " or ";
    hint += known[i];
  }
  response.headers.emplace_back(hint_header, std::move(hint));
}

}  // namespace mayfly::centrali
