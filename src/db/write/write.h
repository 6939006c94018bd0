// What all edits of a transaction have in common: opening the write of one document, and laying it
// over what the store says. Private to db/.
#pragma once

#include "db/write/transaction_state.h"

namespace mayfly {

inline Overlay& overlay(TransactionState& state) {
  return state.view.overlay();
}

tl::unexpected<Error> no_such_document(const DocumentKey& key);
tl::unexpected<Error> nothing_in_trash(const DocumentKey& key);
tl::unexpected<Error> is_under_hold(const DocumentKey& key);

// Fails with not_found where it is null, as a catalog answers for a collection that is not there.
Result<void> check_there(const CollectionPtr& collection);

// The document with bytes of its own.
std::shared_ptr<OwnedHead> own(const Document& document);

// The write of one document, with what stands there now. The address stays good.
Result<Write*> open_write(TransactionState& state, const CollectionPtr& collection,
                          const DocumentKey& key);

// The document as it stands in this transaction; null where there is none, also where its own write
// was dead from the start.
const OwnedHead* living(const TransactionState& state, const Write& write);

// Lays the write over what the store says, so that this transaction reads it back.
Result<void> show(TransactionState& state, const Write& write);
// Takes this transaction's own entries of a document away again, before it is written anew.
Result<void> hide(TransactionState& state, const Write& write);

// Fails with exists where another living document has the same values of a unique index.
Result<void> check_unique(TransactionState& state, const Write& write,
                          const std::shared_ptr<const OwnedHead>& after);

// Counts the entries that come and go in indexes that may have many of one document. Fails with
// too_large where there are too many, or where one of any index is too long. To be asked before
// anything has changed.
Result<void> count_entries(TransactionState& state, const Write& write,
                           const std::shared_ptr<const OwnedHead>& after);

// Lets this transaction find under hold, or no longer, what was removed at that instant; never():
// what lives.
void show_hold(TransactionState& state, const Write& write, Instant removed_at, bool is_held);

// The life that came from there is neither there any more nor in the trash.
void end_for_good(Write& write, Write::Origin origin, const std::string& author);

// A document that lies in the trash goes, or is held: its own end is not waited for any more.
void end_no_more(Write& write, const Document& removed);

// Fails with too_large where the transaction writes too many bytes with these. To be asked before
// they are copied.
Result<void> count_bytes(TransactionState& state, std::size_t bytes);

// The trash is about to be read or changed: where the dead go there first, all deaths up to this
// transaction's now must have been recorded. Fails with contended otherwise, having asked for that.
Result<void> check_settled(TransactionState& state, const Collection& collection);

}  // namespace mayfly
