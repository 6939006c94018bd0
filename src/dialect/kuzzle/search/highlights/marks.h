// Marks: what a query looks for, and in which field, so that hits can be highlighted by the same
// rules that found them. They are noted while a query is lowered; of what a hit must not have, none
// are.
#pragma once

#include <string>
#include <vector>

#include "expr/expr.h"

namespace mayfly::kuzzle::search {

struct Mark {
  enum class Kind {
    words,       // each of `texts`
    phrase,      // `texts` side by side
    word_where,  // each word for which `condition` is true
    value,       // a whole value that is one of `texts`
    value_where  // a whole value for which `condition` is true
  };
  Kind kind = Kind::words;
  std::string field;  // as Values::name; empty: every one
  std::vector<std::string> texts = {};
  bool ends_in_prefix = false;  // the last word of a phrase is the beginning of one
  ExprPtr condition = nullptr;  // about a scope whose slot 0 is the word, or the value
};
using Marks = std::vector<Mark>;

}  // namespace mayfly::kuzzle::search
