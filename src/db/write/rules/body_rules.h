// BodyRules: what a collection's own definition reads in the bodies of its documents. Every write
// obeys it, through whichever dialect it comes. A body can say the document's partition
// (partition.h) and its lifetime: its member `ttl` is a whole number of seconds (Lifetime After),
// or -1 (Never).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "value/path.h"
#include "value/value.h"

namespace mayfly {

struct BodyRules {
  // The values of these fields are the document's partition key; none: there are no partitions.
  std::vector<Path> partition;
  // Documents with none of the values lie together, without routing.
  bool may_lack_partition = false;
  // The member `ttl` of every body is the document's lifetime, whoever writes it. Elsewhere only
  // documents whose body has said their lifetime have that member bound to it.
  bool says_lifetime = false;
  // Set: the seconds that this field holds start the lifetime, in place of the instant of writing.
  std::optional<Path> lifetime_start;

  bool is_partitioned() const { return !partition.empty(); }
  bool operator==(const BodyRules&) const = default;
};

inline constexpr std::string_view lifetime_member = "ttl";
inline constexpr std::int64_t said_never = -1;

// The seconds that the member says, or said_never; 5.0 is 5. Nothing where it says neither.
std::optional<std::int64_t> said_seconds(const Value& said);

}  // namespace mayfly
