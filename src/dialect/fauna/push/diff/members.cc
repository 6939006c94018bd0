#include "dialect/fauna/push/diff/members.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "dialect/fauna/fsl/print.h"
#include "dialect/fauna/push/items.h"
#include "dialect/fauna/schema/migrations/steps.h"

namespace mayfly::fauna {
namespace {

using Lines = std::vector<std::string>;

std::string section(std::string_view title, const Lines& lines) {
  if (lines.empty()) return "";
  std::string out = fmt::format("  * {}:\n", title);
  for (const std::string& line : lines) out += "  " + line + "\n";
  return out + "\n";
}

// The members of one kind in a collection.
template <class T>
std::vector<const T*> members_of_kind(const fsl::Item* item) {
  std::vector<const T*> found;
  const auto* const collection =
      item == nullptr ? nullptr : std::get_if<fsl::Collection>(&item->what);
  if (collection == nullptr) return found;
  for (const fsl::Member& member : collection->members) {
    if (const auto* const one = std::get_if<T>(&member.what)) found.push_back(one);
  }
  return found;
}

template <class T>
const T* member_named(const std::vector<const T*>& members, const std::string& name) {
  const auto found = std::find_if(members.begin(), members.end(),
                                  [&](const T* member) { return member->name.text == name; });
  return found == members.end() ? nullptr : *found;
}

template <class T>
std::string text_of_member(const T& member) {
  return fsl::render_member({.what = member});
}

// Renders added, removed and changed members by name; `change` renders one that is in both.
template <class T, class Change>
Lines named_changes(const fsl::Item* before, const fsl::Item& after, std::string_view what,
                    const Change& change) {
  const auto old = members_of_kind<T>(before);
  const auto now = members_of_kind<T>(&after);
  Lines lines;
  for (const T* member : now) {
    const T* const was = member_named(old, member->name.text);
    if (was == nullptr) {
      lines.push_back(fmt::format("+ add {} `{}`", what, member->name.text));
    } else if (text_of_member(*was) != text_of_member(*member)) {
      lines.push_back(change(*was, *member));
    }
  }
  for (const T* member : old) {
    if (member_named(now, member->name.text) != nullptr) continue;
    lines.push_back(fmt::format("- remove {} `{}`", what, member->name.text));
  }
  return lines;
}

// Migrations that are new in the collection.
std::vector<fsl::Migration> new_migrations(const fsl::Item* before, const fsl::Item& after) {
  const auto now = members_of_kind<fsl::Migrations>(&after);
  if (now.empty()) return {};
  const FqlObject old = before == nullptr ? FqlObject() : document_of(*before);
  const auto& steps = now.front()->steps;
  const std::size_t count = std::min(steps.size(), new_steps(old, document_of(after)).size());
  return {steps.end() - static_cast<std::ptrdiff_t>(count), steps.end()};
}

class FieldChanges {
 public:
  FieldChanges(const fsl::Item* before, const fsl::Item& after)
      : old_(members_of_kind<fsl::Field>(before)),
        now_(members_of_kind<fsl::Field>(&after)),
        had_wildcard_(!members_of_kind<fsl::Wildcard>(before).empty()),
        has_wildcard_(!members_of_kind<fsl::Wildcard>(&after).empty()),
        steps_(new_migrations(before, after)) {
    for (const fsl::Migration& step : steps_) {
      if (const auto* const fill = std::get_if<fsl::Backfill>(&step.what)) {
        filled_[render_path(fill->path)] = fill->value.text;
      }
      if (const auto* const move = std::get_if<fsl::MoveField>(&step.what)) {
        note_move(move->from, {move->to});
        lines_of_steps_.push_back(fmt::format("~ move field `{}` to field `{}`",
                                              render_path(move->from), render_path(move->to)));
      }
      if (const auto* const split = std::get_if<fsl::SplitField>(&step.what)) {
        note_move(split->from, split->into);
        lines_of_steps_.push_back(fmt::format("~ split field `{}` into fields {}",
                                              render_path(split->from), listed(split->into)));
      }
      if (const auto* const move = std::get_if<fsl::MoveConflicts>(&step.what)) {
        lines_of_steps_.push_back(
            fmt::format("~ move conflicting values into field `{}`", render_path(move->into)));
      }
      if (const auto* const move = std::get_if<fsl::MoveWildcard>(&step.what)) {
        lines_of_steps_.push_back(
            fmt::format("~ move undeclared fields into field `{}`", render_path(move->into)));
      }
    }
  }

  Lines lines() {
    for (const fsl::Field* field : now_) render_change(*field);
    for (const fsl::Field* field : old_) {
      const std::string path = "." + field->name.text;
      if (member_named(now_, field->name.text) != nullptr || sources_.contains(path)) continue;
      lines_.push_back(fmt::format("- drop field `{}`", path));
    }
    lines_.insert(lines_.end(), lines_of_steps_.begin(), lines_of_steps_.end());
    if (has_wildcard_ && !had_wildcard_) lines_.emplace_back("+ add wildcard");
    if (!has_wildcard_ && had_wildcard_) lines_.emplace_back("- remove wildcard");
    return std::move(lines_);
  }

 private:
  static std::string listed(const std::vector<FieldPath>& paths) {
    std::string list;
    for (const FieldPath& path : paths) {
      list += (list.empty() ? "`" : ", `") + render_path(path) + "`";
    }
    return list;
  }
  void note_move(const FieldPath& from, const std::vector<FieldPath>& into) {
    sources_.insert(render_path(from));
    for (const FieldPath& path : into) targets_.insert(render_path(path));
  }
  void render_change(const fsl::Field& field) {
    const std::string path = "." + field.name.text;
    const fsl::Field* const was = member_named(old_, field.name.text);
    if (was == nullptr) {
      if (targets_.contains(path)) return;
      const auto fill = filled_.find(path);
      const std::string with =
          fill != filled_.end() ? fmt::format(" with backfill `{}`", fill->second)
          : field.default_value ? fmt::format(" with default `{}`", field.default_value->text)
                                : "";
      lines_.push_back(fmt::format("+ add field `{}`{}", path, with));
    } else if (was->type.text != field.type.text) {
      lines_.push_back(fmt::format("~ change field `{}` type from `{}` to `{}`", path,
                                   was->type.text, field.type.text));
    } else if (text_of_member(*was) != text_of_member(field)) {
      lines_.push_back(fmt::format("~ change field `{}` default", path));
    }
  }

  const std::vector<const fsl::Field*> old_;
  const std::vector<const fsl::Field*> now_;
  const bool had_wildcard_;
  const bool has_wildcard_;
  const std::vector<fsl::Migration> steps_;
  std::map<std::string, std::string> filled_;
  std::set<std::string> sources_;  // sources of moves and splits
  std::set<std::string> targets_;
  Lines lines_of_steps_;
  Lines lines_;
};

std::vector<std::string> unique_texts(const fsl::Item* item) {
  std::vector<std::string> texts;
  for (const fsl::Unique* unique : members_of_kind<fsl::Unique>(item)) {
    texts.push_back(text_of_member(*unique).substr(std::string("unique ").size()));
  }
  return texts;
}

Lines constraint_changes(const fsl::Item* before, const fsl::Item& after) {
  const auto old = unique_texts(before);
  const auto now = unique_texts(&after);
  Lines lines;
  const auto render_change = [&](const Lines& all, const Lines& others, std::string_view what) {
    for (const std::string& text : all) {
      if (std::find(others.begin(), others.end(), text) == others.end()) {
        lines.push_back(fmt::format("{} unique constraint on {}", what, text));
      }
    }
  };
  render_change(now, old, "+ add");
  render_change(old, now, "- remove");
  const auto checks = named_changes<fsl::Check>(
      before, after, "check constraint", [](const fsl::Check&, const fsl::Check& now_it_is) {
        return fmt::format("~ change check constraint `{}` body", now_it_is.name.text);
      });
  lines.insert(lines.end(), checks.begin(), checks.end());
  return lines;
}

struct SettingChange {
  std::string_view name;
  std::optional<std::string> before;
  std::optional<std::string> after;
};

void add_setting_change(const SettingChange& change, Lines& lines) {
  const auto& [name, before, after] = change;
  if (before == after) return;
  if (!before) {
    lines.push_back(fmt::format("+ add {} set to {}", name, *after));
  } else if (!after) {
    lines.push_back(fmt::format("- remove {}", name));
  } else {
    lines.push_back(fmt::format("~ change {} from {} to {}", name, *before, *after));
  }
}

std::optional<std::string> alias_of(const fsl::Item* item) {
  return item != nullptr && item->alias ? std::optional(item->alias->text) : std::nullopt;
}

template <class T>
std::optional<std::string> days_of_member(const fsl::Item* item) {
  const auto found = members_of_kind<T>(item);
  return found.empty() ? std::nullopt : std::optional(std::to_string(found.front()->days));
}

std::optional<std::string> ttls_of(const fsl::Item* item) {
  const auto found = members_of_kind<fsl::DocumentTtls>(item);
  return found.empty() ? std::nullopt
                       : std::optional<std::string>(found.front()->are_allowed ? "true" : "false");
}

Lines setting_changes(const fsl::Item* before, const fsl::Item& after) {
  Lines lines;
  add_setting_change({"alias", alias_of(before), alias_of(&after)}, lines);
  auto history = days_of_member<fsl::HistoryDays>(before);
  auto new_history = days_of_member<fsl::HistoryDays>(&after);
  // The default is 0, which is not shown for a new collection.
  if (before != nullptr) history = history.value_or("0");
  if (before != nullptr || new_history == "0") new_history = new_history.value_or("0");
  if (before == nullptr && new_history == "0") new_history.reset();
  add_setting_change({"history_days", history, new_history}, lines);
  add_setting_change(
      {"ttl_days", days_of_member<fsl::TtlDays>(before), days_of_member<fsl::TtlDays>(&after)},
      lines);
  add_setting_change({"document_ttls", ttls_of(before), ttls_of(&after)}, lines);
  return lines;
}

std::string collection_changes(const fsl::Item* before, const fsl::Item& after) {
  const auto computed = [](const fsl::Computed& was, const fsl::Computed& now) {
    return fmt::format("~ change computed field `{}` {}", now.name.text,
                       was.body.text == now.body.text ? "signature" : "body");
  };
  const auto index = [](const fsl::Index&, const fsl::Index& now) {
    return fmt::format("~ change index `{}`", now.name.text);
  };
  return section("Defined fields", FieldChanges(before, after).lines()) +
         section("Computed fields",
                 named_changes<fsl::Computed>(before, after, "computed field", computed)) +
         section("Indexes", named_changes<fsl::Index>(before, after, "index", index)) +
         section("Constraints", constraint_changes(before, after)) +
         section("Configuration", setting_changes(before, after));
}

std::string function_changes(const fsl::Item& before, const fsl::Item& after) {
  const auto head = [](const fsl::Item& item) {
    fsl::Item bare = item;
    auto& function = std::get<fsl::Function>(bare.what);
    function.body = {};
    function.role.reset();
    bare.alias.reset();
    bare.comment.clear();
    return fsl::render_item(bare);
  };
  const auto role = [](const fsl::Item& item) {
    const auto& function_role = std::get<fsl::Function>(item.what).role;
    return function_role ? std::optional(function_role->text) : std::nullopt;
  };
  Lines lines;
  if (head(before) != head(after)) lines.emplace_back("~ change signature");
  if (std::get<fsl::Function>(before.what).body.text !=
      std::get<fsl::Function>(after.what).body.text) {
    lines.emplace_back("~ change body");
  }
  add_setting_change({"alias", alias_of(&before), alias_of(&after)}, lines);
  add_setting_change({"role", role(before), role(after)}, lines);
  std::string out;
  for (const std::string& line : lines) out += "  " + line + "\n";
  return out.empty() ? "" : out + "\n";
}

}  // namespace

std::string render_item_changes(const fsl::Item* before, const fsl::Item& after) {
  if (std::holds_alternative<fsl::Collection>(after.what)) return collection_changes(before, after);
  if (before == nullptr) return "";
  if (std::holds_alternative<fsl::Function>(after.what)) return function_changes(*before, after);
  const auto bare = [](fsl::Item item) {
    item.comment.clear();
    return fsl::render_item(item);
  };
  return bare(*before) == bare(after) ? "" : "  ~ change body\n\n";
}

}  // namespace mayfly::fauna
