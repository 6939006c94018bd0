#include "dialect/centrali/structures/directory.h"

namespace mayfly::centrali {

Workspace::Workspace(DatabaseInfoPtr database, std::vector<StructurePtr> structures)
    : database_(std::move(database)), structures_(std::move(structures)) {
  for (const StructurePtr& structure : structures_) {
    by_collection_.emplace(structure->collection->id, structure);
    by_id_.emplace(structure->id, structure);
    by_slug_.emplace(structure->slug, structure);
    by_name_.emplace(structure->name, structure);
  }
}

StructurePtr Workspace::find(std::string_view called) const {
  for (const auto* names : {&by_id_, &by_slug_, &by_name_}) {
    if (const auto found = names->find(called); found != names->end()) return found->second;
  }
  return nullptr;
}

StructurePtr Workspace::find(CollectionId collection) const {
  const auto found = by_collection_.find(collection);
  return found == by_collection_.end() ? nullptr : found->second;
}

WorkspacePtr Directory::workspace(const CatalogPtr& catalog, std::string_view slug) {
  const DatabaseInfoPtr database = catalog->find_database(slug);
  if (!database) return nullptr;
  const std::lock_guard lock(mutex_);
  // A transaction may still read an earlier catalog: it gets its answer, and the cache stays as it
  // is.
  const bool is_newer = !catalog_ || catalog->next_id >= catalog_->next_id;
  if (catalog_ != catalog && is_newer) {
    for (auto& [id, workspace] : workspaces_) earlier_[id] = std::move(workspace);
    workspaces_.clear();
    std::erase_if(earlier_, [&](const auto& entry) { return !catalog->database(entry.first); });
    catalog_ = catalog;
  }
  if (catalog_ != catalog) return build(catalog, database);
  const auto found = workspaces_.find(database->id);
  if (found != workspaces_.end()) return found->second;
  WorkspacePtr built = build(catalog, database);
  earlier_.erase(database->id);
  workspaces_.emplace(database->id, built);
  return built;
}

WorkspacePtr Directory::build(const CatalogPtr& catalog, const DatabaseInfoPtr& database) const {
  const auto before = earlier_.find(database->id);
  std::vector<StructurePtr> structures;
  for (const CollectionPtr& collection : catalog->collections(database->id)) {
    const StructurePtr known =
        before == earlier_.end() ? nullptr : before->second->find(collection->id);
    structures.push_back(known && known->collection == collection ? known
                                                                  : structure_of(collection));
  }
  return std::make_shared<const Workspace>(database, std::move(structures));
}

}  // namespace mayfly::centrali
