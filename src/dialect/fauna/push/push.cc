#include "dialect/fauna/push/push.h"

#include <fmt/format.h>

#include <map>

#include "dialect/fauna/check/schema.h"
#include "dialect/fauna/push/check_pushed.h"
#include "dialect/fauna/push/items.h"
#include "dialect/fauna/schema/definitions.h"
#include "dialect/fauna/schema/members.h"

namespace mayfly::fauna {
namespace {

tl::unexpected<Error> refuse_update(const std::string& diagnostics) {
  return fail(Code::invalid, schema_update_text(diagnostics));
}

bool is_denied(const QueryFailure& failure) {
  return failure.code == "permission_denied";
}

std::string failure_text(const QueryFailure& failure) {
  std::string text;
  for (const ConstraintFailure& one : failure.constraint_failures) {
    text += (text.empty() ? "" : "; ") + one.message;
  }
  return text.empty() ? failure.message : text;
}

// The failure of the run, as a diagnostic at the item.
tl::unexpected<Error> refuse_item(const Interpreter& run, Span at, Error error) {
  if (!run.failure()) return tl::unexpected(std::move(error));
  if (is_denied(*run.failure())) return fail(Code::forbidden, "Access denied");
  return refuse_update(render(error_at(at, failure_text(*run.failure()))));
}

class Push {
 public:
  Push(Interpreter& run, const std::vector<fsl::File>& files) : run_(run) {
    for (const fsl::File& file : files) {
      for (const fsl::Item& item : file.items) {
        new_items_[key_of(kind_of(item), item.name.text)] = &item;
      }
    }
  }

  Result<void> apply() {
    std::map<std::string, LiveItem> live;
    for (LiveItem& item : TRY(live_items(run_.reading()))) {
      std::string key = key_of(*item.kind, item.name);
      if (new_items_.contains(key)) {
        live.emplace(std::move(key), std::move(item));
      } else {
        removed_.push_back(std::move(item));
      }
    }
    // Names are freed before other items use them; roles are deleted last, when nothing needs them.
    TRY(remove([](std::string_view kind) { return kind == "Collection" || kind == "Function"; }));
    TRY(free_aliases(live));
    // Access providers refer to roles.
    for (const bool is_provider : {false, true}) {
      for (const auto& [key, item] : new_items_) {
        if (is_provider != (kind_of(*item).name == "AccessProvider")) continue;
        const auto there = live.find(key);
        TRY(put(*item, there == live.end() ? nullptr : &there->second));
      }
    }
    return remove([](std::string_view kind) { return kind == "Role" || kind == "AccessProvider"; });
  }

 private:
  static std::string key_of(const SystemCollection& kind, const std::string& name) {
    return system_prefix(kind) + name;
  }

  Result<void> free_aliases(const std::map<std::string, LiveItem>& live) {
    for (const auto& [key, there] : live) {
      const fsl::Item& item = *new_items_.at(key);
      const std::string alias = member_text(there.document, "alias");
      if (alias.empty() || (item.alias && item.alias->text == alias)) continue;
      FqlObject without;
      without.append("alias", nullptr);
      auto changed = change_definition(run_, handle_of(there), without, WriteMode::update);
      if (!changed) return refuse_item(run_, item.name.span, std::move(changed).error());
    }
    return {};
  }

  static DocumentHandle handle_of(const LiveItem& item) {
    return {.collection = std::string(item.kind->name), .id = item.name, .is_named = true};
  }

  Result<void> remove(bool (*is_requested)(std::string_view kind)) {
    for (const LiveItem& item : removed_) {
      if (!is_requested(item.kind->name)) continue;
      const auto done = delete_definition(run_, handle_of(item));
      if (done) continue;
      if (!run_.failure()) return tl::unexpected(done.error());
      if (is_denied(*run_.failure())) return fail(Code::forbidden, "Access denied");
      return refuse_update("error: " + failure_text(*run_.failure()));
    }
    return {};
  }

  Result<void> put(const fsl::Item& item, const LiveItem* there) {
    const SystemCollection& kind = kind_of(item);
    FqlObject definition = document_of(item);
    if (there == nullptr) {
      definition.append("name", item.name.text);
      auto made = create_definition(run_, kind, definition);
      return made ? Result<void>() : refuse_item(run_, item.name.span, std::move(made).error());
    }
    if (normal_text(item) == normal_text(kind, there->name, there->document)) return {};
    // Members that FSL cannot express are kept.
    if (const FqlValue* data = there->document.find("data")) definition.append("data", *data);
    auto changed = change_definition(run_, handle_of(*there), definition, WriteMode::replace);
    return changed ? Result<void>() : refuse_item(run_, item.name.span, std::move(changed).error());
  }

  Interpreter& run_;
  std::map<std::string, const fsl::Item*> new_items_;
  std::vector<LiveItem> removed_;
};

}  // namespace

Result<void> push_files(Interpreter& run, const SchemaFiles& files) {
  const auto parsed = TRY(parse_files(files));
  TRY(Push(run, parsed).apply());
  return check_pushed(run, parsed);
}

}  // namespace mayfly::fauna
