// Koncorde filters: conditions of real-time subscriptions on documents. A filter is parsed and
// brought to a canonical form, so that equivalent filters share one room. It then becomes an
// expression of the inner language over a row that is a document: its body and its id. Searches can
// use it, too.
//
// Canonical form: negations stand at the leaves; operands of And and Or are flat, sorted and
// unique; `in` with one value is `equals`.
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

// One keyword about one field, or its negation.
struct Leaf {
  enum class Kind {
    equals,  // one of `values`
    exists,  // the field exists
    holds,   // the field is an array that contains values[0]
    range,   // a number between the bounds
    regexp,  // values: pattern, flags
    ids,     // one of `values`
    part,    // contains values[0] at every depth
    place,   // a geo-point near or within an area
    item,    // one item of an array matches a nested filter; values: position, that filter's text
    nothing  // no document
  };
  Kind kind = Kind::nothing;
  std::string name;               // the field as written; empty for ids and nothing
  std::vector<std::string> path;  // of the field
  Slot slot = 0;  // the value that has the field: the document, or within `select` an item
  std::vector<Value> values;
  struct Bound {
    double value = 0;
    bool is_included = true;
  };
  std::optional<Bound> from;
  std::optional<Bound> to;
  bool is_negated = false;
  ExprPtr condition;  // true or false, never missing
};

struct Node {
  enum class Kind { all, leaf, every, any };  // all: every document
  Kind kind = Kind::all;
  Leaf leaf = {};
  std::vector<NodePtr> operands = {};
  std::string text;  // canonical: equal if and only if the nodes are
};

// Parses a keyword that Koncorde does not have, with its value: {keyword: …}. Also called for
// `match`, which has another meaning in Koncorde.
using ParseOther = std::function<Result<ExprPtr>(const Value& clause, const std::string& place)>;

// The condition of an `equals`, `holds` or `regexp` on one value, which is in slot 0.
ExprPtr condition_of_value(const Leaf& leaf);

class Filter {
 public:
  // Parses a subscription's body: {} and null mean every document. Fails with invalid, naming the
  // keyword, with unsupported, or with too_large over limits.h here.
  static Result<Filter> parse(const Value& body, const ParseOther& parse_other = {});

  const Node& root() const { return *root_; }
  const std::string& text() const { return root_->text; }
  // Never missing.
  const ExprPtr& condition() const { return condition_; }
  // The number of leaves in its canonical form.
  std::size_t conditions() const;
  // The steps that its regular expressions take for each character of a text in the worst case.
  std::size_t pattern_steps() const { return pattern_steps_; }

 private:
  Filter(NodePtr root, ExprPtr condition, std::size_t pattern_steps)
      : root_(std::move(root)), condition_(std::move(condition)), pattern_steps_(pattern_steps) {}
  NodePtr root_;
  ExprPtr condition_;
  std::size_t pattern_steps_;
};

// The id of the room that all subscriptions to this collection with this filter share.
std::string room_id(std::string_view index, std::string_view collection, const Filter& filter);

}  // namespace mayfly::kuzzle::koncorde
