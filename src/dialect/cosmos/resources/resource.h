// The kinds of resources, one row each: their names on the wire. Source: spec cosmos.md, sections 1
// to 5.
#pragma once

#include <cstdint>
#include <string_view>

namespace mayfly::cosmos {

// REACHES DISK: a new one goes to the end.
enum class ResourceKind : std::uint8_t {
  account,
  database,
  container,
  document,
  stored_procedure,
  trigger,
  user_function,
  conflict,
  partition_range,
  user,
  permission,
  offer,
  attachment,
  media,
  client_encryption_key,
};

struct KindRow {
  ResourceKind kind;
  std::string_view segment;  // of a path; also the kind's name in signatures
  std::string_view plural;   // the member of a feed that holds them
  ResourceKind owner;
};

// The account has no segment.
const KindRow& row_of(ResourceKind kind);
// Null pointer if no kind has that segment.
const KindRow* find_kind(std::string_view segment);

}  // namespace mayfly::cosmos
