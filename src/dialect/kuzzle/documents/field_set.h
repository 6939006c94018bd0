// FieldSet: fields that are removed from a body together. An object is gone through once, however
// many names there are.
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

  // Removes what is there of them; positions in arrays are those of the body as it was. Fails with
  // timed_out.
  Result<void> remove_from(Value& body, Meter& meter) const;

 private:
  struct Node {
    bool is_whole = false;  // all that lies here goes
    std::map<std::string, std::unique_ptr<Node>, std::less<>> members;
    std::map<std::size_t, std::unique_ptr<Node>> items;
  };
  static Result<void> remove(const Node& node, Value& value, Meter& meter);
  void add(const Path& path);

  Node root_;
};

}  // namespace mayfly::kuzzle
