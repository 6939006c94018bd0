#include "dialect/fauna/documents/constraints.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/fauna/documents/writing.h"
#include "dialect/fauna/limits.h"
#include "dialect/fauna/run/functions/compile.h"
#include "dialect/fauna/schema/field_types.h"
#include "dialect/fauna/syntax/types.h"

namespace mayfly::fauna {
namespace {

constexpr std::string_view unique_message = "Failed unique constraint";

FailurePath field_path(const Path& path) {
  FailurePath steps;
  for (const mayfly::Step& step : path.steps) {
    if (const auto* name = std::get_if<std::string>(&step)) {
      steps.emplace_back(*name);
    } else {
      steps.emplace_back(static_cast<std::int64_t>(std::get<std::size_t>(step)));
    }
  }
  return steps;
}

// The document that a check gets if it is already expired when it is written: the written fields.
FqlValue as_written(const FqlValue& document, const FqlObject& fields,
                    const std::optional<FqlTime>& ttl) {
  FqlObject shown;
  shown.append("id", FqlValue(Id{document.document()->id}));
  shown.append("coll", FqlValue(module_of(document.document()->collection)));
  shown.append("ts", FqlValue(TransactionTime{}));
  if (ttl) shown.append("ttl", FqlValue(*ttl));
  for (const auto& [name, value] : fields.members()) shown.append(name, value);
  return FqlValue(std::move(shown));
}

std::string message_of(WriteMode mode, const FqlCollection& of, const FqlValue& document) {
  if (mode == WriteMode::create || mode == WriteMode::create_data) {
    return fmt::format("Failed to create document in collection `{}`.", of.name);
  }
  return fmt::format("Failed to update document with id {} in collection `{}`.",
                     document.document()->id, of.name);
}

}  // namespace

void Failures::add(FailurePath path, std::string message) {
  if (failures_.size() >= limits::fql_failures_max) return;
  ConstraintFailure failure{.message = std::move(message)};
  if (!path.empty()) failure.paths.push_back(std::move(path));
  failures_.push_back(std::move(failure));
}

Result<void> Failures::raise(Interpreter& run, const std::string& message) {
  if (failures_.empty()) return {};
  const bool are_taken = std::ranges::all_of(
      failures_, [](const ConstraintFailure& one) { return one.message == unique_message; });
  return run.fail({.code = "constraint_failure",
                   .message = are_taken ? std::string(unique_message) + "." : message,
                   .constraint_failures = std::move(failures_)});
}

Result<void> add_defaults(Interpreter& run, const FqlCollection& of, FqlObject& fields) {
  for (const FieldDefinition& field : of.definition->fields) {
    if (!field.initial || fields.find(field.name) != nullptr) continue;
    const Run::EffectScope limited(run, {Effect::observation, "default values"});
    FqlValue value = TRY(evaluate_code(run, field.initial_code));
    if (!value.is_null()) fields.append(field.name, std::move(value));
  }
  return {};
}

Result<void> check_fields(Interpreter& run, const FqlCollection& of, const FqlObject& fields,
                          bool is_data, Failures& failures) {
  const CollectionDefinition& definition = *of.definition;
  const FailurePath root = is_data ? FailurePath{"data"} : FailurePath{};
  for (const FieldDefinition& field : definition.fields) {
    const TypePtr& type = field.type;
    if (!type) continue;
    FailurePath path = root;
    path.emplace_back(field.name);
    const FqlValue* value = fields.find(field.name);
    if (value != nullptr) {
      TRY(check_type(run.meter(), *value, *type, path, failures));
    } else if (!takes_null(*type)) {
      failures.add(path,
                   fmt::format("Missing required field of type {}", render_type_in_full(*type)));
    }
  }
  if (definition.takes_any_field()) return {};
  for (const auto& [name, value] : fields.members()) {
    if (definition.find_field(name) != nullptr) continue;
    FailurePath path = root;
    path.emplace_back(name);
    failures.add(path, "Unexpected field provided");
  }
  return {};
}

Result<void> check_constraints(Interpreter& run, const FqlCollection& of, const FqlValue& document,
                               const FqlObject& fields, const std::optional<FqlTime>& ttl,
                               WriteMode mode) {
  if (of.definition->checks.empty()) return {};
  // The result of a check reveals the data that it reads to the writer of the check. Principals
  // that may change definitions may read that data anyway.
  const Permissions::RoleScope server(run.permissions(), "server");
  const FqlValue shown = TRY(run.exists(document)) ? document : as_written(document, fields, ttl);
  Failures failures;
  for (const CheckDefinition& check : of.definition->checks) {
    const auto body = TRY(compile(run, check.code));
    const Run::EffectScope reads_only(run, {Effect::read, "check constraints"});
    const FqlValue result = TRY(run.call(*body, std::span(&shown, 1)));
    if (result.is_null() || (result.is(FqlKind::boolean) && !result.boolean())) {
      failures.add({}, fmt::format("Document failed check constraint `{}`", check.name));
    } else if (!result.is(FqlKind::boolean)) {
      failures.add({}, fmt::format("Error evaluating check constraint `{}`: function returned a "
                                   "non-boolean value",
                                   check.name));
    }
  }
  return failures.raise(run, message_of(mode, of, document));
}

QueryFailure unique_failure(const FqlCollection& of, std::string_view error) {
  QueryFailure failure{.code = "constraint_failure", .message = "Failed unique constraint."};
  ConstraintFailure failed{.message = "Failed unique constraint"};
  for (const UniqueDefinition& unique : of.definition->uniques) {
    // Several constraints may start with the same field. The message ends with the name of the
    // index.
    const std::string name = core_index_name(unique);
    if (error != name && !error.ends_with("'" + name + "'")) continue;
    for (const Term& term : unique.terms) failed.paths.push_back(field_path(term.path));
    break;
  }
  failure.constraint_failures.push_back(std::move(failed));
  return failure;
}

}  // namespace mayfly::fauna
