// Tokens of event sources, with which a client follows the changes of a set. A token holds the
// whole set, as the calls that made it, with the source and the captured values of its lambdas; the
// fields whose changes count; and the instant of the query that made it. It is valid in its
// database with any secret.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "dialect/common/page_token.h"
#include "dialect/fauna/database_path.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/sets/set.h"

namespace mayfly::fauna {

using FieldNames = std::vector<std::string>;

struct FqlEventSource {
  SetPtr set;
  std::vector<FieldNames> fields = {};  // only updates of these fields count; empty: all updates
  Instant created_at = {};
};

// The value is not sealed yet. Fails with invalid_receiver if the set holds values that a token
// cannot, and with value_too_large if it holds too much.
Result<FqlValue> event_source_value(Interpreter& run, const FqlEventSource& source);
// Opens a value that is an event source. Fails with invalid if this database did not issue it.
Result<FqlEventSource> event_source_of(Interpreter& run, const FqlValue& value);

// Completes a result with what is known only after the commit: the times of its writes, and tokens.
struct CommitContext {
  const PageTokens& page_tokens;
  const DatabasePath& database_path;
  Instant at;
};
FqlValue completed(const FqlValue& shown, const CommitContext& context);

}  // namespace mayfly::fauna
