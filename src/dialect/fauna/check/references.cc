#include "dialect/fauna/check/references.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "db/database.h"
#include "dialect/fauna/documents/reading.h"
#include "dialect/fauna/limits.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/schema/members.h"
#include "dialect/fauna/schema/system.h"

namespace mayfly::fauna {
namespace {

class ReferenceChecker {
 public:
  ReferenceChecker(Interpreter& run, Reading& reading, CheckedSchema& checked)
      : run_(run), reading_(reading), checked_(checked) {}

  Result<void> check() {
    TRY(each("Role", &ReferenceChecker::check_role));
    return each("AccessProvider", &ReferenceChecker::check_provider);
  }

 private:
  using CheckOne = Result<void> (ReferenceChecker::*)(const FqlObject& fields);

  Result<void> each(const char* kind, CheckOne check_one) {
    kind_ = kind;
    for (const Document& one : TRY(reading_.all_system(*find_system(kind)))) {
      TRY(run_.step());
      name_ = id_in_table(one.id);
      TRY((this->*check_one)(stored_fields(one)));
    }
    return {};
  }

  Result<void> check_role(const FqlObject& fields) {
    for (const FqlValue& item : member_list(fields, "membership")) {
      TRY(check_resource(item, SchemaPart::membership));
    }
    for (const FqlValue& item : member_list(fields, "privileges")) {
      TRY(check_resource(item, SchemaPart::privileges));
    }
    return {};
  }

  // Privileges may refer to functions, but memberships may not.
  Result<void> check_resource(const FqlValue& item, SchemaPart part) {
    if (!item.is(FqlKind::object)) return {};
    const std::string name = member_text(item.object(), "resource");
    if (TRY(reading_.collection(name))) return {};
    const bool is_membership = part == SchemaPart::membership;
    if (!is_membership && TRY(reading_.function(name))) return {};
    add(part, is_membership ? "membership " : "privileges ", "Resource", name);
    return {};
  }

  Result<void> check_provider(const FqlObject& fields) {
    for (const FqlValue& item : member_list(fields, "roles")) {
      const bool is_object = item.is(FqlKind::object);
      const std::string name = is_object                ? member_text(item.object(), "role")
                               : item.is(FqlKind::text) ? item.text()
                                                        : std::string();
      if (TRY(reading_.get_system(*find_system("Role"), name))) continue;
      add(SchemaPart::provider_role, "role ", "Role", name);
    }
    return {};
  }

  // The error points into a text in the form of FSL: the keyword, then the name.
  void add(SchemaPart part, const std::string& word, const char* what, const std::string& name) {
    if (checked_.errors.size() >= limits::fql_errors_max) return;
    const SourcePtr source = make_source(
        fmt::format("*{}:{}*", kind_ == "Role" ? "role" : "access_provider", name_), word + name);
    checked_.sources.push_back(source);
    const Span at{static_cast<std::uint32_t>(word.size()),
                  static_cast<std::uint32_t>(source->text.size()), source.get()};
    checked_.errors.push_back(
        {kind_, name_, {}, error_at(at, fmt::format("{} `{}` does not exist", what, name)), part});
  }

  Interpreter& run_;
  Reading& reading_;
  CheckedSchema& checked_;
  std::string kind_;
  std::string name_;
};

bool is_same(const SchemaError& a, const SchemaError& b) {
  return a.kind == b.kind && a.name == b.name && a.part == b.part &&
         a.what.message == b.what.message;
}

}  // namespace

Result<void> check_references(Interpreter& run, CheckedSchema& checked) {
  CheckedSchema after;
  TRY(ReferenceChecker(run, run.reading(), after).check());
  if (after.errors.empty()) return {};
  CheckedSchema before;
  View committed = run.environment().database.view();
  Reading reading(committed, run.environment().database_id);
  TRY(ReferenceChecker(run, reading, before).check());
  std::erase_if(after.errors, [&](const SchemaError& error) {
    return std::ranges::any_of(before.errors,
                               [&](const SchemaError& old) { return is_same(old, error); });
  });
  std::ranges::move(after.errors, std::back_inserter(checked.errors));
  std::ranges::move(after.sources, std::back_inserter(checked.sources));
  return {};
}

}  // namespace mayfly::fauna
