#include "dialect/fauna/schema/migrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "db/keys.h"
#include "dialect/fauna/documents/writing.h"
#include "dialect/fauna/run/compile.h"
#include "dialect/fauna/schema/field_types.h"
#include "dialect/fauna/schema/members.h"
#include "dialect/fauna/values/order.h"
#include "dialect/fauna/values/stored.h"
#include "value/packed.h"

namespace mayfly::fauna {
namespace {

// Steps that stood there before have been run.
FqlArray new_steps(const FqlObject& before, const FqlObject& after) {
  const FqlArray old = member_list(before, "migrations");
  FqlArray steps = member_list(after, "migrations");
  std::size_t same = 0;
  while (same < std::min(old.size(), steps.size()) && equal(old[same], steps[same])) ++same;
  steps.erase(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(same));
  return steps;
}

bool takes_any(const FqlObject& definition) {
  return definition.find("wildcard") != nullptr || member_object(definition, "fields").empty();
}

// One step: what it does, and its argument.
struct StepTaken {
  std::string_view what;
  const FqlObject& said;
};

StepTaken step_of(const FqlValue& step) {
  static const FqlObject none;
  if (!step.is(FqlKind::object) || step.object().empty()) return {"", none};
  const auto& [what, said] = step.object().members().front();
  return {what, said.is(FqlKind::object) ? said.object() : none};
}

class Migration {
 public:
  Migration(Interpreter& run, const FqlObject& before, const FqlObject& after, Failures& failures)
      : run_(run),
        before_(before),
        after_(after),
        steps_(new_steps(before, after)),
        failures_(failures) {}

  bool is_needed() const {
    const bool is_same = equal(FqlValue(member_object(before_, "fields")),
                               FqlValue(member_object(after_, "fields"))) &&
                         takes_any(before_) == takes_any(after_);
    return !is_same || !steps_.empty();
  }

  // Whether the change can be right for any document; sets defaults and values to fill in.
  Result<void> prepare() {
    for (const FqlValue& step : steps_) TRY(note(step_of(step)));
    for (const auto& [name, field] : member_object(after_, "fields").members()) {
      if (member_object(before_, "fields").find(name) == nullptr)
        TRY(prepare_added(name, field.object()));
    }
    if (takes_any(after_)) return {};
    for (const auto& [name, field] : member_object(before_, "fields").members()) {
      const bool is_gone =
          member_object(after_, "fields").find(name) == nullptr && !gone_.contains(name);
      if (is_gone) {
        refuse(name, fmt::format("Field `.{}` is missing from the submitted schema; drop the field "
                                 "and its data with a `drop` migration",
                                 name));
      }
    }
    return {};
  }

  // Whether the fields were changed.
  Result<bool> apply(FqlObject& fields) {
    bool is_changed = false;
    for (const FqlValue& step : steps_) is_changed |= TRY(take(step_of(step), fields));
    for (const auto& [name, value] : filled_.members()) {
      if (fields.find(name) != nullptr) continue;
      fields.append(name, value);
      is_changed = true;
    }
    check(fields);
    return is_changed;
  }

 private:
  void refuse(const std::string& field, std::string message) {
    if (refused_.insert(field).second) failures_.add({"fields", field}, std::move(message));
  }

  // `.a` alone: only fields of the document itself are migrated.
  std::string field_of(const FqlValue* path) {
    const auto read =
        path != nullptr && path->is(FqlKind::text) ? Path::parse(path->text()) : Path::parse("");
    const auto* const name =
        read && read->steps.size() == 1 ? std::get_if<std::string>(&read->steps.front()) : nullptr;
    if (name != nullptr) return *name;
    failures_.add({"migrations"}, "Migrations of nested fields are not supported");
    return {};
  }

  Result<void> note(const StepTaken& step) {
    const std::string field = field_of(step.said.find("field"));
    if (step.what == "drop" || step.what == "move") {
      gone_.insert(field);
    } else if (step.what == "backfill") {
      values_.emplace(field, TRY(evaluate_text(run_, "*backfill:" + field + "*",
                                               member_text(step.said, "value"))));
    } else if (step.what != "add") {
      failures_.add({"migrations"},
                    fmt::format("Migration `{}` is not supported; migrate with `add`, `backfill`, "
                                "`drop` and `move`",
                                step.what));
    }
    if (step.what == "move") moved_to_.insert(field_of(step.said.find("to")));
    return {};
  }

  Result<void> prepare_added(const std::string& name, const FqlObject& field) {
    if (const auto filled = values_.find(name); filled != values_.end()) {
      filled_.set(name, filled->second);
      return {};
    }
    const std::string initial = member_text(field, "default");
    if (!initial.empty()) {
      filled_.set(name, TRY(evaluate_text(run_, "*field:" + name + "*", initial)));
      return {};
    }
    const auto source = make_source("*signature*", member_text(field, "signature"));
    const auto type = parse_type(source);
    const bool may_be_missing = !type || takes_null(**type) || moved_to_.contains(name);
    // What was not declared may have stood there all the same.
    if (may_be_missing || takes_any(before_)) return {};
    refuse(name, fmt::format("Field `.{}` is not present in the live schema; provide an `add` "
                             "migration with a `backfill`, a default value, or make it nullable",
                             name));
    return {};
  }

  Result<bool> take(const StepTaken& step, FqlObject& fields) {
    if (step.what != "drop" && step.what != "move") return false;
    const std::string from = field_of(step.said.find("field"));
    const FqlValue* there = fields.find(from);
    if (there == nullptr) return false;
    const FqlValue value = *there;
    fields.remove(from);
    if (step.what == "move") fields.set(field_of(step.said.find("to")), value);
    return true;
  }

  void check(const FqlObject& fields) {
    for (const auto& [name, field] : member_object(after_, "fields").members()) {
      const auto source = make_source("*signature*", member_text(field.object(), "signature"));
      const auto type = parse_type(source);
      const FqlValue* value = fields.find(name);
      if (!type || is_of_type(value == nullptr ? FqlValue() : *value, **type)) continue;
      refuse(name, fmt::format("Field `.{}` of documents that are there does not fit type `{}`",
                               name, render_type(**type)));
    }
    if (takes_any(after_)) return;
    for (const auto& [name, value] : fields.members()) {
      if (member_object(after_, "fields").find(name) != nullptr) continue;
      refuse(name,
             fmt::format("Field `.{}` of documents that are there is not declared; declare it, "
                         "drop it, or add a wildcard",
                         name));
    }
  }

  Interpreter& run_;
  const FqlObject& before_;
  const FqlObject& after_;
  const FqlArray steps_;
  Failures& failures_;
  std::set<std::string> gone_;
  std::set<std::string> moved_to_;
  std::map<std::string, FqlValue> values_;  // of backfills
  FqlObject filled_;                        // into fields that are new
  std::set<std::string> refused_;
};

Result<void> rewrite(Interpreter& run, const CollectionPtr& of, const Document& document,
                     const FqlObject& fields) {
  const auto stored = to_stored(FqlValue(fields));
  if (!stored) return run.fail("invalid_type", stored.error().message);
  PutOptions options{.expect = PutOptions::Expect::present, .is_touch = true};
  options.lifetime =
      document.death.is_never() ? Lifetime(Never{}) : Lifetime(mayfly::At{document.death});
  TRY(run.transaction()->put(of, DocumentKey::of(std::string(document.id)), TRY(pack(*stored)),
                             options));
  ++run.counts().writes;
  return {};
}

}  // namespace

Result<void> migrate(Interpreter& run, const std::string& collection, const FqlObject& before,
                     const FqlObject& after, Failures& failures) {
  Migration migration(run, before, after, failures);
  if (!migration.is_needed()) return {};
  View& view = run.reading().view();
  const CollectionPtr of = view.catalog().find_collection(run.reading().database(), collection);
  if (!of) return {};
  DocumentRange range;
  bool is_first = true;
  for (;;) {
    const DocumentPage page = TRY(view.scan(*of, range, view.live()));
    for (const Document& document : page.documents) {
      if (std::exchange(is_first, false)) TRY(migration.prepare());
      if (!failures.empty()) return {};
      TRY(run.step());
      FqlObject fields = stored_fields(document);
      if (TRY(migration.apply(fields)) && failures.empty()) {
        TRY(rewrite(run, of, document, fields));
      }
    }
    if (!page.next || !failures.empty()) return {};
    range.from = *page.next;
  }
}

}  // namespace mayfly::fauna
