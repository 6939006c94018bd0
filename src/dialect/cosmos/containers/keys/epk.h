// The effective partition key (EPK): the position of a partition key among all keys. Source: spec
// cosmos.md, section 16.
//
// An EPK is upper-case hexadecimal text; keys are ordered as these texts are, from "" up to and
// without "FF". Clients also compute EPKs, so every digit must be the same as theirs.
#pragma once

#include <string>
#include <string_view>

#include "dialect/cosmos/containers/keys/partition_key.h"
#include "expr/expr.h"
#include "value/hashing/key_hash.h"
#include "value/packed/packed.h"

namespace mayfly::cosmos {

// How a container hashes: version 1 or 2 of one path, or version 2 of each of several.
enum class KeyHash : std::uint8_t { v1, v2, multi };

// The EPKs from `min` up to `max`, which is included or not.
struct EpkRange {
  std::string min;
  std::string max;
  bool is_max_inclusive = false;
  bool operator==(const EpkRange&) const = default;

  bool contains(std::string_view epk) const {
    return epk >= min && (epk < max || (is_max_inclusive && epk == max));
  }
};
// The intersection. If the two share no EPK, the result contains none.
EpkRange in_both(const EpkRange& a, const EpkRange& b);

inline constexpr std::string_view epk_max = "FF";

constexpr KeyHashVersion version_of(KeyHash hash) {
  return hash == KeyHash::v1 ? KeyHashVersion::v1 : KeyHashVersion::v2;
}

KeyHash hash_of(const PartitionKey& key);
std::string epk_of(const PartitionValues& values, KeyHash hash);

// The EPKs that a key covers in a container with that many paths: its own EPK, or for a prefix of a
// hierarchical key all that begin with it. An empty key covers everything.
EpkRange epk_range_of(const PartitionValues& values, KeyHash hash, std::size_t paths);

// The EPK of a document.
std::string epk_of_document(const PartitionKey& key, const Packed& body);
// The EPK of a document as an expression, for an index (docs/decisions/0035).
ExprPtr epk_expression(const PartitionKey& key);
// The condition that a document's EPK is in the range.
ExprPtr is_within(const EpkRange& range, const PartitionKey& key);

}  // namespace mayfly::cosmos
