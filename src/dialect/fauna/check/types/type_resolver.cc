#include "dialect/fauna/check/types/type_resolver.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "dialect/fauna/check/types/fits.h"
#include "dialect/fauna/library/signature.h"
#include "dialect/fauna/limits.h"
#include "dialect/fauna/schema/system.h"
#include "dialect/fauna/syntax/ast.h"
#include "dialect/fauna/syntax/parser.h"
#include "dialect/fauna/syntax/print.h"

namespace mayfly::fauna {
namespace {

constexpr std::array<std::string_view, 15> scalar_names{
    "Null",  "Boolean",         "Int",    "Long",  "Double",
    "Float", "Number",          "String", "Bytes", "Time",
    "Date",  "TransactionTime", "UUID",   "ID",    "SetCursor"};
// Generic types, and names for several types.
constexpr std::array<std::string_view, 15> other_names{
    "Array",    "Set",           "EventSource", "Ref",  "EmptyRef",
    "NamedRef", "NamedEmptyRef", "Document",    "Doc",  "Object",
    "Struct",   "Function",      "Query",       "Page", "Module"};

template <std::size_t n>
bool is_among(const std::array<std::string_view, n>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr Arity any_arity{0, Arity::any};

StaticPtr any_function() {
  return function_type({}, any_type(), any_arity);
}

// Whether the names differ by one letter, or only by case.
bool is_alike(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > 1) return false;
  std::size_t differing = 0;
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size(); ++i, ++j) {
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    if (i < a.size() && j < b.size() && lower(a[i]) == lower(b[j])) continue;
    if (++differing > 1) return false;
    if (a.size() < b.size()) --i;
  }
  return true;
}

StaticPtr of_literal(const LiteralType& literal) {
  if (const auto* text = std::get_if<std::string>(&literal.value)) {
    return text_literal_type(*text);
  }
  if (const auto* flag = std::get_if<bool>(&literal.value)) {
    return literal_type(*flag ? "true" : "false", "Boolean");
  }
  if (const auto* whole = std::get_if<std::int64_t>(&literal.value)) {
    const bool is_int = *whole >= INT32_MIN && *whole <= INT32_MAX;
    return literal_type(std::to_string(*whole), is_int ? "Int" : "Long");
  }
  return literal_type(fmt::format("{}", std::get<double>(literal.value)), "Double");
}

// A document in a field may have been removed since.
StaticPtr as_stored(const StaticPtr& type) {
  if (type->is(StaticKind::document)) return named_type(StaticKind::reference, type->name);
  if (type->is(StaticKind::array)) return array_type(as_stored(type->parts[0]));
  if (type->is(StaticKind::object)) {
    std::vector<StaticField> fields;
    for (const StaticField& field : type->fields) {
      fields.push_back({field.name, as_stored(field.type)});
    }
    return object_type(std::move(fields), type->rest ? as_stored(type->rest) : nullptr);
  }
  if (!type->is(StaticKind::one_of) && !type->is(StaticKind::tuple)) return type;
  StaticList parts;
  for (const StaticPtr& part : type->parts) parts.push_back(as_stored(part));
  return type->is(StaticKind::tuple) ? tuple_type(std::move(parts)) : union_type(parts);
}

}  // namespace

// One function for each form of written types.
struct TypeOfNode {
  TypeResolver& known;
  Span at;
  Diagnostics* unknown;

  StaticPtr of(const TypePtr& type) const { return known.declared(*type, unknown); }
  StaticList all(const TypeList& types) const {
    StaticList made;
    for (const TypePtr& type : types) made.push_back(of(type));
    return made;
  }

  StaticPtr operator()(const AnyType&) const { return any_type(); }
  StaticPtr operator()(const NeverType&) const { return never_type(); }
  StaticPtr operator()(const LiteralType& literal) const { return of_literal(literal); }
  StaticPtr operator()(const NamedType& type) const { return known.named(type, at, unknown); }
  StaticPtr operator()(const ObjectType& object) const {
    std::vector<StaticField> fields;
    for (const FieldType& field : object.fields) {
      StaticPtr type = of(field.type);
      if (field.default_value) type = union_type({type, null_type()});
      fields.push_back({field.name, std::move(type)});
    }
    if (object.is_open) return object_type(std::move(fields), any_type());
    return object_type(std::move(fields), object.wildcard ? of(object.wildcard) : nullptr);
  }
  StaticPtr operator()(const TupleType& tuple) const { return tuple_type(all(tuple.items)); }
  StaticPtr operator()(const FunctionType& function) const {
    StaticList parameters;
    for (const ParameterType& one : function.parameters) parameters.push_back(of(one.type));
    const std::size_t count = parameters.size();
    if (function.rest) of(function.rest->type);  // its name must exist; no more is checked
    return function_type(std::move(parameters), of(function.result),
                         {count, function.rest ? Arity::any : count});
  }
  StaticPtr operator()(const UnionType& whole) const { return union_type(all(whole.members)); }
  StaticPtr operator()(const IntersectionType& whole) const {
    all(whole.members);
    return any_type();
  }
  StaticPtr operator()(const NullableType& nullable) const {
    return union_type({of(nullable.type), null_type()});
  }
};

StaticPtr TypeResolver::declared(const Type& type, Diagnostics* unknown) {
  return std::visit(TypeOfNode{*this, type.span, unknown}, type.node);
}

StaticPtr TypeResolver::named(const NamedType& type, Span at, Diagnostics* unknown) {
  StaticPtr first = type.arguments.empty() ? any_type() : declared(*type.arguments[0], unknown);
  std::string name = type.name.starts_with("FQL.") ? type.name.substr(4) : type.name;
  if (row_ != nullptr) {
    if (name == "A") return row_->element;
    if (name == "B") return row_->actual;
    if (name == "D" && row_->document.empty()) return any_type();
    if (name == "D") return named_type(StaticKind::document, row_->document);
  }
  const bool is_of_document = first->is(StaticKind::document);
  if (name == "Null" && is_of_document) return named_type(StaticKind::missing, first->name);
  if (is_among(scalar_names, name)) return scalar_type(name);
  if (name == "Array") return array_type(std::move(first));
  if (name == "Set") return set_type(std::move(first));
  if (name == "EventSource") return event_source_type(std::move(first));
  if (name == "Function") return any_function();
  if (name == "Object" || name == "Struct") return object_type({}, any_type());
  if ((name == "Ref" || name == "NamedRef") && is_of_document) {
    return named_type(StaticKind::reference, first->name);
  }
  if (name == "EmptyRef" && is_of_document) return named_type(StaticKind::missing, first->name);
  if (is_among(other_names, name)) return any_type();
  if (StaticPtr found = of_collection(name)) return found;
  if (name.ends_with("Module") || name.ends_with("Def")) return any_type();
  if (unknown != nullptr) report_unknown(name, at, *unknown);
  return any_type();
}

// `Foo`, `NullFoo`, `FooCollection`.
StaticPtr TypeResolver::of_collection(std::string_view name) {
  constexpr std::string_view null_before = "Null";
  constexpr std::string_view collection_behind = "Collection";
  if (const FqlCollectionPtr found = collection(name)) {
    return named_type(StaticKind::document, found->name);
  }
  if (name.starts_with(null_before)) {
    const FqlCollectionPtr found = collection(name.substr(null_before.size()));
    if (found) return named_type(StaticKind::missing, found->name);
  }
  if (name.ends_with(collection_behind)) {
    name.remove_suffix(collection_behind.size());
    if (const FqlCollectionPtr found = collection(name)) return collection_type(found->name);
  }
  return nullptr;
}

void TypeResolver::report_unknown(const std::string& name, Span at, Diagnostics& unknown) {
  if (unknown.size() >= limits::fql_errors_max) return;
  std::string message = fmt::format("Unknown type `{}`", name);
  std::string alike;
  const auto consider = [&](std::string_view known) {
    if (alike.empty() && is_alike(name, known)) alike = known;
  };
  std::for_each(scalar_names.begin(), scalar_names.end(), consider);
  std::for_each(other_names.begin(), other_names.end(), consider);
  const auto all =
      value_or(reading_.all_system(*find_system("Collection")), std::vector<Document>());
  for (const Document& one : all) consider(id_in_table(one.id));
  if (!alike.empty()) message += fmt::format(". Did you mean `{}`?", alike);
  unknown.push_back(error_at(at, std::move(message)));
}

StaticPtr TypeResolver::signature(const std::string& text) {
  if (const auto known = signatures_.find(text); known != signatures_.end()) return known->second;
  const SourcePtr source = make_source("*signature*", text);
  const auto parsed = parse_type(source);
  StaticPtr type = parsed ? declared(**parsed) : any_type();
  signatures_.emplace(text, type);
  return type;
}

StaticPtr TypeResolver::of_row(std::string_view text, const RowTypes& types) {
  auto known = row_types_.find(text);
  if (known == row_types_.end()) {
    SourcePtr source = make_source("*library*", std::string(text));
    auto parsed = parse_type(source);
    TypePtr type = parsed ? *std::move(parsed) : nullptr;
    known = row_types_.emplace(text, std::pair(std::move(source), std::move(type))).first;
  }
  if (!known->second.second) return any_type();
  const RowTypes* const before = std::exchange(row_, &types);
  StaticPtr type = declared(*known->second.second);
  row_ = before;
  return type;
}

StaticPtr TypeResolver::row_function(const Method& method, const RowTypes& types) {
  const Signature& signature = signature_of(method);
  StaticList parameters;
  for (const MethodParameter& parameter : signature.parameters) {
    if (!parameter.is_rest) parameters.push_back(of_row(parameter.text, types));
  }
  return function_type(std::move(parameters), of_row(signature.result, types), signature.arity);
}

FqlCollectionPtr TypeResolver::collection(std::string_view name) {
  return value_or(reading_.collection(name), FqlCollectionPtr());
}

StaticPtr TypeResolver::document_field(const FqlCollection& of, std::string_view field) {
  if (field == "coll") return collection_type(of.name);
  if (field == "ts") return scalar_type("Time");
  if (of.system != nullptr) return field == "name" ? scalar_type("String") : any_type();
  if (field == "id") return scalar_type("ID");
  if (field == "ttl") return union_type({scalar_type("Time"), null_type()});
  if (field == "data") return object_type({}, any_type());
  if (const ComputedField* computed = of.definition->find_computed(field)) {
    return computed->signature ? signature(*computed->signature) : any_type();
  }
  if (const FieldDefinition* declared = of.definition->find_field(field)) {
    return signature(declared->signature);
  }
  return of.definition->takes_any_field() ? any_type() : nullptr;
}

StaticPtr TypeResolver::written_field(const FieldDefinition& field) {
  return as_stored(signature(field.signature));
}

StaticPtr TypeResolver::library_global(std::string_view name) {
  if (const SystemCollection* system = find_system(name)) return collection_type(system->name);
  if (is_library_module(name)) return module_type(name);
  if (const Method* method = find_global(name)) return row_function(*method, {});
  return nullptr;
}

StaticPtr TypeResolver::global(std::string_view name) {
  if (const auto known = globals_.find(name); known != globals_.end()) return known->second;
  StaticPtr type = library_global(name);
  if (!type) {
    const FqlCollectionPtr found = collection(name);
    type = found ? collection_type(found->name) : user_function(name);
  }
  globals_.emplace(name, type);
  return type;
}

// From its signature, or from the number of its parameters if it has none.
StaticPtr TypeResolver::user_function(std::string_view name) {
  const SystemCollection& kind = *find_system("Function");
  const std::optional<Document> none;
  auto row = value_or(reading_.get_system(kind, name), none);
  if (!row) row = value_or(reading_.get_by_alias(kind, name), none);
  if (!row) return nullptr;
  const Value stored = row->body.member("signature");
  if (stored.is(Kind::text)) {
    StaticPtr type = signature(stored.text());
    return type->is(StaticKind::function) ? type : any_function();
  }
  const Value body = row->body.member("body");
  if (!body.is(Kind::text)) return any_function();
  const auto parsed = parse_lambda(make_source("*udf*", body.text()));
  const Lambda* const lambda = parsed ? (*parsed)->root->as<Lambda>() : nullptr;
  if (lambda == nullptr) return any_function();
  const std::size_t count = lambda->parameters.size() - (lambda->is_variadic ? 1 : 0);
  return function_type(StaticList(count, any_type()), any_type(),
                       {count, lambda->is_variadic ? Arity::any : count});
}

}  // namespace mayfly::fauna
