// What types fields have in the middle of a migration: a value need only fit what later steps make
// of it.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "dialect/fauna/schema/migrations/steps.h"
#include "dialect/fauna/syntax/types.h"

namespace mayfly::fauna {

class MigrationTypes {
 public:
  // The declared fields of the schema that is made. Both outlive it.
  MigrationTypes(const FqlObject& fields, const std::vector<MigrationStep>& steps);

  // Looks at the steps from the last to the first. To be called before fits_after().
  Result<void> trace(Interpreter& run);

  // Whether a field of the new schema takes the value. What is not declared takes any.
  bool fits(const FieldNames& field, const FqlValue& value) const;
  // Whether the field takes it behind that step: also if a later step drops it, or moves it to
  // where it fits.
  bool fits_after(std::size_t step, const FieldNames& field, const FqlValue& value) const;

 private:
  // What becomes of a field: it is dropped, or it is one of these in the new schema.
  struct Fate {
    bool is_dropped = false;
    std::set<FieldNames> fields = {};
  };
  using Fates = std::map<FieldNames, Fate>;

  static Fate fate_in(const Fates& fates, const FieldNames& field);
  Result<void> trace_step(Interpreter& run, const MigrationStep& step, Fates& later) const;

  struct Declared {
    SourcePtr source;  // of the type
    TypePtr type;
  };
  std::map<std::string, Declared> declared_;
  const std::vector<MigrationStep>& steps_;
  std::map<std::size_t, Fates> behind_;  // steps that ask for it
};

}  // namespace mayfly::fauna
