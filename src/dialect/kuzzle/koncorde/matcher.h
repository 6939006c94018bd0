// Matcher: finds which of many filters match a document. Filters are indexed by a condition on one
// of their fields. So an event costs look-ups and the evaluation of few filters, however many there
// are.
//
//   Matcher matcher;
//   FilterId a = matcher.add(TRY(Filter::parse(body)));   // once for each filter text
//   for (FilterId id : matcher.match({"doc1", body})) …
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "dialect/kuzzle/koncorde/filter.h"
#include "expr/evaluation/meter.h"

namespace mayfly::kuzzle::koncorde {

using FilterId = std::uint64_t;

// The document that filters are evaluated on.
struct Subject {
  std::string_view id;  // empty for a published message, which has none
  const Value& body;    // an object
};

// Whether the document matches that one filter. A condition that cannot be evaluated (too_large)
// does not match. Threads: any.
bool fits(const Filter& filter, const Subject& subject);
// The same within the time limit of a request. Fails with timed_out.
Result<bool> fits(const Filter& filter, const Subject& subject, Meter& meter);

// Threads: one at a time.
class Matcher {
 public:
  Matcher();
  ~Matcher();
  Matcher(Matcher&&) noexcept;
  Matcher& operator=(Matcher&&) noexcept;

  // Ids are never reused.
  FilterId add(const Filter& filter);
  // Does nothing if there is no such filter.
  void remove(FilterId id);
  // In ascending order. A condition that cannot be evaluated (too_large) does not match.
  std::vector<FilterId> match(const Subject& subject);
  // The filters that may match the document, in ascending order. They are found by look-ups alone,
  // so that the caller can evaluate the whole filters elsewhere, with fits().
  struct Candidate {
    FilterId id = 0;
    std::optional<Filter> filter;  // to be evaluated; nullopt: it matches
  };
  std::vector<Candidate> candidates(const Subject& subject) const;
  std::size_t size() const;
  // The number of conditions that all calls of match() have evaluated so far.
  std::uint64_t evaluations() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mayfly::kuzzle::koncorde
