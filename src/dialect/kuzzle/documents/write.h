// Writing one document as each action does it, also where it lies in the trashcan: what is written
// comes out of there.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dialect/kuzzle/call.h"
#include "dialect/kuzzle/specifications/validation.h"

namespace mayfly::kuzzle {

// as_given: created or replaced, with the metadata of its body or none, and held to no
// specification.
enum class Writing { create, create_or_replace, replace, update, upsert, as_given };

struct Wish {
  Writing how = Writing::create;
  std::string id;
  std::optional<DocumentKey> key = {};  // which of the documents of that id; none: that of the id
  Value body;  // an object: the whole, or of an update and upsert the changes
  // Of an upsert: what a new document has beside the changes, or in place of them if it is one of
  // many. Missing: nothing.
  Value otherwise = {};
  bool is_one_of_many = false;  // then a replacement is told as a creation
  bool is_import = false;       // then it is held to no specification
  bool keeps_creation = false;  // of a replacement: when and by whom it was created stays
};

// Gives whether it is new. Fails as the action does.
Result<bool> write_document(const Call& call, Transaction& transaction,
                            const CollectionPtr& collection, const Wish& wish);

// The key under which a body is written. Fails with invalid where `before`, living or removed, is
// in another partition than the body names: an id names one document here, and a second one of it
// would come to be.
Result<DocumentKey> place_of(const Collection& collection, const DocumentKey& key,
                             const Packed& body, const Document* before);

// To the trashcan. Fails with not_found where no living document has the id. `from_trash` puts one
// that lies there already in anew, as if it had just been deleted.
Result<void> remove_document(const Call& call, Transaction& transaction,
                             const CollectionPtr& collection, const DocumentKey& key,
                             bool from_trash = false);

// An id for a document that comes without.
std::string new_document_id(Random& random);

// A body that is to be written to the collection: held to its specification, and completed with
// default values.
Result<Value> fit(const Call& call, const Collection& collection, std::string_view id, Value body,
                  Extent extent);

// Objects are merged at every depth, all else is replaced.
Value merge_deeply(Value into, const Value& changes);

}  // namespace mayfly::kuzzle
