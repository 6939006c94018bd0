// Tokens of event sources: what a client follows the changes of a set with. A token holds the whole
// set, as the calls that made it, with the source of its lambdas and what they have captured; the
// fields whose changes count; and the instant of the query that made it. It is good in its
// database, whatever secret it comes with.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "dialect/common/page_token.h"
#include "dialect/fauna/places.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/sets/set.h"

namespace mayfly::fauna {

using FieldNames = std::vector<std::string>;

struct FqlEventSource {
  SetPtr set;
  std::vector<FieldNames> fields = {};  // an update counts where one of them changes; none: always
  Instant created_at = {};
};

// Not sealed yet. Fails with invalid_receiver where the set holds what no token can hold, and with
// value_too_large where it holds too much.
Result<FqlValue> event_source_value(Interpreter& run, const FqlEventSource& source);
// Of a value that is an event source. Fails with invalid, in words of its own, where it is none
// that this database has given.
Result<FqlEventSource> event_source_of(Interpreter& run, const FqlValue& value);

// A result with what is known once its query has its instant: times of the write, and tokens.
struct Settling {
  const PageTokens& page_tokens;
  const Place& place;
  Instant at;
};
FqlValue settled(const FqlValue& shown, const Settling& settling);

}  // namespace mayfly::fauna
