// KnownTypes: what the names of a query, the declarations of a schema and the rows of the library
// mean as types.
//
// Threads: one at a time; its Reading's.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dialect/fauna/check/types/static_type.h"
#include "dialect/fauna/documents/reading.h"
#include "dialect/fauna/library/method.h"
#include "dialect/fauna/syntax/parsed.h"
#include "dialect/fauna/syntax/types.h"

namespace mayfly::fauna {

// What `A`, `B` and `D` of a row stand for.
struct RowTypes {
  StaticPtr element = any_type();
  StaticPtr given = any_type();
  std::string document = {};  // a collection; empty: any
};

class KnownTypes {
 public:
  explicit KnownTypes(Reading& reading) : reading_(reading) {}

  // A name that is no variable; null where it is unbound.
  StaticPtr global(std::string_view name);
  // The same of what every database has, which `FQL` has as well.
  StaticPtr library_global(std::string_view name);

  // A type as it is written. A name that is none is Any, and is added to `unknown`.
  StaticPtr declared(const Type& type, Diagnostics* unknown = nullptr);
  // The same of a signature that a schema holds; Any where it is none.
  StaticPtr signature(const std::string& text);
  // The types of a row of the library, as text.
  StaticPtr of_row(std::string_view text, const RowTypes& types);
  // A row as a value: a function that is not called.
  StaticPtr row_function(const Method& method, const RowTypes& types);

  // By its name or alias; null where there is none.
  FqlCollectionPtr collection(std::string_view name);
  // A field of its documents; null where they have none of that name.
  StaticPtr document_field(const FqlCollection& of, std::string_view field);
  // What may be written into a field: a document that is there, or one that is not.
  StaticPtr written_field(const FieldDefinition& field);

  // The server's own failure, if any: what was found meanwhile is worth nothing.
  const std::optional<Error>& error() const { return error_; }

 private:
  StaticPtr user_function(std::string_view name);
  StaticPtr named(const NamedType& type, Span at, Diagnostics* unknown);
  StaticPtr of_collection(std::string_view name);
  void report_unknown(const std::string& name, Span at, Diagnostics& unknown);

  template <class T>
  T value_or(Result<T> result, T otherwise) {
    if (result) return *std::move(result);
    if (!error_) error_ = std::move(result).error();
    return otherwise;
  }

  friend struct TypeOfNode;
  Reading& reading_;
  const RowTypes* row_ = nullptr;  // while a row's type is read
  std::map<std::string, StaticPtr, std::less<>> signatures_;
  std::map<std::string, StaticPtr, std::less<>> globals_;
  // By their text in the library; a type points into its source.
  std::map<std::string_view, std::pair<SourcePtr, TypePtr>> row_types_;
  std::optional<Error> error_;
};

}  // namespace mayfly::fauna
