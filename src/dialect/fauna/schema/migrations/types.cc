#include "dialect/fauna/schema/migrations/types.h"

#include <algorithm>

#include "dialect/fauna/schema/field_types.h"
#include "dialect/fauna/schema/members.h"

namespace mayfly::fauna {
namespace {

using What = MigrationStep::What;

// The type of a nested field; null if it is not declared.
const Type* type_within(const Type& type, std::span<const std::string> names) {
  if (names.empty()) return &type;
  if (const auto* nullable = type.as<NullableType>()) return type_within(*nullable->type, names);
  const auto* const object = type.as<ObjectType>();
  if (object == nullptr) return nullptr;
  for (const FieldType& field : object->fields) {
    if (field.name == names.front()) return type_within(*field.type, names.subspan(1));
  }
  return nullptr;
}

}  // namespace

MigrationTypes::MigrationTypes(const FqlObject& fields, const std::vector<MigrationStep>& steps)
    : steps_(steps) {
  for (const auto& [name, field] : fields.members()) {
    if (!field.is(FqlKind::object)) continue;
    Declared made{make_source("*signature*", member_text(field.object(), "signature")), nullptr};
    if (auto type = parse_type(made.source)) made.type = *std::move(type);
    declared_.emplace(name, std::move(made));
  }
}

Result<void> MigrationTypes::trace(Interpreter& run) {
  Destinations later;
  for (std::size_t i = steps_.size(); i-- > 0;) {
    const MigrationStep& step = steps_[i];
    if (step.what == What::split || step.what == What::move_conflicts) {
      TRY(run.step(static_cast<std::uint32_t>(later.size() + 1)));
      after_step_[i] = later;
    }
    TRY(trace_step(run, step, later));
  }
  return {};
}

Result<void> MigrationTypes::trace_step(Interpreter& run, const MigrationStep& step,
                                        Destinations& later) const {
  if (step.what == What::drop) later[step.field] = {.is_dropped = true};
  if (step.what != What::move && step.what != What::split) return {};
  Destination all;
  for (const FieldNames& to : step.to) {
    const Destination one = destination_in(later, to);
    TRY(run.step(static_cast<std::uint32_t>(one.fields.size() + 1)));
    all.is_dropped = all.is_dropped || one.is_dropped;
    all.fields.insert(one.fields.begin(), one.fields.end());
  }
  later[step.field] = std::move(all);
  return {};
}

MigrationTypes::Destination MigrationTypes::destination_in(const Destinations& destinations,
                                                           const FieldNames& field) {
  const auto known = destinations.find(field);
  return known == destinations.end() ? Destination{.fields = {field}} : known->second;
}

bool MigrationTypes::fits(const FieldNames& field, const FqlValue& value) const {
  const auto declared = declared_.find(field.front());
  if (declared == declared_.end() || !declared->second.type) return true;
  const std::span<const std::string> names(field);
  const Type* const type = type_within(*declared->second.type, names.subspan(1));
  return type == nullptr || is_of_type(value, *type);
}

bool MigrationTypes::fits_after(std::size_t step, const FieldNames& field,
                                const FqlValue& value) const {
  const auto behind = after_step_.find(step);
  const Destination destination = behind == after_step_.end()
                                      ? Destination{.fields = {field}}
                                      : destination_in(behind->second, field);
  return destination.is_dropped ||
         std::any_of(destination.fields.begin(), destination.fields.end(),
                     [&](const FieldNames& one) { return fits(one, value); });
}

}  // namespace mayfly::fauna
