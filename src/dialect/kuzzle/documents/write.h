// Writing one document as each action does it, also where it lies in the trashcan: what is written
// comes out of there.
#pragma once

#include <string>

#include "dialect/kuzzle/call.h"

namespace mayfly::kuzzle {

enum class Writing { create, create_or_replace, replace, update, upsert };

struct Wish {
  Writing how = Writing::create;
  std::string id;
  Value body;                   // an object: the whole, or of an update and upsert the changes
  Value otherwise = Object();   // of an upsert: what a new document has beside the changes
  bool is_one_of_many = false;  // then a replacement is told as a creation
};

// Gives whether it is new. Fails as the action does.
Result<bool> write_document(const Call& call, Transaction& transaction,
                            const CollectionPtr& collection, const Wish& wish);

// To the trashcan. Fails with not_found where no living document has the id. `from_trash` puts one
// that lies there already in anew, as if it had just been deleted.
Result<void> remove_document(const Call& call, Transaction& transaction,
                             const CollectionPtr& collection, const std::string& id,
                             bool from_trash = false);

// An id for a document that comes without.
std::string new_document_id(Random& random);

// Objects are merged at every depth, all else is replaced.
Value merge_deeply(Value into, const Value& changes);

}  // namespace mayfly::kuzzle
