// Names: looks up the names in a database that references in a request use.
#pragma once

#include <string_view>

#include "dialect/fauna/values/value.h"

namespace mayfly::fauna {

class Names {
 public:
  virtual ~Names() = default;
  // The module of that name: a collection (for an alias, under its own name), a system collection,
  // or a module such as `Math`. Null if there is none; names that begin with `#` never exist.
  virtual ModulePtr find_module(std::string_view name) const = 0;
  // Whether a built-in collection of named documents (`Function`) has one of that name.
  virtual bool has_named_document(std::string_view collection, std::string_view name) const = 0;
};

}  // namespace mayfly::fauna
