#include "db/rows/keys.h"

#include "value/order/sort_key.h"

namespace mayfly::keys {
namespace {

// The letter of a table and the id of a collection: the prefix of every row of a collection.
constexpr std::size_t collection_prefix_bytes = 5;

Bytes newest_first(Table table, CollectionId collection, BytesView key, Instant instant) {
  Bytes row = keys::table(table, collection);
  row.append(key);
  row.push_back('\0');
  put_u64(row, ~static_cast<std::uint64_t>(instant.micros));
  return row;
}

Bytes versions_of(Table table, CollectionId collection, BytesView key) {
  Bytes row = keys::table(table, collection);
  row.append(key);
  row.push_back('\0');
  return row;
}

Bytes meta(char kind) {
  return {static_cast<char>(Table::meta), kind};
}

Bytes meta(char kind, std::uint32_t id) {
  Bytes row = meta(kind);
  put_u32(row, id);
  return row;
}

}  // namespace

Bytes encode(const DocumentKey& key) {
  Bytes encoded;
  encoded.reserve(key.routing.size() + key.id.size() + 2);
  put_escaped(encoded, key.routing);
  encoded.append(key.id);
  return encoded;
}

Result<DocumentKey> decode_document_key(BytesView encoded) {
  Reader in(encoded);
  DocumentKey key;
  key.routing = in.escaped();
  key.id = in.rest();
  if (!in.ok()) return fail(Code::corrupt, "a document key in the store is damaged");
  return key;
}

std::string_view id_of(BytesView encoded) {
  Reader in(encoded);
  in.escaped_raw();
  return in.rest();
}

BytesView routing_of(BytesView encoded) {
  return encoded.substr(0, encoded.size() - id_of(encoded).size());
}

Bytes format() {
  return meta('f');
}
Bytes clock_floor() {
  return meta('c');
}
Bytes next_id() {
  return meta('n');
}
Bytes internal_names() {
  return meta('i');
}
Bytes database(DatabaseId id) {
  return meta('d', id);
}
Bytes collection(CollectionId id) {
  return meta('k', id);
}
Bytes dropped(CollectionId id) {
  return meta('x', id);
}
Bytes watermark(CollectionId id, Queue queue) {
  Bytes row = meta('q', id);
  row.push_back(static_cast<char>(queue));
  return row;
}
Bytes all_databases() {
  return meta('d');
}
Bytes all_collections() {
  return meta('k');
}
Bytes all_dropped() {
  return meta('x');
}
Bytes all_watermarks() {
  return meta('q');
}

Bytes table(Table table, CollectionId collection) {
  Bytes row;
  row.reserve(64);
  row.push_back(static_cast<char>(table));
  put_u32(row, collection);
  return row;
}

Bytes head(CollectionId collection, BytesView key) {
  Bytes row = table(Table::head, collection);
  row.append(key);
  return row;
}

Bytes history(CollectionId collection, BytesView key, Instant written_at) {
  return newest_first(Table::history, collection, key, written_at);
}
Bytes history_of(CollectionId collection, BytesView key) {
  return versions_of(Table::history, collection, key);
}
Bytes trash(CollectionId collection, BytesView key, Instant removed_at) {
  return newest_first(Table::trash, collection, key, removed_at);
}
Bytes trash_of(CollectionId collection, BytesView key) {
  return versions_of(Table::trash, collection, key);
}

Bytes index(CollectionId collection, IndexId index) {
  Bytes row = table(Table::index, collection);
  put_u32(row, index);
  return row;
}

Bytes past(CollectionId collection, IndexId index) {
  return past_of(keys::index(collection, index));
}

Bytes past_of(Bytes entry) {
  entry[0] = static_cast<char>(Table::past);
  return entry;
}

Bytes queue(CollectionId collection, Queue queue) {
  Bytes row = table(Table::queue, collection);
  row.push_back(static_cast<char>(queue));
  return row;
}

Bytes queue(CollectionId collection, Queue queue, Instant instant, BytesView key) {
  Bytes row = keys::queue(collection, queue);
  put_i64(row, instant.micros);
  row.append(key);
  return row;
}

Bytes queue(CollectionId collection, Queue queue, Instant instant, BytesView key,
            Instant removed_at) {
  Bytes row = keys::queue(collection, queue, instant, key);
  row.push_back('\0');
  put_u64(row, ~static_cast<std::uint64_t>(removed_at.micros));
  return row;
}

Queue in_trash(Queue queue) {
  switch (queue) {
    case Queue::at: return Queue::trashed_at;
    case Queue::after: return Queue::trashed_after;
    case Queue::inherit: return Queue::trashed_inherit;
    case Queue::trash:
    case Queue::trashed_at:
    case Queue::trashed_after:
    case Queue::trashed_inherit: break;
  }
  return queue;
}

Bytes feed(CollectionId collection, Instant written_at, std::uint32_t number) {
  Bytes row = table(Table::feed, collection);
  put_i64(row, written_at.micros);
  put_u32(row, number);
  return row;
}

Bytes logged_ends(CollectionId collection, Instant written_at, std::uint32_t last_number) {
  Bytes row = feed(collection, written_at, last_number);
  row[0] = static_cast<char>(Table::logged_ends);
  return row;
}

Bytes hold(CollectionId collection, BytesView key, Instant removed_at) {
  return newest_first(Table::hold, collection, key, removed_at);
}
Bytes purge(CollectionId collection, std::uint64_t number) {
  Bytes row = table(Table::purge, collection);
  put_u64(row, number);
  return row;
}

namespace {

constexpr char ledger_changes_kind = 'c';
constexpr char ledger_slot_kind = 's';

Bytes ledger(CollectionId collection, char kind) {
  Bytes row = table(Table::ledger, collection);
  row.push_back(kind);
  return row;
}

}  // namespace

Bytes ledger_changes(CollectionId collection) {
  return ledger(collection, ledger_changes_kind);
}
Bytes ledger_changes(CollectionId collection, Instant written_at) {
  Bytes row = ledger_changes(collection);
  put_i64(row, written_at.micros);
  return row;
}
Bytes ledger_slots(CollectionId collection) {
  return ledger(collection, ledger_slot_kind);
}
Bytes ledger_slot(CollectionId collection, EndOrder order, std::uint8_t level,
                  std::int64_t number) {
  Bytes row = ledger_slots(collection);
  row.push_back(static_cast<char>(order));
  row.push_back(static_cast<char>(level));
  put_i64(row, number);
  return row;
}
Bytes ledger_state(CollectionId collection) {
  return ledger(collection, 'w');
}

std::optional<CollectionId> collection_of(BytesView row_key) {
  if (row_key.empty() || row_key[0] == static_cast<char>(Table::meta)) return std::nullopt;
  Reader in(row_key.substr(1));
  const CollectionId id = in.u32();
  if (!in.ok()) return std::nullopt;
  return id;
}

BytesView behind_collection(BytesView row_key) {
  return row_key.substr(std::min(collection_prefix_bytes, row_key.size()));
}

std::optional<HistoryKey> decode_history(BytesView row_key) {
  const BytesView rest = behind_collection(row_key);
  constexpr std::size_t tail = 1 + sizeof(std::uint64_t);
  if (rest.size() < tail) return std::nullopt;
  const BytesView key = rest.substr(0, rest.size() - tail);
  Reader in(rest.substr(key.size() + 1));
  return HistoryKey{key, Instant{static_cast<std::int64_t>(~in.u64())}};
}

std::optional<QueueKey> decode_queue(BytesView row_key) {
  Reader in(behind_collection(row_key));
  const auto queue = static_cast<Queue>(in.u8());
  const Instant instant{in.i64()};
  if (!in.ok()) return std::nullopt;
  const bool names_removal = queue != Queue::trash && in_trash(queue) == queue;
  if (!names_removal) return QueueKey{queue, instant, in.rest()};
  const auto removed = decode_history(row_key);
  const BytesView rest = in.rest();
  constexpr std::size_t tail = 1 + sizeof(std::uint64_t);
  if (!removed || rest.size() < tail) return std::nullopt;
  return QueueKey{queue, instant, rest.substr(0, rest.size() - tail), removed->written_at};
}

std::optional<WatermarkKey> decode_watermark(BytesView row_key) {
  Reader in(row_key.substr(std::min(all_watermarks().size(), row_key.size())));
  const CollectionId collection = in.u32();
  const auto queue = static_cast<Queue>(in.u8());
  if (!in.done()) return std::nullopt;
  return WatermarkKey{collection, queue};
}

std::optional<FeedKey> decode_feed(BytesView row_key) {
  Reader in(behind_collection(row_key));
  const Instant written_at{in.i64()};
  const std::uint32_t number = in.u32();
  if (!in.ok()) return std::nullopt;
  return FeedKey{written_at, number};
}

std::optional<LedgerKey> decode_ledger(BytesView row_key) {
  Reader in(behind_collection(row_key));
  const char kind = static_cast<char>(in.u8());
  LedgerKey key;
  if (kind == ledger_changes_kind) {
    key.written_at = Instant{in.i64()};
  } else if (kind == ledger_slot_kind) {
    key.order = static_cast<EndOrder>(in.u8());
    key.level = in.u8();
    key.number = in.i64();
  }
  if (!in.done() || kind == 'w') return std::nullopt;
  return key;
}

std::optional<IndexKey> decode_index(BytesView row_key, const Index& index) {
  Reader in(behind_collection(row_key));
  in.u32();
  const BytesView position = in.rest();
  for (const IndexField& field : index.fields) skip_sort_key(in, field.is_descending);
  if (!in.ok()) return std::nullopt;
  const BytesView key = in.rest();
  return IndexKey{position, position.substr(0, position.size() - key.size()), key};
}

}  // namespace mayfly::keys
