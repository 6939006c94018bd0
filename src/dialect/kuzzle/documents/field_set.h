// FieldSet: fields to remove from a body together. Each object is traversed once, however many
// names there are.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/result.h"
#include "expr/evaluation/meter.h"
#include "value/path.h"

namespace mayfly::kuzzle {

class FieldSet {
 public:
  // Reads the names, which are paths. Fails with invalid, and with too_large over
  // limits::deleted_fields_max.
  static Result<FieldSet> parse(const Array& names);

  // Removes those of the fields that exist. Positions in arrays refer to the original body. Fails
  // with timed_out.
  Result<void> remove_from(Value& body, Meter& meter) const;

 private:
  struct Node {
    bool is_whole = false;  // the whole value is removed
    std::map<std::string, std::unique_ptr<Node>, std::less<>> members;
    std::map<std::size_t, std::unique_ptr<Node>> items;
  };
  static Result<void> remove(const Node& node, Value& value, Meter& meter);
  void add(const Path& path);

  Node root_;
};

}  // namespace mayfly::kuzzle
