// Stage: what a search or a write by query reads: one snapshot of its collection.
#pragma once

#include <optional>
#include <utility>

#include "dialect/kuzzle/call.h"
#include "dialect/kuzzle/documents/queries/facts.h"
#include "dialect/kuzzle/queries.h"
#include "dialect/kuzzle/search/search.h"

namespace mayfly::kuzzle {

struct Stage {
  View view;
  CollectionPtr collection;
  search::Mapping mapping;
  search::ReadQuery read_query;
  std::optional<Instant> visible_at;  // see refreshes.h

  // Refers to this object, which must outlive it and stay where it is.
  search::Language language() const {
    return {.mapping = mapping,
            .now = view.now(),
            .fact = shown_fact,
            .read_query = read_query,
            .shows_highlights = true};
  }
  search::SearchContext context(const KuzzleCall& call) {
    return {view, collection, call.includes_trash(), meter_of(call), visible_at};
  }
};

// The stage of the collection that the request names. Fails if it names several.
Result<Stage> set_stage(const KuzzleCall& call);
// The query of the request's body, which is required.
Result<ExprPtr> required_query(const KuzzleCall& call, const Stage& stage);

// The same as phrased_as_search() in queries.h.
template <class T>
Result<T> with_search_words(Result<T> result) {
  return phrased_as_search(std::move(result));
}

}  // namespace mayfly::kuzzle
