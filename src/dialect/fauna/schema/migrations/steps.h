// The steps of a collection's `migrations`, and access to the fields that they change.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dialect/fauna/documents/constraints.h"

namespace mayfly::fauna {

// The names on a path to a nested field: `.a.b`.
using FieldNames = std::vector<std::string>;
std::string path_text(const FieldNames& names);

struct MigrationStep {
  enum class What : std::uint8_t {
    add,
    drop,
    move,
    split,
    backfill,
    move_conflicts,
    move_wildcard,
    add_wildcard
  };
  What what;
  // for move_conflicts and move_wildcard the target; empty for add_wildcard
  FieldNames field = {};
  std::vector<FieldNames> to = {};  // one for move, at least two for split
  std::string value = {};           // FQL, only for backfill
};
// nullopt if it is no step.
std::optional<MigrationStep> read_step(const FqlValue& entry);

// Adds a failure for each invalid step.
void check_migrations(const FqlObject& definition, Failures& failures);

// The steps of the new definition that have not been run. Steps that also occur in the old
// definition, in the same order, have been run; the new definition may leave out the oldest of
// them.
std::vector<MigrationStep> new_steps(const FqlObject& before, const FqlObject& after);

// --- fields of a document, by path ---

const FqlValue* find_field(const FqlObject& fields, std::span<const std::string> names);
bool remove_field(FqlObject& fields, std::span<const std::string> names);
// Creates missing objects on the path. Returns false and changes nothing if a value on the path is
// no object.
bool put_field(FqlObject& fields, std::span<const std::string> names, const FqlValue& value);

}  // namespace mayfly::fauna
