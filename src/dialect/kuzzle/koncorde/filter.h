// Koncorde filters: what real-time subscriptions ask of documents. A filter is read, brought to one
// form (so that filters that say the same in other words are one room), and made an expression of
// the inner language, over a row that is a document: its body and its id. It may be searched with,
// too.
//
// Form: negations stand at the leaves, operands of And and Or are flat, sorted and without
// repetition, `in` of one value is `equals`.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "expr/expr.h"
#include "value/value.h"

namespace mayfly::kuzzle::koncorde {

struct Node;
using NodePtr = std::shared_ptr<const Node>;

// One keyword about one field, or its opposite.
struct Leaf {
  enum class Kind {
    equals,  // one of `values`
    exists,  // the field is there
    holds,   // the field is an array with values[0] in it
    range,   // a number between the bounds
    regexp,  // values: pattern, flags
    ids,     // one of `values`
    part,    // holds all of values[0], deep
    place,   // is a place near or in another: `test`
    item,    // one item of an array fits a filter of its own: values: position, that filter's text
    nothing  // no document
  };
  Kind kind = Kind::nothing;
  std::string name;               // the field as it was written; empty for ids and nothing
  std::vector<std::string> path;  // of the field
  Slot slot = 0;                  // what it is a field of: the document, or below `select` an item
  std::vector<Value> values;
  struct Bound {
    double value = 0;
    bool is_included = true;
  };
  std::optional<Bound> from;
  std::optional<Bound> to;
  bool is_negated = false;
  ExprPtr condition;  // true, false; never missing
};

struct Node {
  enum class Kind { all, leaf, every, any };  // all: every document
  Kind kind = Kind::all;
  Leaf leaf = {};
  std::vector<NodePtr> operands = {};
  std::string text;  // canonical: equal if and only if the nodes are
};

// Reads a keyword that is none of Koncorde's, with what stands behind it: {keyword: …}. Also
// `match`, which means something else to Koncorde.
using ParseOther = std::function<Result<ExprPtr>(const Value& clause, const std::string& place)>;

// What an `equals`, `holds` or `regexp` asks of one value, which is slot 0.
ExprPtr condition_of_value(const Leaf& leaf);

class Filter {
 public:
  // Of a subscription's body: {} and null mean every document. Fails with invalid, naming the
  // keyword, unsupported, or too_large over limits.h here.
  static Result<Filter> parse(const Value& body, const ParseOther& parse_other = {});

  const Node& root() const { return *root_; }
  const std::string& text() const { return root_->text; }
  // Never missing.
  const ExprPtr& condition() const { return condition_; }
  // How many keywords about fields it has in its form.
  std::size_t conditions() const;
  // What its regular expressions take for each character of a text at worst.
  std::size_t pattern_steps() const { return pattern_steps_; }

 private:
  Filter(NodePtr root, ExprPtr condition, std::size_t pattern_steps)
      : root_(std::move(root)), condition_(std::move(condition)), pattern_steps_(pattern_steps) {}
  NodePtr root_;
  ExprPtr condition_;
  std::size_t pattern_steps_;
};

// The name of the room of everybody who subscribes to this collection with this filter.
std::string room_id(std::string_view index, std::string_view collection, const Filter& filter);

}  // namespace mayfly::kuzzle::koncorde
