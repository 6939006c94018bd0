// FqlCollection: a collection as a query sees it: a user's, or one that FQL itself defines.
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
  const SystemCollection* system = nullptr;  // null for a user's collection
  // null until it is in the catalog: a user's until its definition is applied, that of the system
  // collections until the first write to one
  CollectionPtr core;
  DefinitionPtr definition;  // never null for a user's collection
  bool is_new = false;       // created in this query: it cannot be used yet
  bool is_changed = false;   // its definition has been written in this query

  bool is_named() const { return system != nullptr && system->is_named; }
  // The name under which the library lists the methods of the collection.
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
