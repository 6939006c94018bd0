// Entry: a key of the memory storage with its value, as stored in the private table
// (docs/decisions/0036).
//
//   id      := hash key           the first 52 bits of the key's SHA-256, 13 digits, then the key
//   body    := {"t": type, "v": value}
//   value   := text or binary     of a string
//            | [member, ...]      of a list, set or elements
//            | [field, text, ...] of a hash
//            | [member, score...] of a zset; an infinite score is the text "inf" or "-inf"
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "db/private_table.h"

namespace mayfly::kuzzle::memory {

// REACHES DISK.
inline constexpr std::string_view memory_database = "#kuzzle.memory";
inline constexpr std::string_view memory_table = "memoryStorage";

using Text = std::string;  // bytes, as in Redis
using List = std::vector<std::string>;
using Set = std::set<std::string>;
using Hash = std::map<std::string, std::string>;
// Scores by member.
using SortedSet = std::map<std::string, double>;
// The distinct elements of a HyperLogLog. Redis estimates their number; here they are counted.
struct Elements {
  Set members;
};
using Content = std::variant<Text, List, Set, Hash, SortedSet, Elements>;

struct Entry {
  Content content;
  Instant ends_at = Instant::never();
  Instant written_at = {};

  static PrivateSpec table() { return {.name = memory_table, .database = memory_database}; }
  static Result<Entry> decode(const Document& document);
  Result<Value> encode() const;
};

// The index of the stored key's alternative of Content, without decoding the value; nothing if it
// is not valid.
std::optional<std::size_t> stored_type(const Document& document);
// The answer of the command `type`.
std::string_view type_of(const Content& content);
// The number of members, or of a hash's fields. A text counts as one.
std::size_t members_of(const Content& content);
std::size_t bytes_of(const Content& content);
// Fails with too_large.
Result<void> check_bounds(const Content& content);

// A member of a sorted set. They are ordered by score, and at one score by their bytes.
struct Ranked {
  double score = 0;
  std::string_view member;  // points into the set, which must outlive it

  auto operator<=>(const Ranked&) const = default;
};
std::vector<Ranked> ranked(const SortedSet& set);

// The first 52 bits of a key's hash, by which keys are ordered.
std::uint64_t hash_of(std::string_view key);
DocumentKey key_of(std::string_view key);
// The least id of a key with this hash.
std::string first_id_of(std::uint64_t hash);
std::string_view name_in(std::string_view id);
std::uint64_t hash_in(std::string_view id);

}  // namespace mayfly::kuzzle::memory
