// Writes one document as each action does. A write to a document in the trashcan takes it out of
// there.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dialect/kuzzle/call.h"
#include "dialect/kuzzle/specifications/validation.h"

namespace mayfly::kuzzle {

// with_metadata: creates or replaces, with exactly the metadata in the body (or none), without a
// check against the specification.
enum class WriteKind { create, create_or_replace, replace, update, upsert, with_metadata };

struct WriteRequest {
  WriteKind how = WriteKind::create;
  std::string id;
  std::optional<DocumentKey> key =
      {};      // selects among documents of that id; unset: derived from the id
  Value body;  // an object: the whole body, or for update and upsert the changes
  // For an upsert: what a new document has besides the changes, or in place of them if the request
  // has many documents. Missing: nothing.
  Value otherwise = {};
  bool is_one_of_many = false;  // then notifications report a replacement as a creation
  bool is_import = false;       // then it is not checked against the specification
  bool keeps_creation = false;  // for a replacement: creation time and author stay
};

// Returns whether the document is new. Fails as the action does, and with contended if the
// transaction must be repeated, because the due pass of the garbage collector has just run, or may
// not run on an event loop.
Result<bool> write_document(const KuzzleCall& call, Transaction& transaction,
                            const CollectionPtr& collection, const WriteRequest& request);

// The key under which a body is written. Fails with invalid if `before`, living or removed, is in
// another partition than the body names: an id names one document here, and the write would create
// a second one.
Result<DocumentKey> place_of(const Collection& collection, const DocumentKey& key,
                             const Packed& body, const Document* before);

// Moves a document to the trashcan. Fails with not_found if no living document has the id.
// `from_trash` also accepts a document that is in the trashcan already and puts it there again, as
// if it had just been deleted.
Result<void> remove_document(const KuzzleCall& call, Transaction& transaction,
                             const CollectionPtr& collection, const DocumentKey& key,
                             bool from_trash = false);

// An id for a document that has none.
std::string new_document_id(Random& random);

// Checks a body against the collection's specification and adds default values.
Result<Value> fit(const KuzzleCall& call, const Collection& collection, std::string_view id,
                  Value body, Extent extent);

// Objects are merged at every depth; other values are replaced.
Value merge_deeply(Value into, const Value& changes);

}  // namespace mayfly::kuzzle
