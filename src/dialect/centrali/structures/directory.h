// Directory: finds structures by the names that clients use. It is a cache derived from the catalog
// alone, so that facets are not parsed for every request. It is rebuilt when the catalog has
// changed.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "db/catalog/catalog.h"
#include "dialect/centrali/structures/structure.h"

namespace mayfly::centrali {

// The structures of one workspace: its collections. Immutable; threads: any.
class Workspace {
 public:
  Workspace(DatabaseInfoPtr database, std::vector<StructurePtr> structures);

  const DatabaseInfo& database() const { return *database_; }
  // By slug.
  const std::vector<StructurePtr>& structures() const { return structures_; }
  // Finds a structure by id, slug or name, in this order; null if there is none.
  StructurePtr find(std::string_view called) const;
  StructurePtr find(CollectionId collection) const;

 private:
  DatabaseInfoPtr database_;
  std::vector<StructurePtr> structures_;
  std::unordered_map<CollectionId, StructurePtr> by_collection_;
  std::map<std::string, StructurePtr, std::less<>> by_id_, by_slug_, by_name_;
};
using WorkspacePtr = std::shared_ptr<const Workspace>;

// Threads: any.
class Directory {
 public:
  // Null if there is no such database. The cache holds at most what the catalog does.
  WorkspacePtr workspace(const CatalogPtr& catalog, std::string_view slug);
  // Held while a structure is created or changed, because ids are unique in a workspace and one
  // merge must not overwrite another.
  std::mutex& edits() { return edits_; }

 private:
  WorkspacePtr build(const CatalogPtr& catalog, const DatabaseInfoPtr& database) const;

  std::mutex edits_;
  std::mutex mutex_;  // guards all below
  CatalogPtr catalog_;
  std::unordered_map<DatabaseId, WorkspacePtr> workspaces_;
  std::unordered_map<DatabaseId, WorkspacePtr> earlier_;  // of the previous catalog, to reuse
};

}  // namespace mayfly::centrali
