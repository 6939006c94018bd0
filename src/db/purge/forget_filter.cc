// Which rows compaction may drop: those that no lens can show any more. No answer depends on this;
// it only removes garbage in compactions that run anyway.
#include <algorithm>
#include <unordered_map>

#include "db/database_state.h"
#include "db/expiry/read_ends.h"
#include "db/ledger/reading.h"
#include "db/rows/keys.h"
#include "lifetime/lens.h"

namespace mayfly {
namespace {

class Forget final : public store::ForgetFilter {
 public:
  using PublishedRows = std::unordered_map<CollectionId, Watermarks::Rows>;
  using NeededRows = std::unordered_map<CollectionId, NeededEnds::Begins>;
  Forget(CatalogPtr catalog, Instant horizon, PublishedRows published, NeededRows needed,
         ledger::Ledger::Through folded, std::shared_ptr<const HeldFeeds> held)
      : catalog_(std::move(catalog)),
        horizon_(horizon),
        published_(std::move(published)),
        needed_(std::move(needed)),
        folded_(std::move(folded)),
        held_(std::move(held)) {}

  bool forgettable(BytesView key, BytesView value, store::Version version) const override {
    const auto id = keys::collection_of(key);
    if (!id) return false;
    const CollectionPtr collection = find(*id);
    // Ids are never reused, so an id that was assigned and is missing now belongs to a dropped
    // collection.
    if (!collection) return *id < catalog_->next_id;
    switch (static_cast<keys::Table>(key[0])) {
      case keys::Table::head: return is_forgettable_head(*collection, key, value, version);
      case keys::Table::history: return is_forgettable_history(*collection, key, value, version);
      case keys::Table::trash: return is_forgettable_trash(*collection, key, value);
      case keys::Table::index:
      case keys::Table::past: return is_obsolete_entry(*collection, {key, value, version});
      case keys::Table::queue: return is_obsolete_end(*collection, {key, value, version});
      case keys::Table::feed:
      case keys::Table::logged_ends: return is_old_event(*collection, version);
      case keys::Table::ledger: return is_past_in_ledger(*collection, key);
      case keys::Table::hold:
      case keys::Table::purge:
      case keys::Table::meta: return false;
    }
    return false;
  }

 private:
  CollectionPtr find(CollectionId id) const {
    if (!last_ || last_->id != id) last_ = catalog_->any_collection(id);
    return last_;
  }
  bool is_past(const Version& version, const Policy& policy) const {
    return forgettable_at(version, policy) <= horizon_;
  }

  bool is_published(const Collection& collection, BytesView queue_row) const {
    const auto published = published_.find(collection.id);
    return published != published_.end() && Watermarks::covers(published->second, queue_row);
  }

  // Whether a published row may be one of those that logged ends name.
  bool is_needed_by_feed(const Collection& collection, const keys::QueueKey& place,
                         BytesView queue_row) const {
    const auto needed = needed_.find(collection.id);
    const auto queue = std::ranges::find(published_queues, place.queue);
    if (needed == needed_.end() || queue == published_queues.end()) return false;
    return queue_row >= needed->second[static_cast<std::size_t>(queue - published_queues.begin())];
  }

  bool is_forgettable_head(const Collection& collection, BytesView key, BytesView value,
                           store::Version version) const {
    const auto lifetime = records::decode_lifetime(value);
    if (!lifetime) return false;
    const Version head{.written_at = records::to_instant(version), .lifetime = *lifetime};
    if (is_past(head, collection.policy)) return true;
    // It no longer waits to go to the trash once its death has been recorded.
    if (collection.policy.expired_to_trash_since.is_never()) return false;
    const auto end = queue_row(collection, keys::behind_collection(key), head);
    return end && is_published(collection, end->key) &&
           history_end(head, collection.policy) <= horizon_;
  }

  bool is_forgettable_history(const Collection& collection, BytesView key, BytesView value,
                              store::Version version) const {
    const auto place = keys::decode_history(key);
    if (!place || value.empty()) return false;
    const auto lifetime = records::decode_lifetime(value.substr(1));
    if (!lifetime) return false;
    return is_past({.written_at = place->written_at,
                    .lifetime = *lifetime,
                    .superseded_at = records::to_instant(version)},
                   collection.policy);
  }

  bool is_forgettable_trash(const Collection& collection, BytesView key, BytesView value) const {
    const auto place = keys::decode_history(key);
    const auto trash = records::decode_trash(value);
    if (!place || !trash) return false;
    return is_past({.written_at = trash->written_at,
                    .lifetime = trash->head.lifetime,
                    .removed_at = place->written_at,
                    .is_held = !trash->head.hold.empty()},
                   collection.policy);
  }

  bool is_obsolete_entry(const Collection& collection, const store::Row& row) const {
    Reader place(keys::behind_collection(row.key));
    const IndexId id = place.u32();
    const auto is_it = [id](const Index& index) { return index.id == id; };
    // Likewise for a dropped index whose entries were not erased before the process ended.
    if (place.ok() && id < collection.next_index &&
        std::none_of(collection.indexes.begin(), collection.indexes.end(), is_it)) {
      return true;
    }
    Version ended{.lifetime = Never{}, .superseded_at = records::to_instant(row.version)};
    if (row.key[0] == static_cast<char>(keys::Table::index)) {
      const auto entry = records::decode_entry(row.value, row.version);
      if (!entry) return false;
      const Instant death = death_of(entry->written_at, entry->lifetime, collection.policy);
      // The entry may also stand for earlier versions with the same values; the last of them ended
      // when this one was written.
      ended.superseded_at = effective_time_of(death, entry->written_at);
    }
    return history_end(ended, collection.policy) <= horizon_;
  }

  // A queue row keeps a death durable until it is published and acted on.
  bool is_obsolete_end(const Collection& collection, const store::Row& row) const {
    const Policy& policy = collection.policy;
    const auto place = keys::decode_queue(row.key);
    if (!place) return false;
    // An open view counts the rows that end after its now, within a second (ledger/reading.h).
    if (is_published(collection, row.key)) {
      return place->instant < due_before(place->queue, policy, horizon_) &&
             !is_needed_by_feed(collection, *place, row.key);
    }
    const Version version = version_in_queue(*place, row);
    // The end of its time in the trash has a row of its own.
    const bool is_own_end = version.is_removed() && place->queue != keys::Queue::trash;
    const Version in_trash{.lifetime = Never{}, .removed_at = version.removed_at};
    if (is_own_end && is_past(in_trash, policy)) return true;
    if (version.is_removed()) {
      return !policy.publishes_ends() &&
             (is_past(version, policy) || has_left_at_own_end(collection, *place, row));
    }
    // A row after the horizon is judged by a later catalog, whose policy may publish ends.
    return leaves_ends_to_compaction(policy) &&
           std::max(death_of(version, policy), version.written_at) <= horizon_;
  }

  // Whether the document of a row for the end of the time in the trash has already left at its own
  // end.
  bool has_left_at_own_end(const Collection& collection, const keys::QueueKey& place,
                           const store::Row& row) const {
    const Bytes own_end = own_end_of(collection.id, place, row.value);
    const auto entry = keys::decode_queue(own_end);
    if (!entry) return false;
    return is_past(version_in_queue(*entry, {own_end, {}, row.version}), collection.policy);
  }

  bool is_old_event(const Collection& collection, store::Version version) const {
    const Instant committed_at = records::to_instant(version);
    return committed_at <= collection.policy.feed.since ||
           committed_at <= held_->floor(collection, horizon_);
  }

  // Changes that are in slots, and slots in which all documents have expired: no count reads them.
  bool is_past_in_ledger(const Collection& collection, BytesView key) const {
    const auto place = keys::decode_ledger(key);
    if (!place) return false;
    if (place->written_at) {
      const auto through = folded_.find(collection.id);
      return through != folded_.end() && *place->written_at <= through->second;
    }
    return ledger::is_over({place->order, place->level, place->number},
                           ledger::earliest_living_end(place->order, collection.policy, horizon_));
  }

  CatalogPtr catalog_;
  Instant horizon_;
  PublishedRows published_;
  NeededRows needed_;
  ledger::Ledger::Through folded_;
  std::shared_ptr<const HeldFeeds> held_;
  mutable CollectionPtr last_;  // rows of one collection follow one another
};

class Maker final : public store::ForgetFilterMaker {
 public:
  explicit Maker(Database::State& state) : state_(state) {}
  std::unique_ptr<store::ForgetFilter> make() override {
    // Read the horizon first: by a policy older than the horizon a document may seem expired that a
    // newer policy has saved.
    const Instant horizon = state_.open_views.horizon();
    CatalogPtr catalog = state_.purging_catalog(horizon);
    if (!catalog) return nullptr;
    const store::Version durable = state_.store->durable();
    auto held = state_.feed_holds.current();
    auto needed = state_.needed_ends.begins(*state_.store, *catalog, *held, horizon);
    return std::make_unique<Forget>(std::move(catalog), horizon, state_.watermarks.durable(durable),
                                    std::move(needed), state_.ledger->folded(horizon, durable),
                                    std::move(held));
  }

 private:
  Database::State& state_;
};

}  // namespace

Version version_in_queue(const keys::QueueKey& entry, const store::Row& row) {
  const Instant written_at = records::to_instant(row.version);
  switch (entry.queue) {
    case keys::Queue::at: {
      const Instant death = row.value.empty() ? entry.instant : Instant{Reader(row.value).i64()};
      return {.written_at = written_at, .lifetime = At{death}};
    }
    case keys::Queue::after:
      return {.written_at = written_at,
              .lifetime = After{entry.instant - written_at.floor_second()}};
    case keys::Queue::trash:
      return {.written_at = written_at,
              .lifetime = Never{},
              .removed_at = entry.instant,
              .is_held = row.value == BytesView(&held_flag, 1)};
    // Only the end matters here, not when the lifetime began.
    case keys::Queue::trashed_at:
      return {.written_at = entry.removed_at,
              .lifetime = At{entry.instant},
              .removed_at = entry.removed_at};
    case keys::Queue::trashed_after:
      return {.written_at = entry.instant - Span::seconds(1),
              .lifetime = After{Span::seconds(1)},
              .removed_at = entry.removed_at};
    case keys::Queue::trashed_inherit:
      return {.written_at = entry.instant, .lifetime = Inherit{}, .removed_at = entry.removed_at};
    case keys::Queue::inherit: break;
  }
  return {.written_at = written_at, .lifetime = Inherit{}};
}

std::shared_ptr<store::ForgetFilterMaker> make_forget_maker(Database::State& state) {
  return std::make_shared<Maker>(state);
}

}  // namespace mayfly
