// Names after GROUP BY: keys of the group, or errors.
#include <fmt/format.h>

#include <algorithm>

#include "dialect/cosmos/sql/lowering/lowering.h"
#include "dialect/cosmos/sql/print.h"

namespace mayfly::cosmos::sql {

Lowering::Grouping* Lowering::grouping_for(std::string_view name) const {
  const Binding* binding = grouping_ == nullptr ? nullptr : find(name);
  if (binding == nullptr) return nullptr;
  const auto place = static_cast<std::size_t>(binding - bindings_.data());
  for (Grouping* grouping = grouping_; grouping != nullptr; grouping = grouping->outer) {
    if (place >= grouping->behind) return nullptr;
    if (place >= grouping->from) return grouping;
  }
  return nullptr;
}

// Whether the grouping applies to every name in it; a subquery has names of its own.
bool Lowering::applies_to_names(const Scalar& scalar, const Grouping& grouping) const {
  if (const auto* name = scalar.as<Name>()) return grouping_for(name->name) == &grouping;
  bool are_all = true;
  for_each_child(scalar, [&](const ScalarPtr& child) {
    are_all = are_all && applies_to_names(*child, grouping);
  });
  return are_all;
}

ExprPtr Lowering::key_of(const Scalar& scalar) const {
  std::string printed;
  for (const Grouping* grouping = grouping_; grouping != nullptr; grouping = grouping->outer) {
    if (grouping->keys.empty()) continue;
    if (printed.empty()) printed = print(scalar, Layout::normal);
    const auto key = std::find(grouping->keys.begin(), grouping->keys.end(), printed);
    if (key == grouping->keys.end() || !applies_to_names(scalar, *grouping)) continue;
    const auto place = static_cast<std::size_t>(key - grouping->keys.begin());
    return expr::field(Field::body(grouping->clauses->keys[place].name),
                       grouping->clauses->group_slot);
  }
  return nullptr;
}

bool Lowering::goes_by_steps(const ScalarPtr& scalar) const {
  if (grouping_ == nullptr) return false;
  const auto* index = scalar->as<Index>();
  const bool is_step = scalar->as<Member>() != nullptr ||
                       (index != nullptr && constant_step(*index->index).has_value());
  if (!is_step) return false;
  const auto* name = steps_of(scalar).from->as<Name>();
  return name == nullptr || grouping_for(name->name) != nullptr;
}

// The error covers the whole reference: `c.a`, not only `c`.
void Lowering::take_ungrouped(const Scalar& of, const Scalar& whole) {
  for (Grouping* grouping = grouping_; grouping != nullptr; grouping = grouping->outer) {
    if (grouping->ungrouped.empty()) continue;
    TextRange& last = grouping->ungrouped.back();
    if (last == of.range) last = whole.range;
  }
}

Result<void> Lowering::check_ungrouped(const Grouping& grouping) const {
  if (grouping.ungrouped.empty()) return {};
  std::vector<Diagnostic> all;
  for (const TextRange& range : grouping.ungrouped) {
    all.push_back(
        {"SC2102",
         fmt::format("Property reference '{}' is invalid in the select list because it is "
                     "not contained in either an aggregate function or the GROUP BY clause.",
                     asked_.text.substr(range.start, range.end - range.start)),
         range});
  }
  return tl::unexpected(refusal(Code::invalid, asked_.text, all));
}

}  // namespace mayfly::cosmos::sql
