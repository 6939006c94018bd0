#include "db/feed/feed.h"

#include <algorithm>

#include "base/service/kill_point.h"
#include "db/database_state.h"
#include "db/feed/logged_ends.h"
#include "db/rows/keys.h"

namespace mayfly {

std::string_view name_of(Event::Kind kind) {
  switch (kind) {
    case Event::Kind::created: return "created";
    case Event::Kind::replaced: return "replaced";
    case Event::Kind::removed: return "removed";
    case Event::Kind::expired: return "expired";
    case Event::Kind::restored: return "restored";
    case Event::Kind::forgotten: return "forgotten";
  }
  return "unknown";
}

void encode_event(Event::Kind kind, BytesView key, Instant version_at, Instant death, Bytes& out) {
  out.push_back(static_cast<char>(kind));
  put_text(out, key);
  put_varint(out, static_cast<std::uint64_t>(version_at.micros));
  if (!death.is_never()) put_i64(out, death.micros);
}

Result<Event> decode_event(const store::Row& row) {
  const auto place = keys::decode_feed(row.key);
  Reader in(row.value);
  Event event;
  event.kind = static_cast<Event::Kind>(in.u8());
  const BytesView key = in.text();
  event.version_at = {static_cast<std::int64_t>(in.varint())};
  if (in.ok() && !in.rest().empty()) event.death = {in.i64()};
  const bool is_known = name_of(event.kind) != "unknown";
  if (!place || !in.done() || !is_known) return fail(Code::corrupt, "a stored event is damaged");
  event.committed_at = place->written_at;
  event.number = place->number;
  event.key = TRY(keys::decode_document_key(key));
  return event;
}

FeedHolds& Feed::holds() {
  return database_.state_->feed_holds;
}

namespace {

// Events of the floor's instant end at the greatest number. Older events may or may not still
// exist, so they are never shown.
Bytes first_row(const Collection& collection, FeedPosition after, Instant floor) {
  if (after.committed_at > floor) {
    return keys::feed(collection.id, after.committed_at, after.number) + '\0';
  }
  if (floor != Instant::beginning()) return keys::feed(collection.id, floor + Span{1}, 0);
  return keys::table(keys::Table::feed, collection.id);
}

// The instant up to which events are not shown.
Instant floor_of(Database::State& state, const Collection& collection, FeedScope scope) {
  const Instant closed = state.clock.closed();
  const Retention& retention = collection.policy.feed;
  return scope == FeedScope::held ? state.feed_holds.current()->floor(collection, closed)
                                  : retention.floor(closed);
}

}  // namespace

Result<FeedPage> Feed::read(const Collection& collection, FeedPosition after,
                            std::size_t events_max, Instant until, FeedScope scope) {
  if (collection.policy.feed.span == Span{0}) {
    return fail(Code::unsupported, "the collection '" + collection.name +
                                       "' keeps no feed; keep_feed_for turns it on");
  }
  Database::State& state = *database_.state_;
  const OpenViews::Token keeps_rows = state.open_views.enter();
  const Instant floor = floor_of(state, collection, scope);
  const bool has_start = after.committed_at != Instant::beginning();
  const FeedPosition end_of_floor{floor, UINT32_MAX};  // behind all events of that instant
  FeedPage page{.last = after, .has_gap = has_start && after < end_of_floor};
  Bytes hi = until.is_never() ? after_prefix(keys::table(keys::Table::feed, collection.id))
                              : keys::feed(collection.id, until + Span{1}, 0);
  const store::Range range{
      .lo = first_row(collection, after, floor), .hi = std::move(hi), .rows_max = events_max};
  if (range.hi <= range.lo) return page;
  KILL_POINT("feed.before_sync");
  const bool is_durable = until <= records::to_instant(state.store->durable());
  if (!is_durable) state.store->sync(state.store->applied());
  KILL_POINT("feed.synced");
  const store::Version durable = state.store->durable();
  StoredEvents found = TRY(read_events(*state.store, collection, range, after, durable));
  if (found.incomplete_at) return skip_released(collection.id, *found.incomplete_at, scope);
  page.events = std::move(found.events);
  page.has_more = found.has_more;
  page.last = found.last;
  return page;
}

// Events may have been released, or the retention shortened, since the reader was given its
// collection; then they are gone as a gap.
Result<FeedPage> Feed::skip_released(CollectionId id, Instant committed_at, FeedScope scope) {
  Database::State& state = *database_.state_;
  const CollectionPtr current = state.current()->any_collection(id);
  const FeedPosition behind{committed_at, UINT32_MAX};
  if (!current) return FeedPage{.last = behind, .has_gap = true};
  if (committed_at <= std::max(floor_of(state, *current, scope), current->policy.feed.since)) {
    return FeedPage{.last = behind, .has_more = true, .has_gap = true};
  }
  return fail(Code::corrupt, "rows of expirations that the feed needs are missing");
}

namespace {

Result<Instant> commit(Database::State& state, store::CommitBatch batch) {
  return state.committer.run([&](Instant at) {
    batch.version = records::to_version(at);
    return state.committer.apply(batch);
  });
}

}  // namespace

Result<void> Feed::replace_incomplete(const Collection& collection) {
  Database::State& state = *database_.state_;
  const Bytes prefix = keys::table(keys::Table::logged_ends, collection.id);
  store::Range range{.lo = prefix, .hi = after_prefix(prefix)};
  Watermarks::Rows published;
  for (bool has_more = true; has_more;) {
    const store::Page page =
        std::move(TRY(state.store->read({{}, {range}}, nullptr)).scans.front());
    has_more = page.next.has_value();
    if (has_more) range.lo = *page.next;
    for (std::size_t i = 0; i < page.rows.size(); ++i) {
      if (const auto ends = decode_logged_ends(page.rows[i])) {
        for (std::size_t q = 0; q < published.size(); ++q) {
          published[q] = std::max(published[q], ends->queues[q].last);
        }
      }
      store::CommitBatch batch;
      TRY(events_for_incomplete(*state.store, collection, page.rows[i], batch));
      if (!batch.removals.empty()) TRY(commit(state, std::move(batch)));
    }
  }
  const Watermarks::Rows known = state.watermarks.of(collection.id);
  for (std::size_t q = 0; q < published.size(); ++q) {
    if (published[q] <= known[q]) published[q].clear();
  }
  if (std::ranges::all_of(published, &Bytes::empty)) return {};
  store::CommitBatch batch;
  state.watermarks.put(collection.id, published, batch);
  const Instant at = TRY(commit(state, std::move(batch)));
  state.watermarks.advance(collection.id, published, records::to_version(at));
  return {};
}

}  // namespace mayfly
