// What a container is defined as: its definition on the wire, checked and completed.
// Source: spec cosmos.md, sections 8, 10.4 to 10.6 and 21.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "db/database.h"
#include "dialect/cosmos/containers/keys/partition_key.h"
#include "dialect/cosmos/ranges/key_range.h"
#include "lifetime/lifetime.h"
#include "value/value.h"

namespace mayfly::cosmos {

struct Definition {
  std::string id;
  // As it is told: everything but the id, the default TTL and what the system adds.
  Object told;
  PartitionKey key;
  Default default_lifetime = Unset{};
  std::optional<Path> ttl_path;  // its seconds take the place of `_ts`
  std::vector<std::vector<Path>> unique_keys;
  Span keep_feed_for;  // all versions and deletes
  KeyRanges ranges;    // kept beside it
};

// What a client means by what it does not say of a partition key.
struct Unsaid {
  bool may_lack_key = false;  // its version of the API is older than partition keys
  int key_version = 2;
};
// A definition as a client sends it. Fails with invalid in the words of the service.
Result<Definition> parse_definition(const Value& body, const Unsaid& unsaid = {});

// Fails with invalid where it is larger than a container's may be. What was kept before there was
// this bound is read as it is.
Result<void> check_size(const Definition& definition);

// What the core holds every write to, whatever dialect it comes through.
BodyRules body_rules_of(const Definition& definition);

// What was kept of one (`told`), or for a collection that another dialect has made, the definition
// of a container without a partition key.
Result<Definition> read_definition(std::string_view kept);
Definition plain_definition();

// Fails with invalid where a replacement changes what cannot be changed.
Result<void> check_replacement(const Definition& before, const Definition& after);

// The facet under which a collection keeps its definition.
inline constexpr std::string_view definition_facet = "cosmos.container";

}  // namespace mayfly::cosmos
