#include "dialect/fauna/schema/migrations/migrate.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "db/rows/keys.h"
#include "dialect/fauna/documents/writing.h"
#include "dialect/fauna/run/functions/compile.h"
#include "dialect/fauna/run/weight.h"
#include "dialect/fauna/schema/members.h"
#include "dialect/fauna/schema/migrations/types.h"
#include "dialect/fauna/values/order.h"
#include "dialect/fauna/values/stored.h"
#include "value/packed/packed.h"

namespace mayfly::fauna {
namespace {

bool takes_any(const FqlObject& definition) {
  return definition.find("wildcard") != nullptr || member_object(definition, "fields").empty();
}

class Migration {
 public:
  Migration(Interpreter& run, const FqlObject& before, const FqlObject& after, Failures& failures)
      : run_(run),
        old_fields_(member_object(before, "fields")),
        new_fields_(member_object(after, "fields")),
        took_any_(takes_any(before)),
        takes_any_(takes_any(after)),
        steps_(new_steps(before, after)),
        types_(new_fields_, steps_),
        failures_(failures) {}

  bool is_needed() const {
    return !steps_.empty() || takes_any_ != took_any_ ||
           !equal(FqlValue(old_fields_), FqlValue(new_fields_));
  }

  // Checks the change independently of documents; sets defaults and values to fill in.
  Result<void> prepare() {
    TRY(types_.trace(run_));
    for (const auto& [name, field] : new_fields_.members()) declared_.insert(name);
    for (std::size_t i = 0; i < steps_.size(); ++i) TRY(analyze_step(i));
    for (const auto& [name, field] : new_fields_.members()) {
      if (old_fields_.find(name) == nullptr) TRY(prepare_added(name, field.object()));
    }
    known_ = declared_;
    known_.insert(removed_.begin(), removed_.end());
    for (const auto& [name, field] : old_fields_.members()) known_.insert(name);
    if (takes_any_) return {};
    for (const auto& [name, field] : old_fields_.members()) {
      if (new_fields_.find(name) != nullptr || removed_.contains(name)) continue;
      refuse(name, fmt::format("Field `.{}` is missing from the submitted schema; drop the field "
                               "and its data with a `drop` migration",
                               name));
    }
    return {};
  }

  // Whether the fields were changed.
  Result<bool> apply(FqlObject& fields) {
    TRY(run_.step(static_cast<std::uint32_t>(steps_.size() + 1)));
    bool is_changed = false;
    for (std::size_t i = 0; i < steps_.size(); ++i) is_changed |= TRY(take(i, fields));
    for (const auto& [name, value] : filled_.members()) {
      if (fields.find(name) != nullptr) continue;
      fields.append(name, value);
      is_changed = true;
    }
    check(fields);
    return is_changed;
  }

 private:
  using What = MigrationStep::What;

  void refuse(const std::string& field, std::string message) {
    if (refused_.insert(field).second) failures_.add({"fields", field}, std::move(message));
  }
  void refuse_step(std::string message) { failures_.add({"migrations"}, std::move(message)); }

  Result<void> analyze_step(std::size_t i) {
    const MigrationStep& step = steps_[i];
    if (step.what == What::drop || step.what == What::move || step.what == What::split) {
      removed_.insert(step.field.front());
    }
    for (const FieldNames& to : step.to) moved_to_.insert(to.front());
    if (step.what == What::backfill) {
      const Run::EffectScope limited(run_, {Effect::observation, "backfill values"});
      values_[i] = TRY(
          evaluate_text(run_, "*backfill:" + path_text(step.field).substr(1) + "*", step.value));
      moved_to_.insert(step.field.front());
    }
    if (step.what == What::add_wildcard && !takes_any_) {
      refuse_step("`add_wildcard` is for a collection that has the wildcard `*: Any`");
    }
    if (step.what == What::move_wildcard && (takes_any_ || !took_any_)) {
      refuse_step("`move_wildcard` is for a collection whose wildcard is removed");
    }
    return {};
  }

  Result<void> prepare_added(const std::string& name, const FqlObject& field) {
    if (moved_to_.contains(name)) return {};
    const std::string initial = member_text(field, "default");
    if (!initial.empty()) {
      const Run::EffectScope limited(run_, {Effect::observation, "default values"});
      filled_.set(name, TRY(evaluate_text(run_, "*field:" + name + "*", initial)));
      return {};
    }
    // Undeclared fields may exist in documents.
    if (took_any_ || types_.fits({name}, FqlValue())) return {};
    refuse(name, fmt::format("Field `.{}` is not present in the live schema; provide an `add` "
                             "migration with a `backfill`, a default value, or make it nullable",
                             name));
    return {};
  }

  Result<bool> take(std::size_t i, FqlObject& fields) {
    const MigrationStep& step = steps_[i];
    switch (step.what) {
      case What::add:
      case What::add_wildcard: return false;
      case What::drop: return remove_field(fields, step.field);
      case What::move: return move(step, step.to.front(), fields);
      case What::split: return split(i, fields);
      case What::backfill: return fill(step, values_[i], fields);
      case What::move_conflicts: return move_conflicts(i, fields);
      case What::move_wildcard: return move_wildcard(step, fields);
    }
    return false;
  }

  // A value at the target is kept: the migration is refused.
  bool move(const MigrationStep& step, const FieldNames& to, FqlObject& fields) {
    const FqlValue* const there = find_field(fields, step.field);
    if (there == nullptr || step.field == to) return false;
    const FqlValue value = *there;
    const bool is_free = find_field(fields, to) == nullptr;
    remove_field(fields, step.field);
    if (is_free && put_field(fields, to, value)) return true;
    refuse(to.front(), fmt::format("Field `{}` of documents that are there is in the way of `{}`",
                                   path_text(to), path_text(step.field)));
    return false;
  }

  // Moves the value to the first field with a type that fits.
  bool split(std::size_t i, FqlObject& fields) {
    const MigrationStep& step = steps_[i];
    const FqlValue* const there = find_field(fields, step.field);
    if (there == nullptr) return false;
    for (const FieldNames& to : step.to) {
      if (types_.fits_after(i, to, *there)) return move(step, to, fields);
    }
    refuse(step.field.front(),
           fmt::format("Field `{}` of documents that are there fits none of the fields that it is "
                       "split into",
                       path_text(step.field)));
    return false;
  }

  bool fill(const MigrationStep& step, const FqlValue& value, FqlObject& fields) {
    if (value.is_null() || find_field(fields, step.field) != nullptr) return false;
    if (put_field(fields, step.field, value)) return true;
    refuse(step.field.front(),
           fmt::format("Field `{}` cannot be filled: what stands above it is no object",
                       path_text(step.field)));
    return false;
  }

  // Moves values of fields added before this step that do not fit.
  bool move_conflicts(std::size_t i, FqlObject& fields) {
    FqlObject conflicts;
    const auto check_added = [&](const FieldNames& added) {
      const FqlValue* const value = find_field(fields, added);
      if (value == nullptr || types_.fits_after(i, added, *value)) return;
      conflicts.set(added.back(), *value);
      remove_field(fields, added);
    };
    for (const auto& [name, field] : new_fields_.members()) {
      if (old_fields_.find(name) == nullptr) check_added({name});
    }
    for (std::size_t k = 0; k < i; ++k) {
      if (steps_[k].what == What::add) check_added(steps_[k].field);
    }
    return move_aside(conflicts, steps_[i].field, fields);
  }

  // Moves fields that neither the old nor the new schema declares.
  bool move_wildcard(const MigrationStep& step, FqlObject& fields) {
    FqlObject kept;
    FqlObject others;
    for (auto& [name, value] : fields.members()) {
      (known_.contains(name) ? kept : others).append(name, value);
    }
    fields = std::move(kept);
    return move_aside(others, step.field, fields);
  }

  // Moves a field into an object. If its name is taken there, it is prefixed with `_`.
  bool move_aside(const FqlObject& moved, const FieldNames& into, FqlObject& fields) {
    if (moved.empty()) return false;
    const FqlValue* const there = find_field(fields, into);
    const bool is_object = there != nullptr && there->is(FqlKind::object);
    FqlObject whole = is_object ? there->object() : FqlObject();
    std::set<std::string> taken;
    for (const auto& [name, value] : whole.members()) taken.insert(name);
    for (const auto& [name, value] : moved.members()) {
      std::string key = name;
      while (!taken.insert(key).second) key.insert(0, "_");
      whole.append(std::move(key), value);
    }
    const bool is_free = there == nullptr || is_object;
    if (is_free && put_field(fields, into, FqlValue(std::move(whole)))) return true;
    refuse(into.front(), fmt::format("Field `{}` of documents that are there is no object to move "
                                     "others into",
                                     path_text(into)));
    return false;
  }

  void check(const FqlObject& fields) {
    for (const auto& [name, field] : new_fields_.members()) {
      const FqlValue* value = fields.find(name);
      if (types_.fits({name}, value == nullptr ? FqlValue() : *value)) continue;
      refuse(name, fmt::format("Field `.{}` of documents that are there does not fit type `{}`",
                               name, member_text(field.object(), "signature")));
    }
    if (takes_any_) return;
    for (const auto& [name, value] : fields.members()) {
      if (declared_.contains(name)) continue;
      refuse(name,
             fmt::format("Field `.{}` of documents that are there is not declared; declare it, "
                         "drop it, or keep the wildcard",
                         name));
    }
  }

  Interpreter& run_;
  const FqlObject& old_fields_;
  const FqlObject& new_fields_;
  const bool took_any_;
  const bool takes_any_;
  const std::vector<MigrationStep> steps_;
  MigrationTypes types_;
  Failures& failures_;
  std::set<std::string> declared_;  // declared by the new schema
  std::set<std::string> known_;     // declared now or before, or migrated
  std::set<std::string> removed_;
  std::set<std::string> moved_to_;
  std::map<std::size_t, FqlValue> values_;  // of backfills, by step
  FqlObject filled_;                        // values of new fields
  std::set<std::string> refused_;
};

Result<void> rewrite(Interpreter& run, const CollectionPtr& of, const Document& document,
                     const FqlObject& fields) {
  const auto stored = to_stored(FqlValue(fields));
  if (!stored) return run.fail("invalid_type", stored.error().message);
  PutOptions options{.expect = PutOptions::Expect::present, .is_touch = true};
  // An expiration that was computed from the time of the write stays unchanged. A document without
  // one keeps its lifetime.
  if (!document.death.is_never()) options.lifetime = Lifetime(mayfly::At{document.death});
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
      TRY(step_bytes(run, document.body.bytes().size()));
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
