// BodyRules: what a collection's definition reads from the bodies of its documents. Every write
// obeys it, whatever dialect it comes from. A body can specify the document's partition
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
  // The values of these fields are the document's partition key; empty: there are no partitions.
  std::vector<Path> partition;
  // Documents with none of the values form one partition, without routing.
  bool may_lack_partition = false;
  // The member `ttl` of every body is the document's lifetime, for every writer. Without this rule,
  // the member is bound to the lifetime only in documents whose body has specified it.
  bool specifies_lifetime = false;
  // If set, the lifetime is counted from the seconds since 1970 in this field instead of the
  // instant of writing. A body without a usable number there specifies Never.
  std::optional<Path> lifetime_start;

  bool is_partitioned() const { return !partition.empty(); }
  bool operator==(const BodyRules&) const = default;
};

inline constexpr std::string_view lifetime_member = "ttl";
inline constexpr std::int64_t specified_never = -1;

// The seconds that the member specifies, or specified_never; 5.0 is 5. Nothing if it specifies
// neither.
std::optional<std::int64_t> specified_seconds(const Value& said);

}  // namespace mayfly
