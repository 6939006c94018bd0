// The common parts of all edits of a transaction: opening the write of one document, and merging it
// into the overlay. Private to db/.
#pragma once

#include "db/write/transaction_state.h"

namespace mayfly {

inline Overlay& overlay(TransactionState& state) {
  return state.view.overlay();
}

tl::unexpected<Error> no_such_document(const DocumentKey& key);
tl::unexpected<Error> nothing_in_trash(const DocumentKey& key);
tl::unexpected<Error> is_under_hold(const DocumentKey& key);

// Fails with not_found if it is null, as a catalog answers for a missing collection.
Result<void> check_there(const CollectionPtr& collection);

// A copy of the document that owns its bytes.
std::shared_ptr<OwnedHead> own(const Document& document);

// The write of one document, with its current state. The address stays valid.
Result<Write*> open_write(TransactionState& state, const CollectionPtr& collection,
                          const DocumentKey& key);

// The living document as this transaction sees it; null if there is none, also if its own write had
// expired from the start.
const OwnedHead* living(const TransactionState& state, const Write& write);

// Puts the write into the overlay, so that this transaction reads it back.
Result<void> show(TransactionState& state, const Write& write);
// Removes this transaction's own entries of a document from the overlay, before it is written
// again.
Result<void> hide(TransactionState& state, const Write& write);

// Fails with exists if another living document has the same values in a unique index.
Result<void> check_unique(TransactionState& state, const Write& write,
                          const std::shared_ptr<const OwnedHead>& after);

// Counts the entries that are added and removed in indexes with several entries for a document.
// Fails with too_large if there are too many, or if one of any index is too long. To be called
// before anything has changed.
Result<void> count_entries(TransactionState& state, const Write& write,
                           const std::shared_ptr<const OwnedHead>& after);

// Shows to this transaction that the document removed at that instant is held, or no longer held;
// never(): the living document.
void show_hold(TransactionState& state, const Write& write, Instant removed_at, bool is_held);

// The life that came from there is now neither there nor in the trash.
void end_for_good(Write& write, Write::LifeOrigin origin, const std::string& author);

// A document in the trash leaves it, or is held: its own end is not waited for any more.
void stop_waiting_for_end(Write& write, const Document& removed);

// Fails with too_large if the transaction writes too many bytes with these. To be called before
// they are copied.
Result<void> count_bytes(TransactionState& state, std::size_t bytes);

// To be called before the trash is read or changed: if expired documents go there first, all deaths
// up to this transaction's now must have been recorded. Otherwise requests that and fails with
// contended.
Result<void> check_flushed(TransactionState& state, const Collection& collection);

}  // namespace mayfly
