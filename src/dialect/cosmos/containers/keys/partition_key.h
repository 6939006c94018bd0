// The partition key of a container, and its values, which route a document. They are in the header
// of a request or in the document itself. Source: spec cosmos.md, sections 2.1, 8.2 and 9.1.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "db/rows/partition.h"
#include "value/path.h"
#include "value/value.h"

namespace mayfly::cosmos {

struct PartitionKey {
  std::vector<Path> paths;       // one, or for a hierarchical key up to three
  bool is_hierarchical = false;  // kind MultiHash
  int version = 2;
  bool is_system =
      false;  // a container without a key: documents without `_partitionKey` are one partition
};

// One value for each path; missing if a document has none there, or an array or object.
using PartitionValues = mayfly::PartitionValues;

PartitionValues values_in(const PartitionKey& key, const Value& body);

// ["a"], [1.5], [null], ["t","u"], [{}] (there is no value), []. Fails with invalid.
Result<PartitionValues> parse_partition_values(std::string_view header);
std::string render_partition_values(const PartitionValues& values);

// Whether these are values of the whole key: one for each path, or none if it is a system key.
bool is_whole(const PartitionKey& key, const PartitionValues& values);

// The routing, which distinguishes documents of the same id (DocumentKey::routing). The routing of
// the first values of a hierarchical key is a prefix of that of all of them.
Bytes routing_of(const PartitionKey& key, const PartitionValues& values);

}  // namespace mayfly::cosmos
