// Queries as requests ask them: in which language, how long they may take, and how what is wrong
// with them is told.
#pragma once

#include <utility>

#include "dialect/kuzzle/call.h"
#include "dialect/kuzzle/search/search.h"

namespace mayfly::kuzzle {

// How the request's query is read: by its argument `lang`, "elasticsearch" (which is null here) or
// "koncorde". Fails with invalid for another.
Result<search::ReadQuery> asked_language(const Call& call);

// The body of a search; over HTTP a GET says it in a parameter.
Result<Value> search_body(const Call& call);

// `from` and `size` of the arguments; fails where the page is larger than one may be.
Result<void> set_page(const Call& call, search::Search& asked);

Meter meter_of(const Call& call);

// In Kuzzle's words: what is wrong with a search has one id, wherever it stands.
Error in_words_of_search(Error error);

template <class T>
Result<T> phrased_as_search(Result<T> result) {
  if (!result) return tl::unexpected(in_words_of_search(std::move(result).error()));
  return result;
}

}  // namespace mayfly::kuzzle
