// Partitions: the values of a document's partition key, and the routing that they make
// (DocumentKey::routing). An id is unique within its partition.
//
//   routing   := component+     one a value of the key
//   component := sort_key | FE sha256(32 bytes)     the digest of the value's JSON where it is long
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "db/rows/document.h"
#include "db/write/rules/body_rules.h"

namespace mayfly {

namespace limits {
inline constexpr std::size_t searched_partitions_max =
    1'000;  // for an id whose partition is not named; some milliseconds
}

// Missing where the document has no value, or an array or object. A value that is too long to stand
// in a key is known by its digest only: {"sha256": "in hexadecimal digits"}.
using PartitionValues = std::vector<Value>;

PartitionValues partition_values_in(const BodyRules& rules, const Packed& body);
// `may_lack`: a document with none of the values has no routing.
Bytes routing_of(const PartitionValues& values, bool may_lack);
// The values that a routing is made of, each as what it compares equal to. Nothing where it is not
// made of so many, or does not tell one of them: it is long, or no scalar, or is not there.
std::optional<PartitionValues> values_in_routing(BytesView routing, std::size_t count);

// The key of the document that has this body. What names no partition gets the body's. Fails with
// invalid where it names another one.
Result<DocumentKey> key_in_partition(const BodyRules& rules, const DocumentKey& key,
                                     const Packed& body);

// As they are named from outside: a JSON array with one value a field, `{}` where there is none.
std::string render_partition(BytesView routing);
// Fails with invalid, naming the field `partition`.
Result<Bytes> parse_partition(const BodyRules& rules, const Value& values);

}  // namespace mayfly
