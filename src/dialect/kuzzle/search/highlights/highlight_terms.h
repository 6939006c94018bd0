// The terms that a query looks for, and in which field, so that hits are highlighted by the rules
// that found them. They are recorded while a query is lowered, except under negations.
#pragma once

#include <string>
#include <vector>

#include "expr/expr.h"

namespace mayfly::kuzzle::search {

struct HighlightTerm {
  enum class Kind {
    words,       // each of `texts`
    phrase,      // `texts` side by side
    word_where,  // each word for which `condition` is true
    value,       // a whole value that is one of `texts`
    value_where  // a whole value for which `condition` is true
  };
  Kind kind = Kind::words;
  std::string field;  // as FieldValues::name; empty: every field
  std::vector<std::string> texts = {};
  bool ends_in_prefix = false;  // the last word of a phrase is a prefix
  ExprPtr condition = nullptr;  // slot 0 is the word, or the value
};
using HighlightTerms = std::vector<HighlightTerm>;

}  // namespace mayfly::kuzzle::search
