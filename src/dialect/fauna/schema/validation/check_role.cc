#include "dialect/fauna/schema/validation/check_role.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/fauna/database_path.h"
#include "dialect/fauna/run/functions/compile.h"
#include "dialect/fauna/values/text/text.h"

namespace mayfly::fauna {
namespace {

constexpr std::string_view role_actions[] = {"read",
                                             "write",
                                             "create",
                                             "delete",
                                             "create_with_id",
                                             "history_read",
                                             "history_write",
                                             "unrestricted_read",
                                             "call"};

FailurePath path_below(FailurePath path, std::string_view name) {
  path.emplace_back(std::string(name));
  return path;
}

// A boolean, or a lambda.
void check_action(const FqlValue& value, const std::string& name, const FailurePath& path,
                  Failures& failures) {
  if (value.is(FqlKind::boolean)) return;
  if (!value.is(FqlKind::text)) {
    return failures.add(path,
                        fmt::format("Expected Boolean | String, provided {}", type_name(value)));
  }
  if (auto message = lambda_error(fmt::format("*{}*", name), value.text())) {
    failures.add(path, *message);
  }
}

void check_resource(const FqlObject& object, const FailurePath& path, Failures& failures) {
  const FqlValue* resource = object.find("resource");
  if (resource == nullptr) {
    failures.add(path_below(path, "resource"), "Missing required field of type String");
  } else if (!resource->is(FqlKind::text)) {
    failures.add(path_below(path, "resource"),
                 fmt::format("Expected String, provided {}", type_name(*resource)));
  }
}

void check_privilege(const FqlObject& privilege, const FailurePath& path, Failures& failures) {
  check_resource(privilege, path, failures);
  for (const auto& [name, member] : privilege.members()) {
    if (name == "resource") continue;
    if (name != "actions") {
      failures.add(path_below(path, name), "Unexpected field provided");
    } else if (!member.is(FqlKind::object)) {
      failures.add(path_below(path, name),
                   fmt::format("Expected Object, provided {}", type_name(member)));
    } else {
      for (const auto& [action, value] : member.object().members()) {
        const FailurePath at = path_below(path_below(path, name), action);
        const bool is_known = std::find(std::begin(role_actions), std::end(role_actions), action) !=
                              std::end(role_actions);
        if (!is_known) failures.add(at, "Unexpected field provided");
        if (is_known) check_action(value, "privilege_predicate:" + action, at, failures);
      }
    }
  }
}

void check_membership(const FqlObject& membership, const FailurePath& path, Failures& failures) {
  check_resource(membership, path, failures);
  for (const auto& [name, member] : membership.members()) {
    if (name == "resource") continue;
    if (name != "predicate") {
      failures.add(path_below(path, name), "Unexpected field provided");
    } else {
      check_action(member, "membership_predicate", path_below(path, name), failures);
    }
  }
}

// A single object, or a list of objects.
void check_each(const FqlObject& fields, const std::string& name,
                void (*check)(const FqlObject&, const FailurePath&, Failures&),
                Failures& failures) {
  const FqlValue* entry = fields.find(name);
  if (entry == nullptr) return;
  const FqlArray items = entry->is(FqlKind::array) ? entry->array() : FqlArray{*entry};
  for (std::size_t i = 0; i < items.size(); ++i) {
    const FailurePath path{name, static_cast<std::int64_t>(i)};
    if (items[i].is(FqlKind::object)) {
      check(items[i].object(), path, failures);
    } else {
      failures.add(path, fmt::format("Expected Object, provided {}", type_name(items[i])));
    }
  }
}

Result<void> check_provider_role(Interpreter& run, const FqlValue& item, const FailurePath& path,
                                 Failures& failures) {
  const bool is_object = item.is(FqlKind::object);
  const FqlValue* const role = is_object ? item.object().find("role") : &item;
  if (role == nullptr || !role->is(FqlKind::text)) {
    failures.add(path, "Expected String | { role: String, predicate: String }");
    return {};
  }
  if (!TRY(run.reading().get_system(*find_system("Role"), role->text()))) {
    failures.add(is_object ? path_below(path, "role") : path,
                 fmt::format("Field refers to an unknown role name `{}`.", role->text()));
  }
  const FqlValue* const predicate = is_object ? item.object().find("predicate") : nullptr;
  if (predicate == nullptr) return {};
  check_action(*predicate, "role_predicate", path_below(path, "predicate"), failures);
  return {};
}

Result<void> check_provider_roles(Interpreter& run, const FqlValue& roles, Failures& failures) {
  const FqlArray items = roles.is(FqlKind::array) ? roles.array() : FqlArray{roles};
  for (std::size_t i = 0; i < items.size(); ++i) {
    const FailurePath path{"roles", static_cast<std::int64_t>(i)};
    TRY(check_provider_role(run, items[i], path, failures));
  }
  return {};
}

bool is_https(const std::string& uri) {
  constexpr std::string_view scheme = "https://";
  return uri.starts_with(scheme) && uri.size() > scheme.size() &&
         std::all_of(uri.begin(), uri.end(), [](char c) { return c > ' ' && c <= '~'; });
}

// Issuers are unique, because the issuer of a JWT identifies its access provider.
Result<void> check_issuer(Interpreter& run, const std::optional<std::string>& before,
                          const FqlValue& issuer, Failures& failures) {
  const SystemCollection& providers = *find_system("AccessProvider");
  for (const std::string& other :
       TRY(run.reading().names_with(providers, "issuer", issuer.text()))) {
    if (before != other) failures.add({"issuer"}, "Failed unique constraint");
  }
  return {};
}

// The global id in the database's own document, which is in the parent database; the root has none.
Result<std::string> audience_id(Interpreter& run) {
  DatabasePath database_path = run.environment().database_path;
  if (database_path.is_root()) return std::string(root_database);
  const std::string name = database_path.names.back();
  database_path.names.pop_back();
  View& view = run.reading().view();
  const DatabaseInfoPtr above = view.catalog().find_database(database_path.core_name());
  if (!above) return name;
  Reading reading(view, above->id);
  const auto row = TRY(reading.get_system(*find_system("Database"), name));
  const Value entry = row ? row->body.member("global_id") : Value();
  return entry.is(Kind::text) ? entry.text() : name;
}

}  // namespace

void check_role(const FqlObject& fields, Failures& failures) {
  check_each(fields, "privileges", check_privilege, failures);
  check_each(fields, "membership", check_membership, failures);
}

Result<void> check_access_provider(Interpreter& run, const std::optional<std::string>& before,
                                   FqlObject& fields, Failures& failures) {
  if (!is_https(fields.find("jwks_uri")->text())) {
    failures.add({"jwks_uri"}, "Must be an https URI.");
  }
  TRY(check_issuer(run, before, *fields.find("issuer"), failures));
  if (const FqlValue* roles = fields.find("roles")) {
    TRY(check_provider_roles(run, *roles, failures));
  }
  fields.set("audience", fmt::format("https://db.fauna.com/db/{}", TRY(audience_id(run))));
  return {};
}

}  // namespace mayfly::fauna
