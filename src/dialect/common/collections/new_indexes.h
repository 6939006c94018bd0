// NewIndexes: the indexes that one request creates before it changes anything else: all of them or
// none. An index refuses writes as soon as it exists, so a refused request leaves none behind.
#pragma once

#include <string>
#include <vector>

#include "db/database.h"

namespace mayfly {

// Threads: one.
class NewIndexes {
 public:
  NewIndexes(Database& database, CollectionId collection)
      : database_(database), collection_(collection) {}
  // Drops what it has created, unless keep() was called.
  ~NewIndexes();
  NewIndexes(const NewIndexes&) = delete;
  NewIndexes& operator=(const NewIndexes&) = delete;

  // As Database::create_index(). An index that a definition needs belongs to it once the definition
  // is written (CollectionChange): a crash before leaves an index that clients can drop.
  Result<CollectionPtr> create(const IndexSpec& spec);
  void keep() { created_.clear(); }

 private:
  struct Created {
    std::string name;
    IndexId id;
  };
  // Whether the index still exists, is not another one of the same name, and belongs to no
  // definition. Another request may have added it to its own definition.
  bool stands(const Created& created) const;

  Database& database_;
  CollectionId collection_;
  std::vector<Created> created_;
};

// Fails with exists if an index has the name, but not the content, of one that a definition needs.
Result<void> check_content(const Collection& collection, const std::vector<IndexSpec>& needed);

}  // namespace mayfly
