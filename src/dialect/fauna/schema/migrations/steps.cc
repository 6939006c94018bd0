#include "dialect/fauna/schema/migrations/steps.h"

#include <algorithm>
#include <iterator>

#include "dialect/fauna/schema/members.h"
#include "dialect/fauna/values/order.h"
#include "dialect/fauna/wire/wire_limits.h"
#include "value/path.h"

namespace mayfly::fauna {
namespace {

using What = MigrationStep::What;

// The form of a step's argument.
struct StepRow {
  std::string_view name;
  What what;
  std::string_view field;  // the member with the field; empty: none
  std::size_t to_min;      // minimum number of paths in `to`
  std::size_t to_max;
  bool has_value;
};
constexpr StepRow step_rows[] = {
    {"add", What::add, "field", 0, 0, false},
    {"drop", What::drop, "field", 0, 0, false},
    {"move", What::move, "field", 1, 1, false},
    {"split", What::split, "field", 2, limits::schema_members_max, false},
    {"backfill", What::backfill, "field", 0, 0, true},
    {"move_conflicts", What::move_conflicts, "into", 0, 0, false},
    {"move_wildcard", What::move_wildcard, "into", 0, 0, false},
    {"add_wildcard", What::add_wildcard, "", 0, 0, false},
};

std::optional<FieldNames> names_of(const FqlValue* path) {
  if (path == nullptr || !path->is(FqlKind::text)) return std::nullopt;
  const auto read = Path::parse(path->text());
  if (!read || read->steps.empty()) return std::nullopt;
  FieldNames names;
  for (const mayfly::Step& step : read->steps) {
    const auto* const name = std::get_if<std::string>(&step);
    if (name == nullptr) return std::nullopt;
    names.push_back(*name);
  }
  return names;
}

}  // namespace

std::string path_text(const FieldNames& names) {
  Path path;
  path.steps.assign(names.begin(), names.end());
  return path.render();
}

std::optional<MigrationStep> read_step(const FqlValue& entry) {
  if (!entry.is(FqlKind::object) || entry.object().size() != 1) return std::nullopt;
  const auto& [name, argument] = entry.object().members().front();
  const auto* const row =
      std::find_if(std::begin(step_rows), std::end(step_rows),
                   [n = std::string_view(name)](const StepRow& one) { return one.name == n; });
  if (row == std::end(step_rows) || !argument.is(FqlKind::object)) return std::nullopt;
  MigrationStep step{.what = row->what};
  if (!row->field.empty()) {
    auto field = names_of(argument.object().find(row->field));
    if (!field) return std::nullopt;
    step.field = *std::move(field);
  }
  for (const FqlValue& path : member_list(argument.object(), "to")) {
    auto to = names_of(&path);
    if (!to) return std::nullopt;
    step.to.push_back(*std::move(to));
  }
  if (step.to.size() < row->to_min || step.to.size() > row->to_max) return std::nullopt;
  step.value = member_text(argument.object(), "value");
  if (step.value.empty() == row->has_value) return std::nullopt;
  return step;
}

void check_migrations(const FqlObject& definition, Failures& failures) {
  const FqlArray steps = member_list(definition, "migrations");
  if (steps.size() > limits::schema_members_max) {
    return failures.add({"migrations"}, "Too many migrations");
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (read_step(steps[i])) continue;
    failures.add({"migrations", static_cast<std::int64_t>(i)}, "Value is not a valid migration.");
  }
}

std::vector<MigrationStep> new_steps(const FqlObject& before, const FqlObject& after) {
  const FqlArray old = member_list(before, "migrations");
  const FqlArray now = member_list(after, "migrations");
  // How many of the first new steps are in the old list from that position on.
  const auto same_from = [&](std::size_t at) {
    std::size_t n = 0;
    while (n < now.size() && at + n < old.size() && equal(old[at + n], now[n])) ++n;
    return n;
  };
  std::size_t known = 0;
  for (std::size_t at = 0; at < old.size() && known == 0; ++at) {
    const std::size_t same = same_from(at);
    if (same == now.size() || at + same == old.size()) known = same;
  }
  if (known == 0) known = same_from(0);
  std::vector<MigrationStep> steps;
  for (std::size_t i = known; i < now.size(); ++i) {
    if (auto step = read_step(now[i])) steps.push_back(*std::move(step));
  }
  return steps;
}

const FqlValue* find_field(const FqlObject& fields, std::span<const std::string> names) {
  const FqlValue* const there = fields.find(names.front());
  if (there == nullptr || names.size() == 1) return there;
  return there->is(FqlKind::object) ? find_field(there->object(), names.subspan(1)) : nullptr;
}

bool remove_field(FqlObject& fields, std::span<const std::string> names) {
  if (names.size() == 1) return fields.remove(names.front());
  const FqlValue* const there = fields.find(names.front());
  if (there == nullptr || !there->is(FqlKind::object)) return false;
  FqlObject inner = there->object();
  if (!remove_field(inner, names.subspan(1))) return false;
  fields.set(names.front(), FqlValue(std::move(inner)));
  return true;
}

bool put_field(FqlObject& fields, std::span<const std::string> names, const FqlValue& value) {
  if (names.size() == 1) {
    fields.set(names.front(), value);
    return true;
  }
  const FqlValue* const there = fields.find(names.front());
  if (there != nullptr && !there->is(FqlKind::object)) return false;
  FqlObject inner = there == nullptr ? FqlObject() : there->object();
  if (!put_field(inner, names.subspan(1), value)) return false;
  fields.set(names.front(), FqlValue(std::move(inner)));
  return true;
}

}  // namespace mayfly::fauna
