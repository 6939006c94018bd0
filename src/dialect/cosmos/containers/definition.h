// The definition of a container on the wire, checked and completed. Source: spec cosmos.md,
// sections 8, 10.4 to 10.6 and 21.
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
  // As it is shown: everything but the id, the default TTL and system properties.
  Object shown;
  PartitionKey key;
  Default default_lifetime = Unset{};
  std::optional<Path> ttl_path;  // its seconds replace `_ts`
  std::vector<std::vector<Path>> unique_keys;
  Span keep_feed_for;  // of the feed with all versions and removals; zero: there is none
  KeyRanges ranges;    // stored in a facet of its own (ranges_facet)
};

// The defaults for members of a partition key that a client does not send.
struct KeyDefaults {
  bool may_lack_key = false;  // in its version of the API, a container may have no partition key
  int key_version = 2;
};
// Parses a definition that a client sends. Fails with invalid and the service's message.
Result<Definition> parse_definition(const Value& body, const KeyDefaults& defaults = {});

// Fails with invalid if the definition is too large. Definitions stored before there was this bound
// are read as they are.
Result<void> check_size(const Definition& definition);

// The rules that the core applies to every write, whichever dialect it comes through.
BodyRules body_rules_of(const Definition& definition);

// Parses a stored definition; the caller sets the id, the default TTL and the ranges, which are
// stored elsewhere. plain_definition() is that of a collection made by another dialect: a container
// without a partition key.
Result<Definition> read_definition(std::string_view kept);
Definition plain_definition();

// Fails with invalid if a replacement changes an immutable member.
Result<void> check_replacement(const Definition& before, const Definition& after);

// The facet in which a collection stores its definition.
inline constexpr std::string_view definition_facet = "cosmos.container";

}  // namespace mayfly::cosmos
