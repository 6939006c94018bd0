// The steps of a collection's `migrations`, and the fields that they are about.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dialect/fauna/documents/constraints.h"

namespace mayfly::fauna {

// Names within each other: `.a.b`.
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
  FieldNames field = {};            // or what it moves into; of add_wildcard none
  std::vector<FieldNames> to = {};  // of move one, of split two at least
  std::string value = {};           // FQL, of backfill
};
// Nothing where it is no step.
std::optional<MigrationStep> read_step(const FqlValue& said);

// Adds a failure for each that is none.
void check_migrations(const FqlObject& definition, Failures& failures);

// The steps of a definition that the one before it has not run: what stands there as it stood
// before has been run. Earlier steps may have been left out.
std::vector<MigrationStep> new_steps(const FqlObject& before, const FqlObject& after);

// --- fields of a document, by their names ---

const FqlValue* find_field(const FqlObject& fields, std::span<const std::string> names);
bool remove_field(FqlObject& fields, std::span<const std::string> names);
// Makes the objects on the way. False, and nothing is changed, where something else stands there.
bool put_field(FqlObject& fields, std::span<const std::string> names, const FqlValue& value);

}  // namespace mayfly::fauna
