// Partitions: the values of a document's partition key, and the routing made of them
// (DocumentKey::routing). An id is unique within its partition.
//
//   routing   := component+     one for each value of the key
//   component := sort_key | FE sha256(32 bytes)     the digest of the value's JSON, if its sort key
//                                                   is too long
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
    1'000;  // for an id whose partition is not named; takes some milliseconds
}

// One value for each field of the partition key, in its order. A value is missing if the document
// has none there, or an array or object. If a value is too long for a key, its place can be taken
// by its digest: {"sha256": "in hexadecimal digits"}.
using PartitionValues = std::vector<Value>;

PartitionValues partition_values_in(const BodyRules& rules, const Packed& body);
// `may_lack`: a document with none of the values has no routing.
Bytes routing_of(const PartitionValues& values, bool may_lack);
// The values of which a routing was made; each compares equal to the original. Nothing if the
// routing has another number of values, or if one cannot be recovered: it is too long, not a
// scalar, or missing.
std::optional<PartitionValues> values_in_routing(BytesView routing, std::size_t count);

// The key of the document with this body. A key without a partition gets that of the body. Fails
// with invalid if the key names another partition.
Result<DocumentKey> key_in_partition(const BodyRules& rules, const DocumentKey& key,
                                     const Packed& body);

// A partition as clients name it: a JSON array with one value for each field, `{}` for a missing
// value, and the digest for a value that is too long. If documents may lack a partition key, an
// empty array is the partition of those that do.
std::string render_partition(BytesView routing);
// Fails with invalid, naming the field `partition`.
Result<Bytes> parse_partition(const BodyRules& rules, const Value& values);

}  // namespace mayfly
