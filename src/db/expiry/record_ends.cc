#include "db/expiry/record_ends.h"

#include <algorithm>
#include <set>

#include "base/service/kill_point.h"
#include "db/limits.h"

namespace mayfly {
namespace {

bool needs_head(const Collection& collection, const DueEnd& due) {
  return !due.is_of_trash() && !is_only_published(collection, due);
}

// Of an end in one of the published queues.
std::size_t queue_of(const DueEnd& due) {
  const auto place = std::ranges::find(published_queues, due.queue);
  return static_cast<std::size_t>(place - published_queues.begin());
}

bool goes_to_trash(const Collection& collection, const DueEnd& due) {
  return !due.is_of_trash() && mayfly::goes_to_trash(due.effective_at, collection.policy);
}

class Recorder {
 public:
  // `has_own_ends`: some of the ends that are added are own ends in the trash.
  Recorder(const Collection& collection, const Watermarks::Rows& published, Instant now,
           bool has_own_ends, std::vector<ScheduledEnd>& ends)
      : collection_(collection), now_(now), has_own_ends_(has_own_ends), ends_(ends) {
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      if (!published[i].empty()) reached_[i] = published[i] + '\0';
    }
  }

  // Nothing can change such a row or one before it any more, so nothing is guarded: a commit that
  // changes a version is earlier than the version's death, and was therefore read
  // (docs/decisions/0008).
  void add_published(const DueEnd& due) {
    publish(due, Event::Kind::expired);
    KILL_POINT("sweep.between_event_and_removal");
    note_purged(due, PurgedVersion::How::expired);
    advance_watermark(due);
  }

  // A restoration or a hold of the document changes its row of the queue.
  void add_out_of_trash(const DueEnd& due) {
    store::CommitBatch& batch = recorded_.batch;
    const Bytes place = keys::trash(collection_.id, due.key, due.version.removed_at);
    if (has_own_ends_ && !ended_.insert(place).second) return;  // by its own end
    batch.points.push_back({due.row, due.row_version});
    batch.removals.push_back(due.row);
    // If the document's time in the trash is over, compaction drops the row of its own end.
    const bool is_evicted = forgettable_at(due.version, collection_.policy) > now_;
    if (is_evicted && !due.own_end.empty()) remove_own_end(due.own_end);
    batch.removals.push_back(place);
    forget(due);
  }

  // Adds an own end that comes before the time in the trash is over. `entry` is the queue row of
  // that time: a restoration or a hold of the document changes that row.
  void add_own_end(const DueEnd& due, const store::Row& entry) {
    store::CommitBatch& batch = recorded_.batch;
    const Bytes place = keys::trash(collection_.id, due.key, due.version.removed_at);
    if (ended_.contains(place)) return;  // with the end of its time in the trash
    batch.points.push_back({due.row, due.row_version});
    batch.points.push_back({Bytes(entry.key), entry.version});
    remove_own_end(due.row);
    const auto waits = keys::decode_queue(entry.key);
    if (own_end_of(collection_.id, *waits, entry.value) != due.row) return;
    ended_.insert(place);
    batch.removals.push_back(Bytes(entry.key));
    batch.removals.push_back(place);
    forget(due);
  }

  Result<void> add(const DueEnd& due, const store::Row& head) {
    store::CommitBatch& batch = recorded_.batch;
    batch.points.push_back({due.row, due.row_version});
    batch.points.push_back({Bytes(head.key), head.version});
    batch.removals.push_back(due.row);
    publish(due, Event::Kind::expired);
    advance_watermark(due);
    KILL_POINT("sweep.between_event_and_removal");
    const bool is_there = head.version == due.row_version;
    if (!mayfly::goes_to_trash(due.effective_at, collection_.policy)) {
      note_purged(due, PurgedVersion::How::expired);
    } else if (is_there && !is_over(due)) {
      TRY(move_to_trash(head));
    }
    // Another version may have replaced it by now; and versions that history keeps are left to
    // compaction.
    if (!is_there || collection_.policy.history.span > Span{0}) return {};
    const Document document = TRY(records::head_document(head, collection_.policy, nullptr));
    batch.removals.push_back(Bytes(head.key));
    for (Bytes& row : old_entries_of(collection_, document)) {
      batch.removals.push_back(std::move(row));
    }
    return {};
  }

  // For a document that goes to the trash first: its time there may already be over. Then its purge
  // is published here, unless its row in the trash's queue is still waiting: a write to the same
  // key may have moved it there.
  void add_trash_entry(const DueEnd& due, const store::Row& entry) {
    recorded_.batch.points.push_back({Bytes(entry.key), entry.version});
    if (!is_over(due) || entry.present()) return;
    publish(due, Event::Kind::forgotten);
    note_purged(due, PurgedVersion::How::out_of_trash);
  }

  RecordedEnds take() {
    put_logged();
    return std::move(recorded_);
  }

 private:
  // Both ends may come in one commit, and both remove this row.
  void remove_own_end(const Bytes& row) {
    if (has_own_ends_ && !own_ends_.insert(row).second) return;
    recorded_.batch.removals.push_back(row);
  }

  bool is_over(const DueEnd& due) const {
    const Version removed{
        .written_at = due.version.written_at, .lifetime = Never{}, .removed_at = due.effective_at};
    return forgettable_at(removed, collection_.policy) <= now_;
  }

  Result<void> move_to_trash(const store::Row& head) {
    const Document document = TRY(records::head_document(head, collection_.policy, nullptr));
    put_expired(collection_, document, recorded_.batch, ends_);
    return {};
  }

  void advance_watermark(const DueEnd& due) {
    const std::size_t queue = queue_of(due);
    recorded_.watermarks[queue] = std::max(recorded_.watermarks[queue], due.row);
  }

  // An end before the start of the feed is not published, however late its row is read.
  void publish(const DueEnd& due, Event::Kind kind) {
    const Retention& feed = collection_.policy.feed;
    if (feed.span == Span{0} || due.effective_at <= feed.since) {
      put_logged();
      if (kind == Event::Kind::expired) reached_[queue_of(due)] = due.row + '\0';
      return;
    }
    if (kind == Event::Kind::expired && is_only_published(collection_, due)) return log(due);
    put_logged();
    put_event(due, kind);
  }

  // The events of one row have consecutive numbers, and its ends are consecutive rows of each
  // queue.
  void log(const DueEnd& due) {
    const DeathRule rule = rule_of(due);
    DeathRule& of_queue = rules_[queue_of(due)];
    if (waiting_.size() == limits::logged_ends_max || rule != of_queue) put_logged();
    of_queue = rule;
    waiting_.push_back(&due);
  }

  // What its row in the queue does not say.
  DeathRule rule_of(const DueEnd& due) const {
    const Version& version = due.version;
    std::optional<DeathRule> rule;
    if (due.queue == keys::Queue::inherit)
      rule = inherit_rule(version.written_at, collection_.policy);
    if (const After* after = std::get_if<After>(&version.lifetime)) {
      rule = after_rule(version.written_at, after->span, collection_.policy);
      if (rule) rule->span = Span{0};  // its row has the instant at which it is due
    }
    return rule.value_or(DeathRule{});
  }

  void put_logged() {
    if (waiting_.size() < limits::logged_ends_min) {
      for (const DueEnd* due : waiting_) put_event(*due, Event::Kind::expired);
    } else {
      put_logged_ends();
    }
    for (const DueEnd* due : waiting_) reached_[queue_of(*due)] = due->row + '\0';
    waiting_.clear();
  }

  void put_logged_ends() {
    LoggedEnds logged{.after = rules_[1], .inherit = rules_[2]};
    static_assert(published_queues[1] == keys::Queue::after);
    static_assert(published_queues[2] == keys::Queue::inherit);
    for (const DueEnd* due : waiting_) {
      LoggedEnds::OfQueue& queue = logged.queues[queue_of(*due)];
      if (queue.count++ == 0) queue.from = due->row;
      queue.last = due->row;
    }
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      if (logged.queues[i].count == 0) logged.queues[i].from = reached_[i];
    }
    number_ += logged.count();
    Bytes value;
    encode(logged, value);
    recorded_.events.push_back(recorded_.batch.puts.size());
    recorded_.batch.puts.push_back(
        {keys::logged_ends(collection_.id, now_, number_ - 1), std::move(value)});
    if (!recorded_.logged) recorded_.logged = std::move(logged);
  }

  void put_event(const DueEnd& due, Event::Kind kind) {
    const bool is_forgotten = kind == Event::Kind::forgotten;
    const Instant ended = due.is_of_trash() ? due.version.removed_at : due.effective_at;
    Bytes event;
    encode_event(kind, due.key, is_forgotten ? ended : due.version.written_at,
                 is_forgotten ? Instant::never() : due.end, event);
    recorded_.events.push_back(recorded_.batch.puts.size());
    recorded_.batch.puts.push_back({keys::feed(collection_.id, now_, number_++), std::move(event)});
  }

  // A document leaves the trash for good.
  void forget(const DueEnd& due) {
    publish(due, Event::Kind::forgotten);
    note_purged(due, PurgedVersion::How::out_of_trash);
    ++recorded_.out_of_trash;
  }

  void note_purged(const DueEnd& due, PurgedVersion::How how) {
    if (collection_.policy.purges.span == Span{0} ||
        due.effective_at <= collection_.policy.purges.since) {
      return;
    }
    const bool is_expired = how == PurgedVersion::How::expired;
    const Instant removed_at = due.is_of_trash() ? due.version.removed_at : due.effective_at;
    recorded_.purged.push_back({how, due.key, is_expired ? due.version.written_at : removed_at,
                                is_expired ? due.end : removed_at});
  }

  const Collection& collection_;
  Instant now_;
  bool has_own_ends_;  // else no two of the ends belong to one document in the trash
  std::vector<ScheduledEnd>& ends_;
  RecordedEnds recorded_;
  std::set<Bytes> ended_;     // rows of the trash for which both ends may have come
  std::set<Bytes> own_ends_;  // rows of the queues of own ends that the batch removes
  std::uint32_t number_ = 0;
  std::vector<const DueEnd*> waiting_;  // ends to be logged in one row
  // By queue: what decided those ends, and where the queue goes on behind all ends before them.
  std::array<DeathRule, published_queues.size()> rules_{};
  std::array<Bytes, published_queues.size()> reached_;
};

void append(const store::Row& row, store::Rows& rows) {
  rows.append(row.key, row.value, row.version);
}

// The size of what recording an end removes or moves: the body, and the entries that go with it
// where there may be many.
Result<std::size_t> weight_of(const Collection& collection, const store::Row& head) {
  std::size_t bytes = head.value.size();
  const bool lets_go = head.present() && collection.policy.history.span == Span{0};
  if (!lets_go || std::ranges::none_of(collection.indexes, has_items)) return bytes;
  const Document document = TRY(records::head_document(head, collection.policy, nullptr));
  for (const Bytes& row : old_entries_of(collection, document)) bytes += row.size();
  return bytes;
}

// The heads of expired documents that need more than an event, in their order.
Result<NeededRows> read_heads(store::Store& store, const Collection& collection,
                              std::span<const DueEnd> due) {
  NeededRows needed;
  std::size_t bytes = 0;
  while (needed.served < due.size()) {
    store::ReadBatch batch;
    std::size_t end = needed.served;
    for (; end < due.size() && batch.gets.size() < limits::sweep_heads_max; ++end) {
      if (!needs_head(collection, due[end])) continue;
      batch.gets.push_back(keys::head(collection.id, due[end].key));
    }
    store::Rows heads;
    if (!batch.gets.empty()) heads = std::move(TRY(store.read(batch, nullptr)).gets);
    for (std::size_t i = 0; needed.served < end; ++needed.served) {
      if (!needs_head(collection, due[needed.served])) continue;
      const store::Row head = heads[i++];
      bytes += TRY(weight_of(collection, head));
      const bool is_first = needed.rows.size() == 0;
      if (!is_first && bytes > limits::sweep_bytes_max) return needed;
      append(head, needed.rows);
    }
  }
  return needed;
}

// For documents that go to the trash first, their rows in the trash's queue; after these, the same
// rows for documents with own ends in the trash.
store::ReadBatch rows_beside(const Collection& collection, std::span<const DueEnd> due) {
  store::ReadBatch batch;
  for (const DueEnd& d : due) {
    if (!goes_to_trash(collection, d)) continue;
    batch.gets.push_back(keys::queue(collection.id, keys::Queue::trash, d.effective_at, d.key));
  }
  for (const DueEnd& d : due) {
    if (!d.is_own_end_in_trash()) continue;
    batch.gets.push_back(
        keys::queue(collection.id, keys::Queue::trash, d.version.removed_at, d.key));
  }
  return batch;
}

}  // namespace

void RecordedEnds::commit_at(Instant at) {
  batch.version = records::to_version(at);
  for (const std::size_t i : events) {
    Bytes& row = batch.puts[i].key;
    const char table = row[0];  // that of events or of logged ends: their keys have one layout
    row = keys::feed(*keys::collection_of(row), at, keys::decode_feed(row)->number);
    row[0] = table;
  }
}

bool is_only_published(const Collection& collection, const DueEnd& due) {
  return !due.is_of_trash() && collection.policy.expired_to_trash_since.is_never();
}

Result<NeededRows> read_needed(store::Store& store, const Collection& collection,
                               std::span<const DueEnd> due) {
  NeededRows needed = TRY(read_heads(store, collection, due));
  const store::ReadBatch batch = rows_beside(collection, due.first(needed.served));
  if (batch.gets.empty()) return needed;
  const store::Rows rows = std::move(TRY(store.read(batch, nullptr)).gets);
  for (std::size_t i = 0; i < rows.size(); ++i) append(rows[i], needed.rows);
  return needed;
}

Result<RecordedEnds> record_ends(const Collection& collection, const std::vector<DueEnd>& due,
                                 const store::Rows& found, const Watermarks::Rows& published,
                                 Instant now, std::vector<ScheduledEnd>& ends) {
  const bool has_own_ends = std::ranges::any_of(due, &DueEnd::is_own_end_in_trash);
  Recorder recorder(collection, published, now, has_own_ends, ends);
  const auto has_head = [&](const DueEnd& d) { return needs_head(collection, d); };
  std::size_t head = 0;
  auto entry = static_cast<std::size_t>(std::ranges::count_if(due, has_head));
  const auto to_trash =
      std::ranges::count_if(due, [&](const DueEnd& d) { return goes_to_trash(collection, d); });
  std::size_t in_trash = entry + static_cast<std::size_t>(to_trash);
  for (const DueEnd& d : due) {
    if (d.is_own_end_in_trash()) {
      recorder.add_own_end(d, found[in_trash++]);
      continue;
    }
    if (d.is_of_trash()) {
      recorder.add_out_of_trash(d);
      continue;
    }
    if (!has_head(d)) {
      recorder.add_published(d);
      continue;
    }
    TRY(recorder.add(d, found[head++]));
    if (goes_to_trash(collection, d)) recorder.add_trash_entry(d, found[entry++]);
  }
  return recorder.take();
}

}  // namespace mayfly
