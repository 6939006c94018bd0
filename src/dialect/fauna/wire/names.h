// Names: what references that arrive need to know of a database.
#pragma once

#include <string_view>

#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

class Names {
 public:
  virtual ~Names() = default;
  // What the name stands for: a collection, under its own name where this is its alias; a built-in
  // one; `Math`. Null where it stands for nothing, as every name does that begins with `#`.
  virtual ModulePtr find_module(std::string_view name) const = 0;
  // Whether a built-in collection of named documents (`Function`) has one of that name.
  virtual bool has_named_document(std::string_view collection, std::string_view name) const = 0;
};

}  // namespace mayfly::fauna
