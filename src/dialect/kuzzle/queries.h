// Queries in requests: their language, their time limit, and their errors.
#pragma once

#include <utility>

#include "dialect/kuzzle/call.h"
#include "dialect/kuzzle/search/search.h"

namespace mayfly::kuzzle {

// The parser of the request's query, by its argument `lang`: "elasticsearch" (null here) or
// "koncorde". Fails with invalid for another.
Result<search::ReadQuery> query_language_of(const KuzzleCall& call);

// The body of a search; an HTTP GET has it in a parameter.
Result<Value> search_body(const KuzzleCall& call);

// Reads the arguments `from` and `size`. Fails if the page is too large.
Result<void> set_page(const KuzzleCall& call, search::Search& parsed_search);

// Ends at call.answer_by; if that is never, limits::request_time_max from now.
Meter meter_of(const KuzzleCall& call);

// The error in Kuzzle's form: all errors in a search have one id, wherever they are.
Error to_search_error(Error error);

template <class T>
Result<T> phrased_as_search(Result<T> result) {
  if (!result) return tl::unexpected(to_search_error(std::move(result).error()));
  return result;
}

}  // namespace mayfly::kuzzle
