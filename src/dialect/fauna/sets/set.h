// FqlSet: a set of FQL, as the tree of calls that made it. Lazy: reading starts only with a reader
// (sets/readers/reader.h). Immutable.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "dialect/fauna/run/functions/callable.h"
#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

class Interpreter;
using SetPtr = std::shared_ptr<const FqlSet>;
using CallablePtr = std::shared_ptr<const Callable>;

struct SetOrdering {
  CallablePtr by;  // null: the element itself
  bool is_descending = false;
};

class FqlSet {
 public:
  struct All {
    std::string collection;
    std::optional<FqlValue> from = {};  // ids
    std::optional<FqlValue> to = {};
    bool is_of_query = false;  // see IndexRead
  };
  struct IndexRead {
    std::string collection;
    std::string index;
    FqlArray terms;
    std::optional<FqlArray> from = {};  // bounds of the first of its values
    std::optional<FqlArray> to = {};
    // The query itself has made the set. It is read with the query's own rights, also when it is
    // passed to a function with a role. Other sets are read with the rights of their reader.
    bool is_of_query = false;
  };
  struct Where {
    SetPtr in;
    CallablePtr predicate;
  };
  struct Mapped {
    SetPtr in;
    CallablePtr by;
    bool is_projection = false;
  };
  struct FlatMapped {
    SetPtr in;
    CallablePtr by;
  };
  struct Ordered {
    SetPtr in;
    std::vector<SetOrdering> keys;
  };
  struct Sliced {
    SetPtr in;
    std::size_t offset = 0;
    std::optional<std::size_t> limit = {};
  };
  struct Reversed {
    SetPtr in;
  };
  struct Distinct {
    SetPtr in;
  };
  struct Concat {
    SetPtr first;
    SetPtr second;
  };
  struct Items {
    std::shared_ptr<const FqlArray> items;
    bool is_single = false;  // Set.single()
  };
  struct Sequence {
    std::int64_t from = 0;
    std::int64_t until = 0;
  };
  using Node = std::variant<All, IndexRead, Where, Mapped, FlatMapped, Ordered, Sliced, Reversed,
                            Distinct, Concat, Items, Sequence>;

  // `at`: the instant at which it is read; nullopt: now.
  FqlSet(Node node, std::optional<Instant> at);

  // Makes a set from another; it inherits the instant and the page size.
  static SetPtr over(const SetPtr& in, Node node);
  static SetPtr mapped(const SetPtr& in, CallablePtr by, bool is_projection);

  template <class T>
  const T* as() const {
    return std::get_if<T>(&node);
  }

  const Node node;
  const std::optional<Instant> at;
  // nesting of sets, and of the values in their functions
  const std::uint16_t depth;
  std::optional<std::size_t> page_size = {};  // set by pageSize()
};

// Makes a set for a query, within its bounds.
Result<FqlValue> set_value(Run& run, SetPtr set);
inline Result<FqlValue> set_value(Run& run, FqlSet::Node node, std::optional<Instant> at) {
  return set_value(run, std::make_shared<const FqlSet>(std::move(node), at));
}

// The input of a set; null if it has none, or two.
SetPtr input_of(const FqlSet& set);

// Whether both were made by the same calls. Fails with value_too_large if they hold more than a
// result may.
Result<bool> equal_sets(Run& run, const FqlSet& a, const FqlSet& b);

// `Coll.index(term, …, range?)`.
Result<FqlValue> read_index(Interpreter& run, const std::string& collection,
                            const std::string& index, std::span<const FqlValue> arguments);

// `{ from, to }` of documents or ids, as ids; nullopt for a missing bound.
struct IdRange {
  std::optional<FqlValue> from;
  std::optional<FqlValue> to;
};
Result<IdRange> id_range(Interpreter& run, const FqlValue& range);

// A set in a result: its first page, or its cursor if it is nested too deep (sets/page.cc).
Result<FqlValue> show_set(Interpreter& run, const SetPtr& set, int depth);
// Always the cursor of the set, without reading it.
Result<FqlValue> show_cursor_of(Interpreter& run, const SetPtr& set);

}  // namespace mayfly::fauna
