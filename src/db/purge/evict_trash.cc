// Evicting the oldest documents of a trash. If the cut lies between two instants, the trash is kept
// from that instant on (Retention::since): one small row hides all evicted documents, and the
// sweeper publishes their ends and removes their rows, as it does when the time in the trash is
// over. Documents of one instant on both sides of the cut are taken out one by one.
#include "base/limits.h"
#include "db/catalog/draft.h"
#include "db/expiry/read_ends.h"

namespace mayfly {
namespace {

struct EvictedDocuments {
  std::size_t documents = 0;  // that came into the trash by …
  Instant through = Instant::beginning();
  std::vector<DueEnd> one_by_one;  // others, by their rows of the queue
  bool has_ended = false;          // one of them has reached its own end in the trash
};

bool has_own_end_by(const Collection& collection, const DueEnd& due, Instant now) {
  const auto own = keys::decode_queue(due.own_end);
  if (!own) return false;
  const Instant bound = due_before(own->queue, collection.policy, now);
  return due.own_end < keys::queue(collection.id, own->queue, bound, {});
}

// The sweeper would not publish the ends and purges of documents that came into the trash by this
// instant, since the feed or record of purges did not exist yet.
Instant unpublished_through(const Policy& policy) {
  Instant through = Instant::beginning();
  for (const Retention& kept : {policy.feed, policy.purges}) {
    if (kept.span > Span{0}) through = std::max(through, kept.since);
  }
  return through;
}

// Takes the rows of the trash's queue in order until it has `most`.
class EvictionPlanner {
 public:
  EvictionPlanner(const Policy& policy, std::size_t most)
      : unpublished_(unpublished_through(policy)), most_(most) {}

  // Returns whether it takes further rows.
  bool take(DueEnd due) {
    const Instant came_at = due.version.removed_at;
    if (came_at != instant_) end_instant();
    if (taken_ == most_) return false;
    ++taken_;
    instant_ = came_at;
    (came_at <= unpublished_ ? front_.one_by_one : of_instant_).push_back(std::move(due));
    return true;
  }
  // Used if the last instant has more documents than it could take.
  EvictedDocuments cut() {
    for (DueEnd& due : of_instant_) front_.one_by_one.push_back(std::move(due));
    return std::move(front_);
  }
  EvictedDocuments whole() {
    end_instant();
    return std::move(front_);
  }

 private:
  void end_instant() {
    if (of_instant_.empty()) return;
    front_.documents += of_instant_.size();
    front_.through = instant_;
    of_instant_.clear();
  }

  const Instant unpublished_;
  const std::size_t most_;
  std::size_t taken_ = 0;
  Instant instant_ = Instant::beginning();
  std::vector<DueEnd> of_instant_;
  EvictedDocuments front_;
};

// Whether the time in the trash of a document is over and its end is not published yet. Once the
// trash is kept from a later instant, that end would come before ends that are already published.
Result<bool> has_unpublished_end(store::Store& store, const Collection& collection, Instant now) {
  const Policy& policy = collection.policy;
  if (!policy.publishes_ends()) return false;
  const Instant kept_from = policy.trash.floor(now) + Span{1};
  store::Range range{
      .lo = keys::queue(collection.id, keys::Queue::trash, policy.trash.since + Span{1}, {}),
      .hi = keys::queue(collection.id, keys::Queue::trash, kept_from, {}),
      .rows_max = limits::store_page_rows_max,
      .is_read_once = true};
  for (bool more = range.lo < range.hi; more;) {
    const store::Page page = std::move(TRY(store.read({{}, {range}}, nullptr)).scans.front());
    for (std::size_t i = 0; i < page.rows.size(); ++i) {
      const auto entry = keys::decode_queue(page.rows[i].key);
      if (entry && !version_in_queue(*entry, page.rows[i]).is_held) return true;
    }
    more = page.next.has_value();
    if (more) range.lo = *page.next;
  }
  return false;
}

// Reads documents that came into the trash by `now`: among later ones, deaths may still be
// recorded. Documents whose time in the trash was over or whose own end came by `over_by` are not
// counted.
Result<EvictedDocuments> read_oldest(store::Store& store, const Collection& collection, Instant now,
                                     Instant over_by, std::size_t most) {
  bool has_ended = false;
  EvictionPlanner planner(collection.policy, most);
  const Instant kept_from = collection.policy.trash.floor(over_by) + Span{1};
  store::Range range{.lo = keys::queue(collection.id, keys::Queue::trash, kept_from, {}),
                     .hi = keys::queue(collection.id, keys::Queue::trash, now + Span{1}, {}),
                     .rows_max = limits::store_page_rows_max,
                     .is_read_once = true};
  for (bool more = range.lo < range.hi; more;) {
    const store::Page page = std::move(TRY(store.read({{}, {range}}, nullptr)).scans.front());
    for (std::size_t i = 0; i < page.rows.size(); ++i) {
      const store::Row row = page.rows[i];
      const auto entry = keys::decode_queue(row.key);
      if (!entry) return fail(Code::corrupt, "a queue key in the store is damaged");
      const Version version = version_in_queue(*entry, row);
      if (version.is_held) continue;
      const DueEnd due{.effective_at = now,
                       .end = now,
                       .row = Bytes(row.key),
                       .row_version = row.version,
                       .queue = entry->queue,
                       .key = Bytes(entry->key),
                       .version = version,
                       .own_end = own_end_of(collection.id, *entry, row.value)};
      if (has_own_end_by(collection, due, over_by)) {
        has_ended = true;
      } else if (!planner.take(due)) {
        EvictedDocuments front = planner.cut();
        front.has_ended = has_ended;
        return front;
      }
    }
    more = page.next.has_value();
    if (more) range.lo = *page.next;
  }
  EvictedDocuments front = planner.whole();
  front.has_ended = has_ended;
  return front;
}

struct EvictionPlan {
  CollectionPtr collection;
  store::Version since;
  EvictedDocuments front;
  bool has_unrecorded;
};

// Time goes on after the ends have been recorded: a document that has ended since is taken out as
// one whose time is not over yet.
Instant recorded_by(Sweeper& sweeper, CollectionId id, Instant now) {
  if (sweeper.has_recorded(id, now)) return now;
  return std::min(now, sweeper.recorded_through(id) - Span{1});
}

// Whether own ends and ends of the time in the trash have been recorded.
enum class OwnEnds { unknown, recorded };

Result<EvictionPlan> plan_eviction(Database& database, Database::State& state, CollectionId id,
                                   std::size_t most, OwnEnds ended) {
  const View view = TRY(database.up_to_date_view(id));
  const CollectionPtr collection = view.catalog().any_collection(id);
  if (!collection) return fail(Code::not_found, "there is no such collection");
  const store::Version since = state.store->applied();
  const Instant now = view.now();
  const Instant over_by = ended == OwnEnds::unknown ? now : recorded_by(*state.sweeper, id, now);
  EvictedDocuments front = TRY(read_oldest(*state.store, *collection, now, over_by, most));
  const bool has_unrecorded =
      front.has_ended || TRY(has_unpublished_end(*state.store, *collection, now));
  return EvictionPlan{collection, since, std::move(front), has_unrecorded};
}

tl::unexpected<Error> changed_meanwhile() {
  return fail(Code::contended, "the collection has been changed meanwhile");
}

// As the sweeper does when the time in the trash is over, except that it is over now.
Result<void> take_out_of_trash(Database::State& state, const CollectionPtr& collection,
                               std::vector<DueEnd> rows, store::Version since) {
  TRY(state.committer.run([&](Instant at) -> Result<void> {
    if (state.current()->any_collection(collection->id) != collection) return changed_meanwhile();
    for (DueEnd& row : rows) row.effective_at = row.end = at;
    std::vector<ScheduledEnd> ends;
    RecordedEnds recorded = TRY(record_ends(*collection, rows, {}, {}, at, ends));
    recorded.commit_at(at);
    recorded.batch.since = since;
    recorded.batch.space = store::CommitBatch::Space::less;
    TRY(state.committer.apply(recorded.batch, Visible::yes, {{collection.get(), recorded.purged}}));
    state.feed->note(collection->id);
    return {};
  }));
  return {};
}

}  // namespace

Result<std::size_t> Database::evict_oldest_trash(CollectionId id, std::size_t documents_max) {
  std::size_t gone = 0;
  int lost_races = 0;
  for (bool more = true; more && gone < documents_max;) {
    const std::size_t most = std::min(documents_max - gone, limits::trim_batch_max);
    const auto taken = evict_oldest(id, most);
    if (taken) {
      more = *taken > 0;  // fewer than requested if other commits came in between, too
      gone += *taken;
    } else if (taken.error().code != Code::contended ||
               ++lost_races == limits::commit_attempts_max) {
      return taken;
    }
  }
  return gone;
}

// Returns how many documents were evicted; fewer if other commits came in between. Fails with
// contended if none could be evicted.
Result<std::size_t> Database::evict_oldest(CollectionId id, std::size_t most) {
  EvictionPlan plan = TRY(plan_eviction(*this, *state_, id, most, OwnEnds::unknown));
  // Ends that have come by now are recorded before other documents end earlier than planned.
  if (plan.has_unrecorded) {
    TRY(state_->sweeper->flush_expirations(id));
    plan = TRY(plan_eviction(*this, *state_, id, most, OwnEnds::recorded));
  }
  const auto& [collection, since, front, has_unrecorded] = plan;
  std::size_t gone = 0;
  while (gone < front.one_by_one.size()) {
    const auto begin = front.one_by_one.begin() + static_cast<std::ptrdiff_t>(gone);
    const std::size_t left = front.one_by_one.size() - gone;
    const std::size_t some = std::min(left, limits::sweep_batch_max);
    const auto taken = take_out_of_trash(*state_, collection,
                                         {begin, begin + static_cast<std::ptrdiff_t>(some)}, since);
    if (!taken && taken.error().code == Code::contended && gone > 0) return gone;
    TRY(taken);
    gone += some;
  }
  // Last, since documents before that instant would be hidden by it.
  if (front.documents > 0) {
    const auto kept = keep_trash_since(collection, front.through);
    if (!kept && kept.error().code == Code::contended && gone > 0) return gone;
    TRY(kept);
  }
  return gone + front.documents;
}

// Fails with contended if the collection has been changed: under its new policy, other documents
// may have to be taken out one by one.
Result<void> Database::keep_trash_since(const CollectionPtr& collection, Instant through) {
  const CollectionId id = collection->id;
  TRY(change_catalog(*state_, [&](Draft& draft, Instant) -> Result<void> {
    if (draft.catalog->any_collection(id) != collection) return changed_meanwhile();
    Collection c = *collection;
    c.policy.trash.since = std::max(c.policy.trash.since, through);
    draft.batch.space = store::CommitBatch::Space::less;
    // Before as well as after the commit, as at any change of a policy.
    state_->sweeper->look_again(id);
    draft.with_changed_ends = id;
    draft.put(std::move(c));
    return {};
  }));
  return {};
}

}  // namespace mayfly
