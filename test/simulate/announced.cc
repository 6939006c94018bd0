#include "simulate/announced.h"

#include <algorithm>

#include "base/check.h"
#include "db/feed/logged_ends.h"
#include "db/rows/keys.h"

namespace mayfly::simulate {
namespace {

std::string text_of(const Event& e) {
  std::string text =
      std::string(name_of(e.kind)) + " " + e.key.id + " of " + std::to_string(e.version_at.micros);
  if (!e.death.is_never()) text += " dead " + std::to_string(e.death.micros);
  return text + " told " + std::to_string(e.committed_at.micros);
}

bool is_of_writer(const CollectionModel& c, const Event& e) {
  return std::any_of(c.happenings.begin(), c.happenings.end(), [&](const Happening& h) {
    return h.at == e.committed_at && h.id == e.key.id && h.kind == e.kind;
  });
}

}  // namespace

std::vector<Event> stored_events(Database& database, CollectionId id, Instant after) {
  const CollectionPtr collection = database.catalog()->any_collection(id);
  CHECK(collection != nullptr);
  const Bytes prefix = keys::table(keys::Table::feed, id);
  store::Range range{
      .lo = after == Instant::beginning() ? prefix : keys::feed(id, after + Span{1}, 0),
      .hi = after_prefix(prefix)};
  FeedPosition position{after, UINT32_MAX};
  std::vector<Event> events;
  for (bool more = true; more;) {
    auto page = read_events(database.store(), *collection, range, position, UINT64_MAX);
    CHECK(page.has_value());
    more = page->has_more;
    for (Event& event : page->events) events.push_back(std::move(event));
    position = page->last;
    range.lo = keys::feed(id, position.committed_at, position.number) + '\0';
  }
  return events;
}

std::string PublishedEnds::add(const CollectionModel& c, const Event& e, Instant now) {
  std::vector<End>& ends = ends_[c.id];
  for (const End& end : ends) {
    const bool is_same = end.event.kind == e.kind && end.event.key == e.key &&
                         end.event.version_at == e.version_at && end.event.death == e.death;
    if (is_same) return "told twice: " + text_of(e);
  }
  if (e.kind == Event::Kind::forgotten) {
    const bool is_true = std::any_of(c.removed.begin(), c.removed.end(), [&](const Removed& r) {
      return r.life.id == e.key.id && r.removed_at == e.version_at && c.has_left_trash(r, now);
    });
    ends.push_back({e, e.version_at});
    return is_true ? "" : "told, and it did not leave the trash: " + text_of(e);
  }
  const auto dead = std::find_if(c.lives.begin(), c.lives.end(), [&](const Life& life) {
    return life.id == e.key.id && life.written_at == e.version_at && life.death == e.death &&
           life.expired_by(now);
  });
  if (dead == c.lives.end()) return "told, and it did not die so: " + text_of(e);
  for (const End& end : ends) {
    if (end.event.kind == Event::Kind::expired && end.effective_at > dead->effective_at()) {
      return "told after a later death: " + text_of(e);
    }
  }
  ends.push_back({e, dead->effective_at()});
  return "";
}

std::string PublishedEnds::collect(Database& database, const Model& model, Instant now) {
  for (const std::string& name : model.names()) {
    const CollectionModel& c = model.at(name);
    const auto found = collected_.find(c.id);
    const Instant after = found == collected_.end() ? Instant::beginning() : found->second;
    for (const Event& e : stored_events(database, c.id, after)) {
      collected_[c.id] = e.committed_at;
      if (is_of_writer(c, e)) continue;
      if (std::string wrong = add(c, e, now); !wrong.empty()) return name + ": " + wrong;
    }
  }
  return "";
}

void PublishedEnds::roll_back(Instant through) {
  for (auto& [id, ends] : ends_) {
    std::erase_if(ends, [&](const End& end) { return end.event.committed_at > through; });
  }
  for (auto& [id, collected] : collected_) collected = std::min(collected, through);
}

std::string PublishedEnds::missing(const CollectionModel& c, Instant now) const {
  if (c.feed.current() == Span{0}) return "";
  // An end before the start of the feed is not published.
  const Instant unpublished_through = c.feed.purged_through();
  const auto found = ends_.find(c.id);
  const auto is_published = [&](Event::Kind kind, const std::string& id, Instant version_at) {
    return found != ends_.end() &&
           std::any_of(found->second.begin(), found->second.end(), [&](const End& end) {
             return end.event.kind == kind && end.event.key.id == id &&
                    end.event.version_at == version_at;
           });
  };
  for (const Life& life : c.lives) {
    if (!life.expired_by(now) || life.effective_at() <= unpublished_through) continue;
    if (!is_published(Event::Kind::expired, life.id, life.written_at)) {
      return c.name + ": not told of the death of " + life.id + " of " +
             std::to_string(life.written_at.micros) + " at " + std::to_string(life.death.micros);
    }
  }
  for (const Removed& r : c.removed) {
    if (!c.has_left_trash(r, now) || r.removed_at <= unpublished_through) continue;
    if (!is_published(Event::Kind::forgotten, r.life.id, r.removed_at)) {
      return c.name + ": not told that the trash let go of " + r.life.id + " of " +
             std::to_string(r.removed_at.micros);
    }
  }
  return "";
}

std::size_t PublishedEnds::kept(const CollectionModel& c, Instant now) const {
  const Instant floor = c.feed.floor(now);
  std::size_t kept = 0;
  for (const Happening& h : c.happenings) kept += h.at > floor ? 1 : 0;
  const auto found = ends_.find(c.id);
  if (found == ends_.end()) return kept;
  for (const End& end : found->second) kept += end.event.committed_at > floor ? 1 : 0;
  return kept;
}

std::size_t PublishedEnds::kept_expirations(const CollectionModel& c, Instant now) const {
  const Instant floor = c.feed.floor(now);
  const auto found = ends_.find(c.id);
  if (found == ends_.end()) return 0;
  return static_cast<std::size_t>(std::ranges::count_if(found->second, [&](const End& end) {
    return end.event.kind == Event::Kind::expired && end.event.committed_at > floor;
  }));
}

std::size_t PublishedEnds::total() const {
  std::size_t total = 0;
  for (const auto& [id, ends] : ends_) total += ends.size();
  return total;
}

}  // namespace mayfly::simulate
