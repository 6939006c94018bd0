// TypeResolver: resolves the names of a query, the declarations of a schema and the signatures of
// the library to types.
//
// Threads: one at a time, that of its Reading.
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

// The types that `A`, `B` and `D` of a library signature stand for.
struct RowTypes {
  StaticPtr element = any_type();
  StaticPtr actual = any_type();
  std::string document = {};  // name of its collection; empty: any
};

class TypeResolver {
 public:
  explicit TypeResolver(Reading& reading) : reading_(reading) {}

  // The type of a name that is no variable; null if the name is unbound.
  StaticPtr global(std::string_view name);
  // The same for the names that every database has, which are also members of `FQL`.
  StaticPtr library_global(std::string_view name);

  // Resolves a written type. An unknown name becomes Any and is added to `unknown`.
  StaticPtr declared(const Type& type, Diagnostics* unknown = nullptr);
  // The same for a signature stored in a schema; Any if it does not parse.
  StaticPtr signature(const std::string& text);
  // Resolves a type in the signature of a library method.
  StaticPtr of_row(std::string_view text, const RowTypes& types);
  // The type of a library method used as a value, without calling it.
  StaticPtr row_function(const Method& method, const RowTypes& types);

  // By name or alias; null if there is none.
  FqlCollectionPtr collection(std::string_view name);
  // The type of a field of its documents; null if they have none of that name.
  StaticPtr document_field(const FqlCollection& of, std::string_view field);
  // The type of values that may be written into a field. A field of a document type also takes a
  // reference to a missing document.
  StaticPtr written_field(const FieldDefinition& field);

  // A failure that the query did not cause. If there is one, all types found since are invalid.
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
  const RowTypes* row_ = nullptr;  // while a library signature is being read
  std::map<std::string, StaticPtr, std::less<>> signatures_;
  std::map<std::string, StaticPtr, std::less<>> globals_;
  // By signature text in the library; a type points into its source.
  std::map<std::string_view, std::pair<SourcePtr, TypePtr>> row_types_;
  std::optional<Error> error_;
};

}  // namespace mayfly::fauna
