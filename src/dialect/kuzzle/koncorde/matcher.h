// Matcher: which of many filters a document fits. Filters are found by what they ask of one of
// their fields, so that an event costs look-ups and the evaluation of few filters, however many
// there are.
//
//   Matcher matcher;
//   FilterId a = matcher.add(TRY(Filter::parse(body)));   // once for each filter text
//   for (FilterId id : matcher.match({"doc1", body})) …
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "dialect/kuzzle/koncorde/filter.h"
#include "expr/evaluation/meter.h"

namespace mayfly::kuzzle::koncorde {

using FilterId = std::uint64_t;

// A document as filters see it.
struct Subject {
  std::string_view id;  // empty: it has none (what is published)
  const Value& body;    // an object
};

// Whether the document fits that one filter. A condition that cannot be evaluated (too_large) does
// not match. Threads: any.
bool fits(const Filter& filter, const Subject& subject);
// The same in the time of a request. Fails with timed_out.
Result<bool> fits(const Filter& filter, const Subject& subject, Meter& meter);

// Threads: one at a time.
class Matcher {
 public:
  Matcher();
  ~Matcher();
  Matcher(Matcher&&) noexcept;
  Matcher& operator=(Matcher&&) noexcept;

  // Ids are never used again.
  FilterId add(const Filter& filter);
  // Nothing where there is no such filter.
  void remove(FilterId id);
  // In ascending order. A condition that cannot be evaluated (too_large) does not match.
  std::vector<FilterId> match(const Subject& subject);
  // The filters that the document may fit, in ascending order: found by look-ups alone, so that the
  // whole filters can be asked elsewhere, with fits().
  struct Candidate {
    FilterId id = 0;
    Filter filter;
    bool is_exact = false;  // it fits, without being asked
  };
  std::vector<Candidate> candidates(const Subject& subject) const;
  std::size_t size() const;
  // How many conditions have been evaluated by all calls of match() so far.
  std::uint64_t evaluations() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mayfly::kuzzle::koncorde
