// Translates sets to queries of the core wherever possible, so that its planner can use indexes.
#pragma once

#include <optional>

#include "base/result.h"
#include "dialect/fauna/documents/collection.h"
#include "dialect/fauna/sets/readers/reader.h"
#include "expr/expr.h"
#include "query/query.h"

namespace mayfly::fauna {

struct LoweredSet {
  query::QueryPtr query;
  FqlCollectionPtr of;
  std::optional<Instant> at;  // the instant at which documents are read
  // The same query without the conditions of the principal's roles; null if there are none.
  // Positions in cursors refer to it, because a cursor is valid for every principal.
  query::QueryPtr for_all = nullptr;
  bool includes_expired = false;  // for a snapshot: includes documents that have expired since
  bool is_as_of = false;          // at an instant that the query names: elements never expire
};

// nullopt if the set, or a set within it, does not consist of documents in an order that a query
// can produce.
Result<std::optional<LoweredSet>> lower_set(Interpreter& run, const SetPtr& set,
                                            const ReadOptions& options);

// The condition that a document of the system table is of that kind, by its id.
ExprPtr id_is_of(const SystemCollection& of);
// The condition of the core that is equivalent to the predicate for documents of the collection,
// except that comparisons with numbers find no ids (values/stored.h); null if there is none.
ExprPtr lower_predicate(Interpreter& run, const Callable& predicate, const FqlCollection& of);
// The field that a lambda returns: `.a`, `x => x.a`.
std::optional<Field> lowered_field(Interpreter& run, const Callable& accessor,
                                   const FqlCollection& of);
// The value in the form that the core compares; nullopt if the core cannot compare it.
std::optional<mayfly::Value> lowered_value(const FqlValue& value);

}  // namespace mayfly::fauna
