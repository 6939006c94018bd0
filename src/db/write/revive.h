// Edits of what lies in the trash, each of which is one: it succeeds whole, or changes nothing.
// Where a collection has partitions and a key names none, they find what was removed by its id.
#pragma once

#include <string>

#include "db/write/transaction.h"

namespace mayfly {

// Whether a body that is written over a removed document is that document's, changed.
enum class RevivedBody { changed, replaced };

// Writes a document whole over the last removed one of that key, which leaves the trash: a new
// version of the same life. Keep: an Origin by itself gets what Transaction::put would keep of a
// living one; a document that begins again, or over an expired one, gets what a new document gets.
// A hold goes on with a changed body. A replaced one leaves a held version where it is, with its
// hold, and the document is a new one.
// Fails with not_found where the trash holds none, invalid where the body names another partition,
// else like Transaction::put.
Result<void> revive(Transaction& transaction, const CollectionPtr& collection,
                    const DocumentKey& key, Bytes packed, RevivedBody body,
                    const PutOptions& options);

// Puts the last removed document of that key into the trash again, as if it were removed now; it
// gets no new version and its death stays. Fails with not_found, also where it expired, exists
// where a living one has its key, forbidden where it is held.
Result<void> remove_again(Transaction& transaction, const CollectionPtr& collection,
                          const DocumentKey& key, const std::string& author);

}  // namespace mayfly
