// The types of fields in the middle of a migration. A value must fit one of the fields that later
// steps move it to, unless one of them drops it.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "dialect/fauna/schema/migrations/steps.h"
#include "dialect/fauna/syntax/types.h"

namespace mayfly::fauna {

class MigrationTypes {
 public:
  // `fields` are those that the new schema declares. Both must outlive this object.
  MigrationTypes(const FqlObject& fields, const std::vector<MigrationStep>& steps);

  // Analyzes the steps from last to first. To be called before fits_after().
  Result<void> trace(Interpreter& run);

  // Whether the value fits a field of the new schema. Undeclared fields take any value.
  bool fits(const FieldNames& field, const FqlValue& value) const;
  // Whether the field may have the value after that step: it fits, or a later step drops it or
  // moves it to where it fits.
  bool fits_after(std::size_t step, const FieldNames& field, const FqlValue& value) const;

 private:
  // The final target of a field: it is dropped, or becomes one of these in the new schema.
  struct Destination {
    bool is_dropped = false;
    std::set<FieldNames> fields = {};
  };
  using Destinations = std::map<FieldNames, Destination>;

  static Destination destination_in(const Destinations& destinations, const FieldNames& field);
  Result<void> trace_step(Interpreter& run, const MigrationStep& step, Destinations& later) const;

  struct Declared {
    SourcePtr source;  // of the type
    TypePtr type;
  };
  std::map<std::string, Declared> declared_;
  const std::vector<MigrationStep>& steps_;
  std::map<std::size_t, Destinations> after_step_;  // only for steps that need it
};

}  // namespace mayfly::fauna
