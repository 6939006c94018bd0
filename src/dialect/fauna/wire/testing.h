// For tests: a database with a few names.
#pragma once

#include <string_view>

#include "dialect/fauna/wire/names.h"

namespace mayfly::fauna {

class FewNames final : public Names {
 public:
  ModulePtr find_module(std::string_view name) const override {
    for (const char* known : {"Foo", "Bar", "Math", "Collection"}) {
      if (name == known) return module_of(known);
    }
    return name == "AliasOfFoo" ? module_of("Foo") : nullptr;
  }
  bool has_named_document(std::string_view collection, std::string_view name) const override {
    return collection == "Collection" && (name == "Foo" || name == "Bar");
  }
};

}  // namespace mayfly::fauna
