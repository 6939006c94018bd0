// Edits of documents in the trash. Each edit succeeds as a whole or changes nothing. If a
// collection has partitions and a key names none, they find the removed document by its id.
#pragma once

#include <string>

#include "db/write/transaction.h"

namespace mayfly {

// Whether a body written over a removed document is a change of that document, or a new document.
enum class RevivedBody { changed, replaced };

// Writes a document over the last removed one of that key, which leaves the trash: a new version of
// the same life. Keep: VersionOrigin::by_itself gets the lifetime that Transaction::put would keep
// for a living document; a document that begins a new life, or replaces an expired one, gets that
// of a new document. A hold stays on a changed body. A replaced body leaves a held version in the
// trash with its hold, and the document is a new one.
// Fails with not_found if the trash has none, invalid if the body names another partition, else as
// Transaction::put.
Result<void> revive(Transaction& transaction, const CollectionPtr& collection,
                    const DocumentKey& key, Bytes packed, RevivedBody body,
                    const PutOptions& options);

// Puts the last removed document of that key into the trash again, as if it were removed now; it
// gets no new version and its death stays. Fails with not_found, also if it expired; with exists if
// a living document has its key; with forbidden if it is held.
Result<void> remove_again(Transaction& transaction, const CollectionPtr& collection,
                          const DocumentKey& key, const std::string& author);

}  // namespace mayfly
