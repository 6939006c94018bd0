// Directory: finds structures by what clients call them. It is derived from the catalog alone, kept
// only so that facets are not parsed for every request, and made anew where the catalog has
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
  // By id, slug or name, in this order of preference; null if there is none.
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
  // Null where there is no such database. Holds at most what the catalog does.
  WorkspacePtr workspace(const CatalogPtr& catalog, std::string_view slug);
  // Held while a structure is made or changed: ids are unique in a workspace, and a merge must not
  // lose another one.
  std::mutex& edits() { return edits_; }

 private:
  WorkspacePtr build(const CatalogPtr& catalog, const DatabaseInfoPtr& database) const;

  std::mutex edits_;
  std::mutex mutex_;  // guards all below
  CatalogPtr catalog_;
  std::unordered_map<DatabaseId, WorkspacePtr> workspaces_;
  std::unordered_map<DatabaseId, WorkspacePtr>
      earlier_;  // of the catalog before, to take over from
};

}  // namespace mayfly::centrali
