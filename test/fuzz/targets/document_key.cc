// Keys of rows: their order is that of what they encode, and they decode to the same. Any bytes are
// refused or decoded within their bounds.
#include "db/rows/keys.h"
#include "fuzz.h"
#include "value/order/sort_key.h"
#include "values.h"

namespace mayfly::fuzz {
namespace {

constexpr CollectionId collection = 0x01020304;

DocumentKey take_key(Reader& in) {
  const std::size_t routing = in.u8() % 8;
  DocumentKey key;
  key.routing = in.take(std::min(routing, in.rest().size()));
  key.id = take_short_text(in);
  return key;
}

void check_document_keys(const DocumentKey& a, const DocumentKey& b) {
  const Bytes left = keys::encode(a), right = keys::encode(b);
  CHECK((left < right) == (a < b) && (left == right) == (a == b));
  const auto again = keys::decode_document_key(left);
  CHECK(again.has_value() && *again == a);
  CHECK(keys::id_of(left) == a.id);
  // With the terminator of ids, no key is a prefix of the key of another document.
  if (check(a) && check(b) && a != b) {
    CHECK(!keys::history_of(collection, left).starts_with(keys::history_of(collection, right)));
  }
}

void check_row_keys(const Bytes& key, const Bytes& other, Instant t, Instant later) {
  const Bytes history = keys::history(collection, key, t);
  CHECK(history.starts_with(keys::history_of(collection, key)));
  const auto of_history = keys::decode_history(history);
  CHECK(of_history && of_history->key == key && of_history->written_at == t);
  CHECK(keys::collection_of(history) == collection);
  // The newest comes first, as long as instants are those of commits: not before the epoch.
  if (t.micros >= 0 && later > t) CHECK(keys::history(collection, key, later) < history);

  const Bytes queued = keys::queue(collection, keys::Queue::at, t, key);
  const auto of_queue = keys::decode_queue(queued);
  CHECK(of_queue && of_queue->queue == keys::Queue::at && of_queue->instant == t);
  CHECK(of_queue->key == key);
  if (later > t) CHECK(queued < keys::queue(collection, keys::Queue::at, later, other));

  const Bytes event = keys::feed(collection, t, 7);
  const auto of_event = keys::decode_feed(event);
  CHECK(of_event && of_event->written_at == t && of_event->number == 7);
  if (later > t) CHECK(event < keys::feed(collection, later, 0));
  CHECK(event < keys::feed(collection, t, 8));
  for (const Bytes& row : {history, queued, event}) {
    const Bytes prefix = keys::table(static_cast<keys::Table>(row[0]), collection);
    CHECK(row.starts_with(prefix) && row < after_prefix(prefix));
  }
}

Index index_of(bool is_descending) {
  Index index;
  index.fields = {{Field::body("a"), is_descending}, {Field::body("b"), false}};
  return index;
}

void check_index_keys(const Bytes& key, const Value& a, const Value& b, bool is_descending) {
  Bytes row = keys::index(collection, 9);
  const std::size_t prefix = row.size();
  if (!put_sort_key(row, a, is_descending) || !put_sort_key(row, b)) return;
  const Bytes sort_key = row.substr(prefix);
  row += key;
  const auto decoded = keys::decode_index(row, index_of(is_descending));
  CHECK(decoded && decoded->sort_key == sort_key && decoded->key == key);
  CHECK(decoded->position == sort_key + key);
}

void check_any_bytes(BytesView bytes) {
  if (const auto key = keys::decode_document_key(bytes)) CHECK(keys::encode(*key) == bytes);
  CHECK(keys::id_of(bytes).size() <= bytes.size());
  if (const auto history = keys::decode_history(bytes)) {
    CHECK(keys::behind_collection(bytes).starts_with(history->key));
  }
  if (const auto queued = keys::decode_queue(bytes)) {
    const bool names_removal = !queued->removed_at.is_never();
    CHECK(names_removal || bytes.ends_with(queued->key));
  }
  keys::decode_feed(bytes);
  for (const bool is_descending : {false, true}) {
    const auto entry = keys::decode_index(bytes, index_of(is_descending));
    if (entry) CHECK(entry->sort_key.size() + entry->key.size() == entry->position.size());
  }
  const Bytes next = after_prefix(bytes);
  CHECK(next.empty() || (next > bytes && !next.starts_with(bytes)));
}

}  // namespace

void run(BytesView input) {
  check_any_bytes(input);
  Reader in(input);
  const bool is_descending = in.u8() % 2 == 1;
  const DocumentKey a = take_key(in), b = take_key(in);
  check_document_keys(a, b);
  check_document_keys(a, a);
  const Bytes key = keys::encode(a);
  const Instant t{in.i64()}, later{in.i64()};
  check_row_keys(key, keys::encode(b), t, later);
  const Value first = take_value(in);
  check_index_keys(key, first, take_value(in), is_descending);
}

}  // namespace mayfly::fuzz
