// Sets as queries of the core: what can be read by its planner is, so that an index serves it.
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
  std::optional<Instant> at;  // as of when the documents are read
  // The same without what the principal's roles leave out, by which its places are known: a cursor
  // is good for every principal. Null: the same.
  query::QueryPtr for_all = nullptr;
  bool shows_dead = false;  // of a snapshot: what has died since, too
  bool is_as_of = false;    // of an instant that the query has named: no death ends it
};

// Nothing where the set, or a set within it, is none of documents in an order that a query can
// give.
Result<std::optional<LoweredSet>> lower_set(Interpreter& run, const SetPtr& set,
                                            const ReadOptions& options);

// That a document of the system's table is one of that kind, by its id.
ExprPtr id_is_of(const SystemCollection& of);
// A condition of the core that says the same as the predicate, for documents of the collection;
// null where there is none.
ExprPtr lower_predicate(Interpreter& run, const Callable& predicate, const FqlCollection& of);
// The field that a lambda gives: `.a`, `x => x.a`.
std::optional<Field> lowered_field(Interpreter& run, const Callable& accessor,
                                   const FqlCollection& of);
// A value as the core compares it; nothing where it cannot.
std::optional<mayfly::Value> lowered_value(const FqlValue& value);

}  // namespace mayfly::fauna
