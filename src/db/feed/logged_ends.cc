#include "db/feed/logged_ends.h"

#include <algorithm>

#include "db/limits.h"
#include "db/rows/keys.h"
#include "db/write/transaction_state.h"

namespace mayfly {
namespace {

constexpr std::size_t after_index = 1, inherit_index = 2;
static_assert(published_queues[after_index] == keys::Queue::after);
static_assert(published_queues[inherit_index] == keys::Queue::inherit);

std::size_t queue_prefix_size() {
  return keys::queue(0, keys::Queue::at).size();
}

BytesView behind_queue(BytesView row) {
  return row.substr(std::min(queue_prefix_size(), row.size()));
}

Bytes row_of(CollectionId collection, std::size_t queue, BytesView behind) {
  return keys::queue(collection, published_queues[queue]) + Bytes(behind);
}

void put_rule(Bytes& out, const DeathRule& rule) {
  put_i64(out, rule.not_before.micros);
  put_varint(out, static_cast<std::uint64_t>(rule.span.micros));
}

DeathRule read_rule(Reader& in) {
  const Instant not_before{in.i64()};
  return {not_before, Span{static_cast<std::int64_t>(in.varint())}};
}

// An event, and what it is ordered by: within a queue, the order of the rows.
struct Ended {
  Instant effective_at;
  std::size_t queue;
  Event event;
};

Instant death_in_log(const LoggedEnds& ends, const keys::QueueKey& place, const Version& version,
                     const Policy& policy) {
  switch (place.queue) {
    case keys::Queue::after: return ends.after.death_of_counted(place.instant);
    case keys::Queue::inherit:
      return ends.inherit.death_of_counted(policy.counted_from(version.written_at));
    default: return std::get<At>(version.lifetime).instant;
  }
}

// Adds the ends that the page holds. Whether it holds the rows that are named.
bool add_ends(const Collection& collection, const LoggedEnds& ends, std::size_t queue,
              const store::Page& page, std::vector<Ended>& out) {
  const LoggedEnds::OfQueue& named = ends.queues[queue];
  for (std::size_t i = 0; i < page.rows.size(); ++i) {
    const store::Row row = page.rows[i];
    const auto place = keys::decode_queue(row.key);
    auto key = place ? keys::decode_document_key(place->key) : Result<DocumentKey>();
    if (!place || !key) return false;
    const Version version = version_in_queue(*place, row);
    Event event{.kind = Event::Kind::expired, .version_at = version.written_at};
    event.death = death_in_log(ends, *place, version, collection.policy);
    event.key = std::move(*key);
    out.push_back({effective_time_of(event.death, event.version_at), queue, std::move(event)});
  }
  const std::size_t rows = page.rows.size();
  return rows > 0 && rows == named.count && page.rows[0].key == named.from &&
         page.rows[rows - 1].key == named.last;
}

LoggedEvents events_of(std::vector<Ended> ended, const LoggedRow& row, bool is_complete) {
  const auto is_earlier = [](const Ended& a, const Ended& b) {
    return std::tie(a.effective_at, a.queue) < std::tie(b.effective_at, b.queue);
  };
  std::ranges::stable_sort(ended, is_earlier);
  LoggedEvents logged{.is_complete = is_complete};
  const std::size_t surplus = ended.size() - std::min<std::size_t>(ended.size(), row.ends.count());
  ended.erase(ended.begin(), ended.begin() + static_cast<std::ptrdiff_t>(surplus));
  std::uint32_t number = row.last.number + 1 - static_cast<std::uint32_t>(ended.size());
  for (Ended& one : ended) {
    one.event.committed_at = row.last.committed_at;
    one.event.number = number++;
    logged.events.push_back(std::move(one.event));
  }
  return logged;
}

// Part of a page of events: an event of its own, or some of those of a row of logged ends.
struct Piece {
  std::size_t row = 0;
  bool is_logged = false;
  std::size_t skipped = 0;  // of the logged ones
  std::size_t taken = 1;
};

// The rows of both tables in the order of their events.
class Merge {
 public:
  Merge(const store::ReadReply& reply, FeedPosition after, store::Version durable)
      : single_(reply.scans[0]), logs_(reply.scans[1]), after_(after), durable_(durable) {}

  // Fails with corrupt.
  Result<void> choose(std::size_t events_max) {
    while (events_max > 0 && bytes_ < limits::store_page_bytes_max && !reaches_unread_rows()) {
      const bool has_single = next_single_ < single_.rows.size();
      const bool has_log = logged_.size() < logs_.rows.size();
      if (!has_single && !has_log) return {};
      if (has_log && (!has_single || log_key() < single_key())) {
        if (logs_.rows[logged_.size()].version > durable_) return stop();
        TRY(take_log(events_max));
      } else {
        if (single_.rows[next_single_].version > durable_) return stop();
        pieces_.push_back({.row = next_single_++});
        --events_max;
      }
    }
    has_more_ = has_more_ || next_single_ < single_.rows.size() ||
                logged_.size() < logs_.rows.size() || single_.next || logs_.next;
    return {};
  }

  const std::vector<Piece>& pieces() const { return pieces_; }
  const std::vector<LoggedRow>& logged() const { return logged_; }
  bool has_more() const { return has_more_; }

 private:
  bool reaches_unread_rows() const {
    return (next_single_ == single_.rows.size() && single_.next) ||
           (logged_.size() == logs_.rows.size() && logs_.next);
  }
  // Behind the table, both keys have one layout, and no number is in both tables.
  BytesView single_key() const { return single_.rows[next_single_].key.substr(1); }
  BytesView log_key() const { return logs_.rows[logged_.size()].key.substr(1); }

  Result<void> stop() {
    has_more_ = single_.next || logs_.next;
    return {};
  }

  Result<void> take_log(std::size_t& events_max) {
    const store::Row row = logs_.rows[logged_.size()];
    const auto place = keys::decode_feed(row.key);
    LoggedEnds ends = TRY(decode_logged_ends(row));
    const std::size_t count = ends.count();
    if (!place || count == 0 || count > std::size_t{place->number} + 1) {
      return fail(Code::corrupt, "a stored row of logged ends is damaged");
    }
    const std::size_t first = place->number + 1 - count;
    const bool is_begun = place->written_at == after_.committed_at && after_.number >= first;
    const std::size_t skipped = is_begun ? after_.number + 1 - first : 0;
    const std::size_t taken = std::min(count - skipped, events_max);
    for (const LoggedEnds::OfQueue& queue : ends.queues) bytes_ += queue.count * queue.last.size();
    pieces_.push_back(
        {.row = logged_.size(), .is_logged = true, .skipped = skipped, .taken = taken});
    logged_.push_back({std::move(ends), {place->written_at, place->number}});
    has_more_ = skipped + taken < count;
    events_max -= taken;
    return {};
  }

  const store::Page& single_;
  const store::Page& logs_;
  FeedPosition after_;
  store::Version durable_;
  std::vector<Piece> pieces_;
  std::vector<LoggedRow> logged_;
  std::size_t next_single_ = 0;
  std::size_t bytes_ = 0;  // about, of the rows of queues that are needed
  bool has_more_ = false;
};

}  // namespace

std::uint32_t LoggedEnds::count() const {
  std::uint32_t all = 0;
  for (const OfQueue& queue : queues) all += queue.count;
  return all;
}

void encode(const LoggedEnds& ends, Bytes& out) {
  for (const LoggedEnds::OfQueue& queue : ends.queues) {
    put_varint(out, queue.count);
    put_text(out, behind_queue(queue.from));
    if (queue.count > 0) put_text(out, behind_queue(queue.last));
  }
  if (ends.queues[after_index].count > 0) put_rule(out, ends.after);
  if (ends.queues[inherit_index].count > 0) put_rule(out, ends.inherit);
}

Result<LoggedEnds> decode_logged_ends(const store::Row& row) {
  const auto collection = keys::collection_of(row.key);
  Reader in(row.value);
  LoggedEnds ends;
  for (std::size_t i = 0; collection && i < ends.queues.size(); ++i) {
    LoggedEnds::OfQueue& queue = ends.queues[i];
    queue.count = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(in.varint(), limits::logged_ends_max + 1));
    queue.from = row_of(*collection, i, in.text());
    if (queue.count > 0) queue.last = row_of(*collection, i, in.text());
  }
  if (ends.queues[after_index].count > 0) ends.after = read_rule(in);
  if (ends.queues[inherit_index].count > 0) ends.inherit = read_rule(in);
  if (!collection || !in.done() || ends.count() > limits::logged_ends_max) {
    return fail(Code::corrupt, "a stored row of logged ends is damaged");
  }
  return ends;
}

Result<std::vector<LoggedEvents>> read_logged_events(store::Store& store,
                                                     const Collection& collection,
                                                     const std::vector<LoggedRow>& rows) {
  store::ReadBatch batch;
  for (const LoggedRow& row : rows) {
    for (const LoggedEnds::OfQueue& queue : row.ends.queues) {
      if (queue.count == 0) continue;
      batch.scans.push_back({.lo = queue.from,
                             .hi = queue.last + '\0',
                             .rows_max = limits::logged_ends_max + 1,
                             .bytes_max = limits::logged_ends_bytes_max,
                             .is_read_once = true});
    }
  }
  const store::ReadReply reply = TRY(store.read(batch, nullptr));
  std::vector<LoggedEvents> all;
  std::size_t scan = 0;
  for (const LoggedRow& row : rows) {
    std::vector<Ended> ended;
    bool is_complete = true;
    for (std::size_t i = 0; i < row.ends.queues.size(); ++i) {
      if (row.ends.queues[i].count == 0) continue;
      const bool has_all = add_ends(collection, row.ends, i, reply.scans[scan++], ended);
      is_complete = is_complete && has_all;
    }
    all.push_back(events_of(std::move(ended), row, is_complete));
  }
  return all;
}

Result<void> events_for_incomplete(store::Store& store, const Collection& collection,
                                   const store::Row& row, store::CommitBatch& batch) {
  const auto place = keys::decode_feed(row.key);
  auto ends = decode_logged_ends(row);
  if (!place || !ends) {
    batch.removals.push_back(Bytes(row.key));
    return {};
  }
  const LoggedRow logged{*std::move(ends), {place->written_at, place->number}};
  const LoggedEvents events = std::move(TRY(read_logged_events(store, collection, {logged}))[0]);
  if (events.is_complete) return {};
  batch.removals.push_back(Bytes(row.key));
  for (const Event& event : events.events) {
    Bytes value;
    encode_event(event.kind, keys::encode(event.key), event.version_at, event.death, value);
    batch.puts.push_back(
        {keys::feed(collection.id, event.committed_at, event.number), std::move(value)});
  }
  return {};
}

Result<StoredEvents> read_events(store::Store& store, const Collection& collection,
                                 const store::Range& range, FeedPosition after,
                                 store::Version durable) {
  store::Range logs = range;
  logs.lo[0] = logs.hi[0] = static_cast<char>(keys::Table::logged_ends);
  logs.rows_max = range.rows_max / limits::logged_ends_in_page + 1;
  const store::ReadReply reply = TRY(store.read({{}, {range, logs}}, nullptr));
  Merge merge(reply, after, durable);
  TRY(merge.choose(range.rows_max));
  std::vector<LoggedEvents> logged;
  if (!merge.logged().empty()) {
    logged = TRY(read_logged_events(store, collection, merge.logged()));
  }
  StoredEvents found{.last = after, .has_more = merge.has_more()};
  for (const Piece& piece : merge.pieces()) {
    if (!piece.is_logged) {
      found.events.push_back(TRY(decode_event(reply.scans[0].rows[piece.row])));
      found.last = found.events.back().position();
      continue;
    }
    LoggedEvents& of_row = logged[piece.row];
    if (!of_row.is_complete && !found.incomplete_at) {
      found.incomplete_at = merge.logged()[piece.row].last.committed_at;
    }
    const std::size_t end = std::min(piece.skipped + piece.taken, of_row.events.size());
    const LoggedRow& row = merge.logged()[piece.row];
    found.last = row.last;
    found.last.number -= row.ends.count() - static_cast<std::uint32_t>(piece.skipped + piece.taken);
    for (std::size_t i = piece.skipped; i < end; ++i) {
      found.events.push_back(std::move(of_row.events[i]));
    }
  }
  return found;
}

}  // namespace mayfly
