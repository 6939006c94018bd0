// Container: a collection as this dialect sees it, with its definition parsed. It is immutable, and
// shows one state of the collection.
#pragma once

#include <memory>
#include <shared_mutex>
#include <string>
#include <unordered_map>

#include "base/result.h"
#include "db/catalog/catalog.h"
#include "dialect/cosmos/containers/definition.h"
#include "dialect/cosmos/containers/policies/indexing.h"
#include "dialect/cosmos/resources/address.h"
#include "value/json/writer.h"

namespace mayfly::cosmos {

struct Container {
  DatabaseInfoPtr database;
  CollectionPtr collection;
  Definition definition;
  Bytes rid;

  std::string link() const;       // "dbs/shop/colls/carts", by names
  std::string self_link() const;  // "dbs/AAAAAQ==/colls/AAAAAYAAAAI=/"
};
using ContainerPtr = std::shared_ptr<const Container>;

// A cache of parsed definitions. Threads: any.
class Containers {
 public:
  // The database or container that an address names, by names or rids. Fails with not_found.
  static Result<DatabaseInfoPtr> find_database(const Catalog& catalog, const Address& address);
  Result<ContainerPtr> find(const Catalog& catalog, const Address& address);
  // The container of that collection. Fails if its stored definition cannot be parsed.
  Result<ContainerPtr> of(const DatabaseInfoPtr& database, const CollectionPtr& collection);

 private:
  static constexpr std::size_t clean_size_min = 64;
  void erase_removed();

  std::shared_mutex mutex_;
  std::unordered_map<CollectionId, ContainerPtr> known_;
  std::size_t clean_size_ = clean_size_min;  // at this size the cache is cleaned
};

// Called at the start. Sets the body rules of containers in a data directory that is older than the
// core's body rules; changes nothing in others.
Result<void> adopt_containers(Database& database);

// Appends the members of the collection's definition, within an object that the caller begins and
// ends. For older clients, the versions of partition keys and system keys are left out. Indexing
// policies have the form that the client expects.
void render_container_members(const Container& container, Client client, JsonWriter& json);

}  // namespace mayfly::cosmos
