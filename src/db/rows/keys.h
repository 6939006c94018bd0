// All keys that Mayfly writes: each decode function stands beside its encode function.
// docs/formats.md shows them with examples; keys_test.cc keeps the two consistent.
//
//   row        := 'm' meta
//               | 'd' collection key                    the newest version of a living document
//               | 'h' collection key 00 newest_first    a superseded version: ~written_at (u64)
//               | 't' collection key 00 newest_first    a removed document: ~removed_at (u64)
//               | 'i' collection index sort_key+ key    an index entry
//               | 'j' collection index sort_key+ key    one that has left the index
//               | 'q' collection queue instant key      what ends, in the order of its end
//               | 'f' collection written_at number      a feed event; number (u32) in its commit
//               | 'e' collection written_at number      logged ends; number (u32) of the last event
//                                                       (feed/logged_ends.h)
//               | 'l' collection key 00 newest_first    what is held: ~removed_at, or ~never of the
//                                                       living document
//               | 'p' collection number                 the record of a purge (u64)
//               | 'c' collection ledger                 counts of living documents, by their ends
//   meta       := 'f' format | 'c' clock floor | 'n' next id
//               | 'i' the data of dialects is internal (database_internal.cc)
//               | 'q' collection queue: how far it is published (expiry/watermarks.h)
//               | 'd' database | 'k' collection | 'x' collection that is dropped, not yet erased
//   collection, index, database := u32
//   key        := routing escaped (00 -> 00 FF, ended by 00 01), then the id; ids hold no NUL
//   queue      := 'a' At versions by death, or by written_at if that is later
//               | 'f' After versions by due instant | 'i' Inherit versions by written_at
//               | 't' removed documents by removed_at
//               | 'A' 'F' 'I' removed documents by their own end, as 'a' 'f' 'i'; behind the key
//                 stands 00 newest_first: ~removed_at (u64)
//   ledger     := 'c' written_at                       changes of one commit
//               | 's' order level number (i64)         a slot (ledger/slots.h)
//               | 'w'                                  what the slots hold
//   order      := as queue: 'a' | 'f' | 'i'; 'n' documents that never end
//   level      := u8
//   instant    := i64 with the sign bit flipped
//
// All numbers big-endian.
#pragma once

#include <optional>

#include "base/bytes.h"
#include "base/clock.h"
#include "db/catalog/catalog.h"
#include "db/rows/document.h"

namespace mayfly::keys {

// The encoded key of a document, as it follows the collection in rows.
Bytes encode(const DocumentKey& key);
// Fails with corrupt.
Result<DocumentKey> decode_document_key(BytesView encoded);
// The id within an encoded key. Everything before it: the routing, still escaped, and its end. Two
// documents have the same routing if and only if these bytes are equal.
std::string_view id_of(BytesView encoded);
BytesView routing_of(BytesView encoded);

enum class Table : char {
  meta = 'm',
  head = 'd',
  history = 'h',
  trash = 't',
  index = 'i',
  past = 'j',
  queue = 'q',
  feed = 'f',
  logged_ends = 'e',
  hold = 'l',
  purge = 'p',
  ledger = 'c'
};
inline constexpr Table collection_tables[] = {
    Table::head, Table::history,     Table::trash, Table::index, Table::past,  Table::queue,
    Table::feed, Table::logged_ends, Table::hold,  Table::purge, Table::ledger};
enum class Queue : char {
  at = 'a',
  after = 'f',
  inherit = 'i',
  trash = 't',
  trashed_at = 'A',
  trashed_after = 'F',
  trashed_inherit = 'I'
};
// The orders in which the ledger counts living documents: by the queue that holds their end, or
// `never` if they have no end.
enum class EndOrder : char {
  at = static_cast<char>(Queue::at),
  after = static_cast<char>(Queue::after),
  inherit = static_cast<char>(Queue::inherit),
  never = 'n'
};
// The queue of a removed document for the end that this queue held while it was living.
Queue in_trash(Queue queue);

Bytes format();
Bytes clock_floor();
Bytes next_id();
Bytes internal_names();
Bytes database(DatabaseId id);
Bytes collection(CollectionId id);
Bytes dropped(CollectionId id);
Bytes watermark(CollectionId id, Queue queue);
Bytes all_databases();  // the prefix of every database row; the others likewise
Bytes all_collections();
Bytes all_dropped();
Bytes all_watermarks();

// The prefix of all rows of one table of a collection.
Bytes table(Table table, CollectionId collection);
Bytes head(CollectionId collection, BytesView key);
Bytes history(CollectionId collection, BytesView key, Instant written_at);
Bytes history_of(CollectionId collection, BytesView key);  // prefix of one document's history
Bytes trash(CollectionId collection, BytesView key, Instant removed_at);
Bytes trash_of(CollectionId collection, BytesView key);
Bytes index(CollectionId collection, IndexId index);  // prefix of one index, …
Bytes past(CollectionId collection, IndexId index);   // … and of the entries that have left it
Bytes past_of(Bytes entry);                           // the key of that entry after it has left
Bytes queue(CollectionId collection, Queue queue);    // prefix of one queue
Bytes queue(CollectionId collection, Queue queue, Instant instant, BytesView key);
// For a queue of removed documents.
Bytes queue(CollectionId collection, Queue queue, Instant instant, BytesView key,
            Instant removed_at);
Bytes feed(CollectionId collection, Instant written_at, std::uint32_t number);
Bytes logged_ends(CollectionId collection, Instant written_at, std::uint32_t last_number);
// `removed_at` is never() for a living document.
Bytes hold(CollectionId collection, BytesView key, Instant removed_at);
Bytes purge(CollectionId collection, std::uint64_t number);

Bytes ledger_changes(CollectionId collection, Instant written_at);
// The prefix of all changes and of all slots.
Bytes ledger_changes(CollectionId collection);
Bytes ledger_slots(CollectionId collection);
Bytes ledger_slot(CollectionId collection, EndOrder order, std::uint8_t level, std::int64_t number);
Bytes ledger_state(CollectionId collection);

// The contents of the keys, behind the collection.
struct HistoryKey {
  BytesView key;
  Instant written_at;  // for trash rows: removed_at
};
struct QueueKey {
  Queue queue;
  Instant instant;
  BytesView key;
  Instant removed_at = Instant::never();  // in the queues of removed documents but `trash`
};
struct WatermarkKey {
  CollectionId collection;
  Queue queue;
};
struct FeedKey {
  Instant written_at;
  std::uint32_t number;
};
// Either the changes of a commit, or a slot.
struct LedgerKey {
  std::optional<Instant> written_at;  // set: changes
  EndOrder order = EndOrder::never;
  std::uint8_t level = 0;
  std::int64_t number = 0;
};
std::optional<CollectionId> collection_of(BytesView row_key);
// The part behind table and collection.
BytesView behind_collection(BytesView row_key);
std::optional<HistoryKey> decode_history(BytesView row_key);
std::optional<QueueKey> decode_queue(BytesView row_key);
std::optional<WatermarkKey> decode_watermark(BytesView row_key);
// Also for logged ends.
std::optional<FeedKey> decode_feed(BytesView row_key);
// Nothing for the ledger's state.
std::optional<LedgerKey> decode_ledger(BytesView row_key);
// For an index row: where the sort keys end and the document key begins (position in
// behind_collection after the index).
struct IndexKey {
  BytesView position;  // sort keys and document key
  BytesView sort_key;
  BytesView key;
};
std::optional<IndexKey> decode_index(BytesView row_key, const Index& index);

}  // namespace mayfly::keys
