#include "dialect/cosmos/ttl/hint.h"

#include <algorithm>
#include <iterator>

namespace mayfly::cosmos {
namespace {

// Frequent misspellings of the property's name.
constexpr std::string_view misspelled[] = {"TTL",          "Ttl",        "_ttl",
                                           "tTL",          "timeToLive", "TimeToLive",
                                           "time_to_live", "timetolive", "expiry"};

}  // namespace

std::string_view hint_of(const Packed& body, const Definition& definition) {
  const bool has_ttl = !body.raw_member("ttl").empty();
  const bool is_off = std::holds_alternative<Unset>(definition.default_lifetime);
  if (has_ttl && is_off) {
    return "the document has a ttl, and TTL is off in its container: set defaultTtl there (-1: no "
           "default)";
  }
  if (has_ttl) return {};
  const bool is_misspelled =
      std::any_of(std::begin(misspelled), std::end(misspelled),
                  [&body](std::string_view name) { return !body.raw_member(name).empty(); });
  if (is_misspelled) return "TTL is read from the property ttl, spelled just so";
  return {};
}

}  // namespace mayfly::cosmos
