// Parses a whole text by one rule.
#pragma once

#include <fmt/format.h>

#include "dialect/fauna/limits.h"
#include "dialect/fauna/syntax/grammar/rules.h"
#include "dialect/fauna/syntax/parsed.h"

namespace mayfly::fauna {

// The result of the rule, or all diagnostics if there are any.
template <class R, class T>
Parsed<T> parse_whole(const Template& from, Result<T> (R::*whole)()) {
  if (from.source->text.size() > limits::fql_bytes_max) {
    return tl::unexpected(Diagnostics{
        error_at({0, 1, from.source.get()},
                 fmt::format("The text is longer than {} bytes", limits::fql_bytes_max))});
  }
  R rules(from);
  Result<T> read = (rules.*whole)();
  if (rules.has_diagnostics()) return tl::unexpected(rules.take_diagnostics());
  return std::move(*read);
}

}  // namespace mayfly::fauna
