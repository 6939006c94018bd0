// FqlCollection: a collection as a query knows it: of a user, or one that FQL itself has.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "db/catalog/catalog.h"
#include "db/rows/document.h"
#include "dialect/fauna/schema/definition.h"
#include "dialect/fauna/schema/system.h"

namespace mayfly::fauna {

struct FqlCollection {
  std::string name;
  const SystemCollection* system = nullptr;  // null: it is a user's
  CollectionPtr core;                        // null: nothing has been written into it yet
  DefinitionPtr definition;                  // of a user's; never null there
  bool is_new = false;                       // made in this query: it cannot be used yet
  bool is_changed = false;                   // its definition has been written in this query

  bool is_named() const { return system != nullptr && system->is_named; }
  // The name under which the library lists what its name can do.
  std::string_view rows() const {
    if (system == nullptr) return "UserCollection";
    return system->is_named ? "NamedCollection" : "SystemCollection";
  }
  DocumentKey key_of(const DocumentKey& named) const {
    return system != nullptr ? system_key(*system, named.id) : named;
  }
  std::string id_of(const Document& document) const {
    return std::string(system != nullptr ? id_in_table(document.id) : document.id);
  }
};
using FqlCollectionPtr = std::shared_ptr<const FqlCollection>;

}  // namespace mayfly::fauna
