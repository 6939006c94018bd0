// The place of a partition key among all keys: its effective partition key (EPK).
// Source: spec cosmos.md, section 16.
//
// An EPK is upper-case hexadecimal text; keys are ordered as these texts are, from "" up to and
// without "FF". Clients hash keys themselves, so every digit is theirs to check.
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
// What lies in both; it ends before it begins where nothing does.
EpkRange in_both(const EpkRange& a, const EpkRange& b);

inline constexpr std::string_view epk_max = "FF";

constexpr KeyHashVersion version_of(KeyHash hash) {
  return hash == KeyHash::v1 ? KeyHashVersion::v1 : KeyHashVersion::v2;
}

KeyHash hash_of(const PartitionKey& key);
std::string epk_of(const PartitionValues& values, KeyHash hash);

// What one key covers in a container of so many paths: its EPK alone, or for a prefix of a
// hierarchical key everything that begins with it. An empty key covers everything.
EpkRange epk_range_of(const PartitionValues& values, KeyHash hash, std::size_t paths);

// The EPK of a document.
std::string epk_of_document(const PartitionKey& key, const Packed& body);
// The same as an expression over the document, which an index can hold (docs/decisions/0035).
ExprPtr epk_expression(const PartitionKey& key);
// Whether it lies in the range.
ExprPtr is_within(const EpkRange& range, const PartitionKey& key);

}  // namespace mayfly::cosmos
