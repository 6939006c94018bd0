// Partition keys: what a request says of one, what a document has for one, and the place of either
// among all keys, its effective partition key (EPK).
//
// An EPK is upper-case hexadecimal text; keys are ordered as these texts are, from "" up to and
// without "FF". Clients hash keys themselves, so every digit is theirs to check.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "value/path.h"
#include "value/value.h"

namespace mayfly::cosmos {

// The components in the order of the container's paths: null, boolean, number or text each, or
// missing where the document has no value there.
using PartitionKey = std::vector<Value>;

// How a container hashes: version 1 or 2 of one path, or version 2 of each of several.
enum class KeyHash : std::uint8_t { v1, v2, multi };

// All EPKs from `min` up to `max`, or but one.
struct EpkRange {
  std::string min;
  std::string max;
  bool is_max_inclusive = false;
  bool operator==(const EpkRange&) const = default;

  bool contains(std::string_view epk) const {
    return epk >= min && (epk < max || (is_max_inclusive && epk == max));
  }
};

inline constexpr std::string_view epk_max = "FF";

// A header's JSON: `["a", 1]`; {} is a component that is missing, [] is no key at all. Fails with
// invalid for anything else, with too_large beyond limits::partition_key_components_max.
Result<PartitionKey> parse_partition_key(std::string_view header);

// A definition's path: /a/"b c"/d. Fails with invalid as the service words it.
Result<Path> parse_key_path(std::string_view path);

// What lies at each path of a document; arrays and objects count as missing.
PartitionKey partition_key_of(const Value& document, const std::vector<Path>& paths);

// v1 and v2 hash the first component, which must be there; multi hashes all that are.
std::string epk_of(const PartitionKey& key, KeyHash hash);

// What one key covers in a container of so many paths: its EPK alone, or for a prefix of a
// hierarchical key everything that begins with it. An empty key covers everything.
EpkRange epk_range_of(const PartitionKey& key, KeyHash hash, std::size_t paths);

}  // namespace mayfly::cosmos
