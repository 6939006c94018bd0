// The table of the library, joined from those of the families.
#include "dialect/fauna/library/method.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <unordered_map>

#include "base/check.h"
#include "dialect/fauna/library/family.h"
#include "dialect/fauna/library/signature.h"

namespace mayfly::fauna {
namespace {

using Family = std::span<const Method> (*)();

constexpr Family families[] = {
    global_methods,         any_methods,      string_methods,   regex_methods,
    parse_methods,          math_methods,     rounding_methods, time_methods,
    date_methods,           bytes_methods,    array_methods,    array_search_methods,
    array_callback_methods, object_methods,   set_methods,      event_source_methods,
    collection_methods,     document_methods, access_methods,
};

// Modules that a query can name: types that `isa` accepts, and modules that only have functions.
constexpr std::string_view modules[] = {
    fql_schema_module,
    "Array",
    "Boolean",
    "Bytes",
    "Date",
    "Doc",
    "Double",
    "EventSource",
    "Function",
    "FQL",
    "ID",
    "Int",
    "Long",
    "Math",
    "Null",
    "Number",
    "Object",
    "Query",
    "Set",
    "SetCursor",
    "String",
    "Struct",
    "Time",
    "TransactionTime",
    "UUID",
};

class Library {
 public:
  Library() {
    for (const Family family : families) std::ranges::copy(family(), std::back_inserter(methods_));
    for (const Method& method : methods_) {
      signatures_.push_back(Signature::parse(method.signature));
      by_name_.emplace(key_of(method.is_static, method.of, method.name), &method);
    }
  }

  const Method* find(bool is_static, std::string_view of, std::string_view name) const {
    const auto found = by_name_.find(key_of(is_static, of, name));
    return found == by_name_.end() ? nullptr : found->second;
  }
  const std::vector<Method>& methods() const { return methods_; }
  const Signature& signature_of(const Method& method) const {
    CHECK(&method >= methods_.data() && &method < methods_.data() + methods_.size());
    return signatures_[static_cast<std::size_t>(&method - methods_.data())];
  }

 private:
  struct Key {
    bool is_static;
    std::string_view of;
    std::string_view name;
    bool operator==(const Key&) const = default;
  };
  struct HashKey {
    std::size_t operator()(const Key& key) const {
      const std::hash<std::string_view> hash;
      return hash(key.name) * 31 + hash(key.of) * 2 + (key.is_static ? 1 : 0);
    }
  };
  static Key key_of(bool is_static, std::string_view of, std::string_view name) {
    return {is_static, of, name};
  }

  std::vector<Method> methods_;
  std::vector<Signature> signatures_;  // parallel to the rows
  std::unordered_map<Key, const Method*, HashKey> by_name_;
};

const Library& library() {
  static const Library made;
  return made;
}

}  // namespace

const FqlValue& Arguments::operator[](std::size_t i) const {
  static const FqlValue absent;
  return i < values_.size() ? values_[i] : absent;
}

std::span<const FqlValue> Arguments::from(std::size_t i) const {
  return values_.subspan(std::min(i, values_.size()));
}

const Method* find_method(std::string_view of, std::string_view name) {
  const Method* found = library().find(false, of, name);
  if (found == nullptr && of == "Credential") found = library().find(false, "Document", name);
  return found != nullptr || of.empty() || of == "Null" ? found
                                                        : library().find(false, "Any", name);
}

const Method* find_static(std::string_view module, std::string_view name) {
  return library().find(true, module, name);
}

const Method* find_global(std::string_view name) {
  return library().find(false, "", name);
}

bool is_library_module(std::string_view name) {
  return std::ranges::find(modules, name) != std::end(modules);
}

std::span<const Method> all_methods() {
  return library().methods();
}

bool is_field(const Method& method) {
  return library().signature_of(method).is_field;
}

const Signature& signature_of(const Method& method) {
  return library().signature_of(method);
}

Arity arity_of(const Method& method) {
  return library().signature_of(method).arity;
}

Result<FqlValue> call_method(Run& run, const Method& method, const FqlValue& self,
                             std::span<const FqlValue> arguments) {
  TRY(run.step());
  if (method.effect > run.effect_limit().most) {
    TRY(run.check_effect(method.effect, fmt::format("`{}`", method.name)));
  }
  TRY(library().signature_of(method).check(run, arguments));
  return method.call(run, self, Arguments(arguments));
}

std::string_view type_of_methods(const FqlValue& value) {
  switch (value.kind()) {
    case FqlKind::null: return "Null";
    case FqlKind::boolean: return "Boolean";
    case FqlKind::whole:
    case FqlKind::real: return "Number";
    case FqlKind::text: return "String";
    case FqlKind::bytes: return "Bytes";
    case FqlKind::time: return "Time";
    case FqlKind::transaction_time: return "TransactionTime";
    case FqlKind::date: return "Date";
    case FqlKind::uuid: return "UUID";
    case FqlKind::id: return "ID";
    case FqlKind::module: return "Module";
    case FqlKind::document:
      return value.document()->collection == "Credential" ? "Credential" : "Document";
    case FqlKind::shown_document: return "Document";
    case FqlKind::set:
    case FqlKind::shown_page: return "Set";
    case FqlKind::function: return "Function";
    case FqlKind::object: return "Object";
    case FqlKind::array: return "Array";
    case FqlKind::set_cursor: return "SetCursor";
    case FqlKind::event_source: return "EventSource";
  }
  return "Any";
}

}  // namespace mayfly::fauna
