// The part of a document's body that a client requests: `_source`.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "expr/evaluation/meter.h"
#include "value/value.h"

namespace mayfly::kuzzle::search {

// false, "a.*", ["a", "b.*"] or {"includes": …, "excludes": …}. A pattern names a dotted path, in
// which * stands for any characters, and everything below it.
struct SourceFilter {
  bool shows = true;                       // false: no body at all
  std::vector<std::string> includes = {};  // empty: everything
  std::vector<std::string> excludes = {};

  // Fails with invalid or too_large, naming `_source`.
  static Result<SourceFilter> parse(const Value& source);

  bool shows_all() const { return shows && includes.empty() && excludes.empty(); }
  // Filters a body (an object). Objects that become empty are left out. Fails with timed_out.
  Result<Value> of(const Value& body, Meter& meter) const;
};

}  // namespace mayfly::kuzzle::search
