// Finds the members of values by name.
#include "dialect/fauna/check/checker.h"
#include "dialect/fauna/check/types/fits.h"

namespace mayfly::fauna {
namespace {

// The name under which the library lists the methods of a type; empty if it has none.
std::string_view methods_of(const StaticType& type) {
  switch (type.kind) {
    case StaticKind::array:
    case StaticKind::tuple: return "Array";
    case StaticKind::set: return "Set";
    case StaticKind::event_source: return "EventSource";
    case StaticKind::object: return "Object";
    case StaticKind::function: return "Function";
    case StaticKind::scalar: break;
    default: return {};
  }
  for (const std::string_view number : {"Int", "Long", "Double", "Float"}) {
    if (type.name == number) return "Number";
  }
  return type.name;
}

// Members that missing documents have as well.
bool needs_no_document(const FqlCollection& of, std::string_view name) {
  return name == "coll" || name == "exists" || name == (of.is_named() ? "name" : "id");
}

}  // namespace

std::optional<Checker::Found> Checker::find(const StaticType& type, std::string_view name) {
  switch (type.kind) {
    case StaticKind::any:
    case StaticKind::never: return Found{any_type()};
    case StaticKind::literal: return find(*scalar_type(type.base), name);
    case StaticKind::document:
    case StaticKind::reference:
    case StaticKind::missing: return find_in_document(type, name);
    case StaticKind::module: return find_in_module(type, name);
    case StaticKind::object:
      if (const StaticPtr* field = type.find_field(name)) return Found{*field};
      if (type.rest) return Found{type.rest};
      break;
    default: break;
  }
  const std::string_view of = methods_of(type);
  const Method* const row = of.empty() ? nullptr : find_method(of, name);
  if (row == nullptr) return std::nullopt;
  RowTypes types{.element = element_of(type)};
  if (is_field(*row)) return Found{known_.of_row(row->signature, types)};
  StaticPtr function = known_.row_function(*row, types);
  return Found{std::move(function), row, std::move(types)};
}

std::optional<Checker::Found> Checker::find_in_document(const StaticType& type,
                                                        std::string_view name) {
  const FqlCollectionPtr of = known_.collection(type.name);
  if (!of) return Found{any_type()};
  if (!type.is(StaticKind::document) && !needs_no_document(*of, name)) return std::nullopt;
  RowTypes types{.document = of->name};
  const Method* const row = find_method(of->name == "Credential" ? "Credential" : "Document", name);
  if (row != nullptr) {
    StaticPtr function = known_.row_function(*row, types);
    return Found{std::move(function), row, std::move(types)};
  }
  StaticPtr field = known_.document_field(*of, name);
  if (!field) return std::nullopt;
  return Found{std::move(field)};
}

std::optional<Checker::Found> Checker::find_in_module(const StaticType& type,
                                                      std::string_view name) {
  if (type.name == fql_module) {
    if (name == "Schema") return Found{module_type(fql_schema_module)};
    StaticPtr of_library = known_.library_global(name);
    return of_library ? std::optional(Found{std::move(of_library)}) : std::nullopt;
  }
  const Method* row = find_static(type.name, name);
  const FqlCollectionPtr of =
      row == nullptr && type.base == "Collection" ? known_.collection(type.name) : nullptr;
  RowTypes types{.document = type.base == "Collection" ? type.name : std::string()};
  if (of) row = find_static(of->rows(), name);
  if (row != nullptr && is_field(*row)) return Found{known_.of_row(row->signature, types)};
  if (row != nullptr) {
    StaticPtr function = known_.row_function(*row, types);
    return Found{std::move(function), row, std::move(types)};
  }
  const IndexDefinition* const index =
      of && of->definition ? of->definition->find_index(name) : nullptr;
  if (index == nullptr) return std::nullopt;
  const std::size_t terms = index->terms.size();
  return Found{function_type(StaticList(terms, any_type()),
                             set_type(named_type(StaticKind::document, of->name)),
                             {terms, terms + 1})};
}

}  // namespace mayfly::fauna
