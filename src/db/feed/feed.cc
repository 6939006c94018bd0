#include "db/feed/feed.h"

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

Result<FeedPage> Feed::read(const Collection& collection, FeedPosition after,
                            std::size_t events_max, Instant until, FeedScope scope) {
  const Retention& retention = collection.policy.feed;
  if (retention.span == Span{0}) {
    return fail(Code::unsupported, "the collection '" + collection.name +
                                       "' keeps no feed; keep_feed_for turns it on");
  }
  Database::State& state = *database_.state_;
  const OpenViews::Token keeps_rows = state.open_views.enter();
  const Instant closed = state.clock.closed();
  const Instant floor = scope == FeedScope::held
                            ? state.feed_holds.current()->floor(collection, closed)
                            : retention.floor(closed);
  const bool has_start = after.committed_at != Instant::beginning();
  const FeedPosition end_of_floor{floor, UINT32_MAX};  // behind all events of that instant
  FeedPage page{.last = after, .has_gap = has_start && after < end_of_floor};
  const Bytes prefix = keys::table(keys::Table::feed, collection.id);
  Bytes lo = prefix;
  // Events of the floor's instant end at the greatest number. Older events may or may not still
  // exist, so they are never shown.
  if (after.committed_at > floor) {
    lo = keys::feed(collection.id, after.committed_at, after.number) + '\0';
  } else if (floor != Instant::beginning()) {
    lo = keys::feed(collection.id, floor + Span{1}, 0);
  }
  Bytes hi =
      until.is_never() ? after_prefix(prefix) : keys::feed(collection.id, until + Span{1}, 0);
  if (hi <= lo) return page;
  const store::Range range{.lo = std::move(lo), .hi = std::move(hi), .rows_max = events_max};
  KILL_POINT("feed.before_sync");
  const bool is_durable = until <= records::to_instant(state.store->durable());
  if (!is_durable) state.store->sync(state.store->applied());
  KILL_POINT("feed.synced");
  const store::Version durable = state.store->durable();
  StoredEvents found = TRY(read_events(*state.store, collection, range, after, durable));
  if (!found.is_complete) {
    // Held events may have been released meanwhile; then they are gone as a gap.
    const Instant released = state.feed_holds.current()->floor(collection, state.clock.closed());
    if (scope == FeedScope::held && released > floor) {
      return read(collection, after, events_max, until, scope);
    }
    return fail(Code::corrupt, "rows of expirations that the feed needs are missing");
  }
  page.events = std::move(found.events);
  page.has_more = found.has_more;
  page.last = found.last;
  return page;
}

Result<void> Feed::replace_incomplete(const Collection& collection) {
  Database::State& state = *database_.state_;
  const Bytes prefix = keys::table(keys::Table::logged_ends, collection.id);
  store::Range range{.lo = prefix, .hi = after_prefix(prefix)};
  for (bool has_more = true; has_more;) {
    const store::Page page =
        std::move(TRY(state.store->read({{}, {range}}, nullptr)).scans.front());
    has_more = page.next.has_value();
    if (has_more) range.lo = *page.next;
    for (std::size_t i = 0; i < page.rows.size(); ++i) {
      store::CommitBatch batch;
      TRY(events_for_incomplete(*state.store, collection, page.rows[i], batch));
      if (batch.removals.empty()) continue;
      TRY(state.committer.run([&](Instant at) {
        batch.version = records::to_version(at);
        return state.committer.apply(batch);
      }));
    }
  }
  return {};
}

}  // namespace mayfly
