#include "db/write/write.h"

#include "base/limits.h"
#include "db/expiry/sweeper.h"
#include "db/rows/keys.h"

namespace mayfly {

tl::unexpected<Error> no_such_document(const DocumentKey& key) {
  return fail(Code::not_found, "there is no document with the id '" + key.id + "'", "id");
}

tl::unexpected<Error> nothing_in_trash(const DocumentKey& key) {
  return fail(Code::not_found, "the trash holds no document with the id '" + key.id + "'", "id");
}

tl::unexpected<Error> is_under_hold(const DocumentKey& key) {
  return fail(Code::forbidden, "the document with the id '" + key.id + "' is under hold", "id");
}

Result<void> check_there(const CollectionPtr& collection) {
  if (collection) return {};
  return fail(Code::not_found, "there is no such collection");
}

std::shared_ptr<OwnedHead> own(const Document& document) {
  auto owned = std::make_shared<OwnedHead>();
  owned->author = document.author;
  owned->updater = document.updater;
  owned->facet = document.facet;
  owned->hold = document.hold;
  owned->body = document.body.bytes();
  owned->lifetime = document.version.lifetime;
  owned->is_asked = document.lifetime_is_requested;
  owned->created_at = document.created_at;
  owned->revision = document.revision;
  return owned;
}

namespace {

// A death that the sweeper has not recorded yet still has its queue row, behind the watermark.
Result<bool> is_unrecorded(TransactionState& state, const Collection& collection,
                           const Document& expired) {
  const auto row = queue_row(collection, expired.key, expired.version);
  if (!row || state.sweeper->has_published(collection.id, row->key)) return false;
  return TRY(state.view.read({{row->key}, {}})).gets[0].present();
}

// The replaced documents stay in memory until the commit: index entries and history are made from
// them.
Result<void> count_held_bytes(TransactionState& state, std::size_t bytes) {
  state.held_bytes += bytes;
  if (state.held_bytes <= limits::transaction_bytes_max) return {};
  state.is_full = true;
  return fail(Code::too_large, "a transaction replaces or removes documents of at most " +
                                   std::to_string(limits::transaction_bytes_max) + " bytes");
}

}  // namespace

Result<Write*> open_write(TransactionState& state, const CollectionPtr& collection,
                          const DocumentKey& key) {
  TRY(check(key));
  Bytes encoded = keys::encode(key);
  const std::pair place{collection->id, encoded};
  if (const auto found = state.writes.find(place); found != state.writes.end()) {
    return &found->second;
  }
  if (state.writes.size() >= limits::transaction_rows_max) {
    state.is_full = true;
    return fail(Code::too_large, "a transaction writes at most " +
                                     std::to_string(limits::transaction_rows_max) + " documents");
  }
  state.used[collection->id] = collection;
  overlay(state).uses(collection->id, collection->row_version);
  store::ReadReply reply = TRY(state.view.read({{keys::head(collection->id, encoded)}, {}}));
  Write write{.collection = collection, .key = std::move(encoded)};
  const auto rows = std::make_shared<const store::Rows>(std::move(reply.gets));
  if ((*rows)[0].present()) {
    TRY(count_held_bytes(state, (*rows)[0].value.size()));
    write.before = TRY(records::head_document((*rows)[0], collection->policy, rows));
    write.before->computed = std::make_shared<ComputedValues>();
    write.was_alive = sees(state.view.live(), write.before->version, collection->policy);
    if (write.was_alive) {
      overlay(state).saw_alive_until(write.before->death);
      write.after = own(*write.before);
      write.origin = Write::LifeOrigin::before;
    } else if (goes_to_trash(
                   effective_time_of(write.before->death, write.before->version.written_at),
                   collection->policy)) {
      write.is_expired_to_trash = TRY(is_unrecorded(state, *collection, *write.before));
      // Its row in the trash's queue may be put before a position that the sweeper has passed.
      state.is_behind_sweeper = state.is_behind_sweeper || write.is_expired_to_trash;
    }
  }
  return &state.writes.emplace(place, std::move(write)).first->second;
}

const OwnedHead* living(const TransactionState& state, const Write& write) {
  if (!write.after) return nullptr;
  if (!write.is_rewritten && !write.is_restored) return write.after.get();
  const Instant now = state.view.now();
  const bool is_dead = death_of(now, write.after->lifetime, write.collection->policy) <= now;
  return is_dead ? nullptr : write.after.get();
}

namespace {

// The replaced version is still visible in the past: it is shown in the history, where the commit
// puts it (commit.cc).
void show_replaced(TransactionState& state, const Write& write) {
  if (!write.before || write.collection->policy.history.span == Span{0}) return;
  auto& rows = overlay(state).rows;
  Bytes row = keys::history(write.collection->id, write.key, write.before->version.written_at);
  const auto end = write.after ? records::End::replaced : records::End::removed;
  Bytes value;
  records::encode_history(end, records::head_of(*write.before), value);
  rows[std::move(row)] = std::move(value);
}

// Its entries have left the indexes. For reads of the past they are still candidates, also if the
// same entries are put again.
void show_entries_left(TransactionState& state, const Write& write) {
  if (!write.before) return;
  auto& rows = overlay(state).rows;
  const bool keeps_history = write.collection->policy.history.span > Span{0};
  for (Bytes& row : old_entries_of(*write.collection, *write.before)) {
    rows[row] = std::nullopt;
    if (keeps_history) rows[keys::past_of(std::move(row))].emplace();
  }
}

// Own edits have cancelled out, so the rows of the store are valid: also those of an expired
// version, which is still visible in the past.
void show_unchanged(TransactionState& state, const Write& write) {
  auto& rows = overlay(state).rows;
  const CollectionId id = write.collection->id;
  rows.erase(keys::head(id, write.key));
  if (!write.before) return;
  rows.erase(keys::history(id, write.key, write.before->version.written_at));
  for (Bytes& row : old_entries_of(*write.collection, *write.before)) {
    rows.erase(row);
    rows.erase(keys::past_of(std::move(row)));
  }
}

}  // namespace

Result<void> show(TransactionState& state, const Write& write) {
  if (!write.changes_document()) {
    show_unchanged(state, write);
    return {};
  }
  auto& rows = overlay(state).rows;
  const CollectionId id = write.collection->id;
  show_entries_left(state, write);
  show_replaced(state, write);
  auto& head = rows[keys::head(id, write.key)];
  head.reset();
  if (!write.after) return {};
  Bytes value;
  records::encode(write.after->head(), value);
  head = std::move(value);
  const Document document = document_of(write.collection, write.key, write.after, state.view.now());
  Bytes entry;
  records::encode_entry(write.after->lifetime, Instant::never(), entry);
  for (Bytes& row : TRY(entries_of(*write.collection, document))) rows[row] = entry;
  return {};
}

Result<void> hide(TransactionState& state, const Write& write) {
  if (!write.after) return {};
  const Document document = document_of(write.collection, write.key, write.after, state.view.now());
  for (Bytes& row : TRY(entries_of(*write.collection, document))) {
    overlay(state).rows[row] = std::nullopt;
  }
  return {};
}

Result<void> check_unique(TransactionState& state, const Write& write,
                          const std::shared_ptr<const OwnedHead>& after) {
  const Document document = document_of(write.collection, write.key, after, state.view.now());
  for (const Index& index : write.collection->indexes) {
    if (!TRY(is_taken(state.view, *write.collection, index, document))) continue;
    return fail(Code::exists,
                "another document has the same value of the unique index '" + index.name + "'",
                index.fields.front().render());
  }
  return {};
}

Result<void> count_entries(TransactionState& state, const Write& write,
                           const std::shared_ptr<const OwnedHead>& after) {
  const Collection& collection = *write.collection;
  std::optional<Document> coming;
  if (after) coming = document_of(write.collection, write.key, after, state.view.now());
  std::size_t bytes = 0;
  for (const Index& index : collection.indexes) {
    std::vector<Bytes> rows;
    if (coming) rows = TRY(entries_in(collection, index, *coming));
    if (!has_items(index)) continue;
    for (const Bytes& row : rows) bytes += row.size();
    if (!write.before) continue;
    rows = entries_in(collection, index, *write.before).value_or(std::vector<Bytes>());
    for (const Bytes& row : rows) bytes += row.size();
  }
  return bytes == 0 ? Result<void>() : count_bytes(state, bytes);
}

void show_hold(TransactionState& state, const Write& write, Instant removed_at, bool is_held) {
  auto& row = overlay(state).rows[keys::hold(write.collection->id, write.key, removed_at)];
  row.reset();
  if (is_held) row.emplace();
}

void end_for_good(Write& write, Write::LifeOrigin origin, const std::string& author) {
  if (origin == Write::LifeOrigin::before) write.removed_by = author;
  if (origin == Write::LifeOrigin::trash) write.forgotten.push_back({write.restored, author});
}

void stop_waiting_for_end(Write& write, const Document& removed) {
  const auto row = queue_row_in_trash(*write.collection, write.key, removed.version);
  if (row) write.ends_of_trash.insert(row->key);
}

Result<void> count_bytes(TransactionState& state, std::size_t bytes) {
  state.bytes += bytes;
  if (state.bytes <= limits::transaction_bytes_max) return {};
  state.is_full = true;
  return fail(Code::too_large, "a transaction writes at most " +
                                   std::to_string(limits::transaction_bytes_max) + " bytes");
}

Result<void> check_flushed(TransactionState& state, const Collection& collection) {
  if (collection.policy.expired_to_trash_since.is_never()) return {};
  if (state.sweeper->has_recorded(collection.id, state.view.now())) return {};
  state.to_flush = collection.id;
  return fail(Code::contended, "deaths of the collection are still to be recorded");
}

}  // namespace mayfly
