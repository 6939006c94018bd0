#include "dialect/fauna/schema/validation/check_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/fauna/library/method.h"
#include "dialect/fauna/syntax/tokens/lexer.h"

namespace mayfly::fauna {
namespace {

constexpr std::string_view type_names[] = {
    "Any",    "Null",     "Boolean",  "Number",      "Int",  "Long",    "Double",
    "Float",  "String",   "Bytes",    "Time",        "Date", "UUID",    "ID",
    "Object", "Struct",   "Array",    "Set",         "Ref",  "NullRef", "EmptyRef",
    "Never",  "Document", "Function", "Credentials", "FQL",  "Query"};
constexpr std::string_view field_names[] = {"id",         "coll",        "ts",     "ttl",
                                            "data",       "delete",      "update", "replace",
                                            "updateData", "replaceData", "exists"};
constexpr std::string_view index_names[] = {"all",        "where", "firstWhere", "create",
                                            "createData", "byId",  "definition", "toString",
                                            "createAll",  "exists"};

template <std::size_t n>
bool holds(const std::string_view (&names)[n], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool is_built_in(const std::string& name) {
  return find_system(name) != nullptr || is_library_module(name) || is_keyword(name) ||
         find_global(name) != nullptr || holds(type_names, name);
}

// A name or alias of a collection or function.
struct GlobalName {
  const std::string& name;
  std::string_view at;  // the field with the name
};

Result<void> check_is_free(Interpreter& run, const DefinitionName& own, const SystemCollection& of,
                           const GlobalName& wanted, Failures& failures) {
  for (const char* kind : {"Collection", "Function"}) {
    TRY(run.step());
    const SystemCollection& others = *find_system(kind);
    const auto is_own = [&](const std::string& other) {
      return of.name == kind && other == own.before;
    };
    if (!is_own(wanted.name) && TRY(run.reading().get_system(others, wanted.name))) {
      failures.add({std::string(wanted.at)},
                   fmt::format("A {} already exists with the name `{}`", kind, wanted.name));
    }
    for (const std::string& other : TRY(run.reading().names_with(others, "alias", wanted.name))) {
      if (is_own(other) || other == wanted.name) continue;
      failures.add({std::string(wanted.at)},
                   fmt::format("A {} already exists with the alias `{}`", kind, wanted.name));
    }
  }
  return {};
}

bool check_name_text(const std::string& name, std::string_view at, Failures& failures) {
  if (is_built_in(name)) {
    failures.add({std::string(at)}, fmt::format("The identifier `{}` is reserved.", name));
    return false;
  }
  if (is_identifier(name)) return true;
  failures.add({std::string(at)}, "Invalid identifier.");
  return false;
}

void check_members(const FqlObject& collection, const std::string& kind,
                   bool (*is_taken)(std::string_view), Failures& failures) {
  const FqlValue* members = collection.find(kind);
  if (members == nullptr || !members->is(FqlKind::object)) return;
  for (const auto& [name, member] : members->object().members()) {
    if (is_taken(name)) failures.add({kind}, fmt::format("The name '{}' is reserved.", name));
    if (!is_identifier(name)) failures.add({kind}, fmt::format("Invalid identifier '{}'", name));
  }
}

}  // namespace

Result<void> check_names(Interpreter& run, const SystemCollection& of, const DefinitionName& name,
                         const FqlObject& fields, Failures& failures) {
  if (!of.is_named) return {};
  const bool is_global = of.name == "Collection" || of.name == "Function";
  if (name.before != name.name) {
    // A child of the root with this name would have the same name in Mayfly as the root.
    const bool is_root = of.name == "Database" && name.name == root_database &&
                         run.environment().database_path.is_root();
    const bool is_kept =
        is_root || (of.name == "Role" && (name.name == "admin" || name.name == "server"));
    if (is_kept) failures.add({"name"}, fmt::format("The identifier `{}` is reserved.", name.name));
    if (!is_kept && check_name_text(name.name, "name", failures)) {
      if (is_global) {
        TRY(check_is_free(run, name, of, {name.name, "name"}, failures));
      } else if (TRY(run.reading().get_system(of, name.name))) {
        failures.add({"name"}, "Failed unique constraint");
      }
    }
  }
  const FqlValue* alias = fields.find("alias");
  if (!is_global || alias == nullptr || !alias->is(FqlKind::text)) return {};
  if (!check_name_text(alias->text(), "alias", failures)) return {};
  if (alias->text() == name.name) {
    failures.add({"alias"},
                 fmt::format("A {} already exists with the name `{}`", of.name, name.name));
    return {};
  }
  return check_is_free(run, name, of, {alias->text(), "alias"}, failures);
}

void check_member_names(const FqlObject& collection, Failures& failures) {
  const auto is_field = [](std::string_view name) { return holds(field_names, name); };
  const auto is_index = [](std::string_view name) { return holds(index_names, name); };
  check_members(collection, "fields", is_field, failures);
  check_members(collection, "computed_fields", is_field, failures);
  check_members(collection, "indexes", is_index, failures);
}

}  // namespace mayfly::fauna
