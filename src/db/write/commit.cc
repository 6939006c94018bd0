// Turns a transaction into the rows of one atomic commit, once its instant is known.
#include <algorithm>
#include <unordered_set>

#include "db/ledger/changes.h"
#include "db/rows/keys.h"
#include "db/write/rules/body_lifetime.h"
#include "db/write/write.h"

namespace mayfly {
namespace {

// Collects the batch of one commit at one instant.
class BatchBuilder {
 public:
  BatchBuilder(Instant written_at, store::CommitBatch& batch, std::vector<ScheduledEnd>& ends)
      : written_at_(written_at), batch_(batch), ends_(ends) {}

  Result<void> add(const Write& write) {
    const Collection& collection = *write.collection;
    if (write.changes_document()) {
      if (write.before) end_before(write);
      if (write.after) TRY(put_after(write));
    }
    if (write.to_trash) put_trash(write);
    for (const Instant removed_at : write.out_of_trash) {
      remove(keys::trash(collection.id, write.key, removed_at));
      remove(keys::queue(collection.id, keys::Queue::trash, removed_at, write.key));
    }
    TRY(put_holds(write));
    remove_ends_of_trash(write);
    put_events(write);
    return {};
  }

  std::vector<Bytes> take_left_entries() { return std::move(left_entries_); }

  // Puts the changes of ledgers, one row for each collection. Returns how many entries each row
  // has.
  std::map<CollectionId, std::size_t> put_ledgers() {
    std::map<CollectionId, std::size_t> changed;
    for (auto& [id, changes] : ledgers_) {
      const std::size_t seconds = changes.sum_up();
      if (seconds == 0) continue;
      put(keys::ledger_changes(id, written_at_), changes.encode());
      changed.emplace(id, seconds);
    }
    return changed;
  }

 private:
  void put(Bytes key, Bytes value) { batch_.puts.push_back({std::move(key), std::move(value)}); }
  void remove(Bytes key) { batch_.removals.push_back(std::move(key)); }

  // The previous version ends now; or it has already expired, and its place is needed. Then its
  // death is still to be published, so its queue row stays for the sweeper.
  void end_before(const Write& write) {
    const Collection& collection = *write.collection;
    const Document& before = *write.before;
    if (collection.policy.history.span > Span{0}) {
      Bytes value;
      const auto end = write.after ? records::End::replaced : records::End::removed;
      records::encode_history(end, records::head_of(before), value);
      put(keys::history(collection.id, write.key, before.version.written_at), std::move(value));
    }
    if (write.is_expired_to_trash) put_expired(collection, before, batch_, ends_);
    if (write.was_alive) {
      if (auto row = queue_row(collection, write.key, before.version)) {
        remove(std::move(row->key));
      }
      count(collection, before.version, -1);
    }
    if (!write.after) remove(keys::head(collection.id, write.key));
    for (Bytes& row : old_entries_of(collection, before)) {
      if (collection.policy.history.span > Span{0}) left_entries_.push_back(row);
      remove(std::move(row));
    }
  }

  Result<void> put_after(const Write& write) {
    const Collection& collection = *write.collection;
    Bytes value;
    value.reserve(write.after->body.size() + 64);
    records::encode(write.after->head(), value);
    put(keys::head(collection.id, write.key), std::move(value));
    Bytes entry;
    records::encode_entry(write.after->lifetime, Instant::never(), entry);
    const Document document = document_of(write.collection, write.key, write.after, written_at_);
    for (Bytes& row : TRY(entries_of(collection, document))) put(std::move(row), entry);
    const Version version{.written_at = written_at_, .lifetime = write.after->lifetime};
    if (auto row = queue_row(collection, write.key, version)) {
      batch_.puts.push_back(std::move(*row));
    }
    count(collection, version, 1);
    const Instant death = death_of(version, collection.policy);
    if (!death.is_never()) ends_.push_back({collection.id, std::max(death, written_at_)});
    return {};
  }

  void count(const Collection& collection, const Version& version, int by) {
    const EndPosition place = end_position_of(version);
    ledgers_[collection.id].add(place.order, place.end, by);
  }

  void put_trash(const Write& write) {
    const Collection& collection = *write.collection;
    Bytes value;
    // Limited to the commit's own instant: a removal may follow so soon that the version has no
    // earlier instant.
    records::encode_trash(records::End::removed, std::min(write.to_trash->written_at, written_at_),
                          write.to_trash->head->head(), value);
    put(keys::trash(collection.id, write.key, written_at_), std::move(value));
    if (collection.policy.trash.span != Span::infinite()) {
      ends_.push_back({collection.id, written_at_ + collection.policy.trash.span});
    }
    const OwnedHead& head = *write.to_trash->head;
    put_ends_in_trash(write, {.written_at = std::min(write.to_trash->written_at, written_at_),
                              .lifetime = head.is_held() ? Lifetime(Never{}) : head.lifetime,
                              .removed_at = written_at_});
  }

  // Except for ends that are waited for again: a hold may be set and released in one transaction.
  void remove_ends_of_trash(const Write& write) {
    for (const Bytes& row : write.ends_of_trash) {
      if (!own_ends_.contains(row)) remove(row);
    }
  }

  // Puts the end of its time in the trash, and its own end, which is still waited for there.
  void put_ends_in_trash(const Write& write, const Version& removed) {
    const Collection& collection = *write.collection;
    const Bytes end = keys::queue(collection.id, keys::Queue::trash, removed.removed_at, write.key);
    auto own_end = queue_row_in_trash(collection, write.key, removed);
    if (!own_end) return put(end, {});
    put(end, queue_position(own_end->key));
    own_ends_.insert(own_end->key);
    batch_.puts.push_back(std::move(*own_end));
    const Instant death = death_of(removed, collection.policy);
    if (!death.is_never()) ends_.push_back({collection.id, std::max(death, written_at_)});
  }

  Result<void> put_holds(const Write& write) {
    const CollectionId id = write.collection->id;
    if (write.has_hold())
      put_hold(id, write.key, Instant::never(), write.after && write.after->is_held());
    // A restored document is held in its new place.
    for (const Instant removed_at : write.released) put_hold(id, write.key, removed_at, false);
    for (const auto& [removed_at, row] : write.in_trash) {
      put(keys::trash(id, write.key, removed_at), row.value);
      put_hold(id, write.key, removed_at, row.is_held);
      if (row.is_held) {
        put(keys::queue(id, keys::Queue::trash, removed_at, write.key), Bytes(1, held_flag));
        continue;
      }
      const records::Trash trash = TRY(records::decode_trash(row.value));
      put_ends_in_trash(write, {.written_at = trash.written_at,
                                .lifetime = trash.head.lifetime,
                                .removed_at = removed_at});
    }
    return {};
  }

  void put_hold(CollectionId id, BytesView key, Instant removed_at, bool is_held) {
    Bytes row = keys::hold(id, key, removed_at);
    if (is_held) return put(std::move(row), {});
    remove(std::move(row));
  }

  void put_events(const Write& write) {
    if (write.collection->policy.feed.span == Span{0}) return;
    if (write.changes_document()) {
      if (write.after) {
        const auto kind = write.was_alive     ? Event::Kind::replaced
                          : write.is_restored ? Event::Kind::restored
                                              : Event::Kind::created;
        put_event(write, kind, written_at_);
      } else if (write.was_alive) {
        put_event(write, Event::Kind::removed, write.before->version.written_at);
      }
    }
    for (const Write::Forgotten& forgotten : write.forgotten) {
      put_event(write, Event::Kind::forgotten, forgotten.version.removed_at);
    }
  }

  void put_event(const Write& write, Event::Kind kind, Instant version_at) {
    Bytes value;
    encode_event(kind, write.key, version_at, Instant::never(), value);
    put(keys::feed(write.collection->id, written_at_, number_++), std::move(value));
  }

  Instant written_at_;
  store::CommitBatch& batch_;
  std::vector<Bytes>
      left_entries_;          // entries of versions that end, in collections that keep history
  std::set<Bytes> own_ends_;  // rows of queues for own ends in the trash that the batch puts
  std::vector<ScheduledEnd>& ends_;
  std::map<CollectionId, ledger::Changes> ledgers_;
  std::uint32_t number_ = 0;
};

// Does not remove a row that is also put, whichever came first. An entry that is not put again has
// left the index.
void drop_contradictions(store::CommitBatch& batch, std::vector<Bytes> left) {
  std::unordered_set<BytesView> put;
  for (const store::Put& p : batch.puts) put.insert(p.key);
  const auto is_put = [&put](const Bytes& key) { return put.contains(key); };
  std::erase_if(batch.removals, is_put);
  std::erase_if(left, is_put);
  for (Bytes& row : left) batch.puts.push_back({keys::past_of(std::move(row)), {}});
}

// Whether only removals and their events and records are written.
bool takes_less_space(const TransactionState& transaction) {
  if (!transaction.raw_puts.empty()) return false;
  for (const auto& [place, write] : transaction.writes) {
    if (write.after && write.changes_document()) return false;
  }
  return true;
}

// For each document the trash has one place at one instant: a version that has expired at its own
// commit takes the place of the version that the same commit has removed.
void clear_slot_in_trash(Write& write, Instant at) {
  if (!write.to_trash || !write.after) return;
  const Policy& policy = write.collection->policy;
  if (death_of(at, write.after->lifetime, policy) > at || !goes_to_trash(at, policy)) return;
  end_for_good(write, write.to_trash->origin, write.after->updater);
  write.to_trash.reset();
}

}  // namespace

void put_expired(const Collection& collection, const Document& expired, store::CommitBatch& batch,
                 std::vector<ScheduledEnd>& ends) {
  Bytes value;
  const Instant effective_at = effective_time_of(expired.death, expired.version.written_at);
  records::Head head = records::head_of(expired);
  const bool is_specified = !head.is_asked && specifies_span(expired.body, head.lifetime);
  const auto end = is_specified ? records::End::expired_as_specified : records::End::expired;
  head.lifetime = Never{};  // its lifetime has had its effect
  records::encode_trash(end, expired.version.written_at, head, value);
  batch.puts.push_back({keys::trash(collection.id, expired.key, effective_at), std::move(value)});
  batch.puts.push_back(
      {keys::queue(collection.id, keys::Queue::trash, effective_at, expired.key), Bytes()});
  if (collection.policy.trash.span == Span::infinite()) return;
  ends.push_back({collection.id, effective_at + collection.policy.trash.span});
}

Result<store::CommitBatch> batch_of(TransactionState& transaction, Instant written_at,
                                    std::vector<ScheduledEnd>& ends) {
  for (auto& [place, write] : transaction.writes) clear_slot_in_trash(write, written_at);
  store::CommitBatch batch;
  batch.version = records::to_version(written_at);
  batch.since = transaction.since;
  if (takes_less_space(transaction)) batch.space = store::CommitBatch::Space::less;
  BatchBuilder builder(written_at, batch, ends);
  for (const auto& [place, write] : transaction.writes) TRY(builder.add(write));
  transaction.ledger_changes = builder.put_ledgers();
  batch.puts.insert(batch.puts.end(), transaction.raw_puts.begin(), transaction.raw_puts.end());
  if (!batch.removals.empty()) drop_contradictions(batch, builder.take_left_entries());
  return batch;
}

void raise_commit_numbers(const TransactionState& transaction, Instant at) {
  const Collection* raised = nullptr;
  for (const auto& [place, write] : transaction.writes) {
    if (raised != nullptr && raised->id == place.first) continue;
    raised = write.collection.get();
    raised->commits->raise(at);
  }
}

std::vector<PurgedVersion> purged_by(const TransactionState& transaction, CollectionId id,
                                     Instant at) {
  using How = PurgedVersion::How;
  std::vector<PurgedVersion> purged;
  for (const auto& [place, write] : transaction.writes) {
    if (place.first != id) continue;
    if (write.removed_by) {
      const Instant written_at = write.before->version.written_at;
      purged.push_back({How::removed, write.key, written_at, at, *write.removed_by});
    }
    for (const auto& [version, by] : write.forgotten) {
      purged.push_back({How::erased, write.key, version.written_at, version.removed_at, by});
    }
  }
  return purged;
}

Document document_of(const CollectionPtr& collection, BytesView key,
                     std::shared_ptr<const OwnedHead> head, Instant written_at) {
  struct Kept {
    Bytes key;
    std::shared_ptr<const OwnedHead> head;
  };
  auto kept = std::make_shared<Kept>(Kept{Bytes(key), std::move(head)});
  Document d;
  d.key = kept->key;
  d.id = keys::id_of(d.key);
  d.version = {.written_at = written_at, .lifetime = kept->head->lifetime};
  d.death = death_of(d.version, collection->policy);
  d.created_at = kept->head->created_at.is_never() ? written_at : kept->head->created_at;
  d.revision = kept->head->revision;
  d.author = kept->head->author;
  d.updater = kept->head->updater;
  d.facet = kept->head->facet;
  d.hold = kept->head->hold;
  d.body = Packed(kept->head->body);
  d.computed = kept->head->computed.values;
  d.keeps = std::move(kept);
  return d;
}

EndPosition end_position_of(const Version& version) {
  struct PositionOf {
    Instant written_at;
    EndPosition operator()(Inherit) const { return {keys::EndOrder::inherit, written_at}; }
    EndPosition operator()(Never) const { return {}; }
    EndPosition operator()(After after) const {
      return {keys::EndOrder::after, written_at.floor_second() + after.span};
    }
    // A version that has expired when it is written is put at its writing: so no row is ever put
    // before one that has been swept, nor over one that is still to be published.
    EndPosition operator()(At at) const {
      return {keys::EndOrder::at, std::max(at.instant, written_at)};
    }
  };
  return std::visit(PositionOf{version.written_at}, version.lifetime);
}

std::optional<store::Put> queue_row(const Collection& collection, BytesView key,
                                    const Version& version) {
  const EndPosition place = end_position_of(version);
  if (place.order == keys::EndOrder::never) return std::nullopt;
  const auto queue = static_cast<keys::Queue>(place.order);
  store::Put row{keys::queue(collection.id, queue, place.end, key), {}};
  const At* at = std::get_if<At>(&version.lifetime);
  if (at && at->instant < version.written_at) put_i64(row.value, at->instant.micros);
  return row;
}

std::optional<store::Put> queue_row_in_trash(const Collection& collection, BytesView key,
                                             const Version& removed) {
  const auto row = queue_row(collection, key, removed);
  if (!row) return std::nullopt;
  const auto place = keys::decode_queue(row->key);
  return store::Put{keys::queue(collection.id, keys::in_trash(place->queue), place->instant, key,
                                removed.removed_at),
                    {}};
}

Bytes queue_position(BytesView row) {
  return Bytes(keys::behind_collection(row).substr(0, queue_position_bytes));
}

Bytes own_end_of(CollectionId collection, const keys::QueueKey& entry, BytesView value) {
  if (entry.queue != keys::Queue::trash || value.size() != queue_position_bytes) return {};
  Reader in(value);
  const auto queue = static_cast<keys::Queue>(in.u8());
  return keys::queue(collection, queue, Instant{in.i64()}, entry.key, entry.instant);
}

}  // namespace mayfly
