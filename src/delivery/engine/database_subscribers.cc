#include "delivery/engine/database_subscribers.h"

#include <algorithm>
#include <iterator>

#include "delivery/standing.h"

namespace mayfly::delivery {

bool keeps_feed(const CollectionPtr& collection) {
  return collection && collection->policy.feed.span != Span{0};
}

// --- reading subscriptions ---

Result<std::vector<DatabaseSubscribers::StoredSubscription>> DatabaseSubscribers::read_rows(
    View& view) const {
  const auto subscriptions = PrivateTable<Subscription>::find(view.catalog(), info_->id);
  const auto progress = PrivateTable<SubscriptionProgress>::find(view.catalog(), info_->id);
  std::vector<StoredSubscription> rows;
  std::vector<Subscription> all = TRY(subscriptions.list(view));
  for (const Subscription& one : standing_) all.push_back(standing_in(*info_, one));
  for (Subscription& one : all) {
    StoredSubscription row{.progress = {.position = one.from, .round = one.round}};
    const auto known = subscribers_.find(one.id);
    // A subscription that was removed and created again under the same id is a different one.
    const bool is_known =
        known != subscribers_.end() && known->second->subscription().created_at == one.created_at;
    const Subscriber* before = is_known ? known->second.get() : nullptr;
    row.is_new = before == nullptr || before->subscription().changed_at != one.changed_at;
    if (row.is_new) {
      auto kept = before != nullptr ? std::optional(before->progress())
                                    : TRY(progress.get(view, DocumentKey::of(one.id)));
      if (kept && kept->round == one.round) row.progress = *std::move(kept);
    }
    row.subscription = std::move(one);
    rows.push_back(std::move(row));
  }
  return rows;
}

Result<void> DatabaseSubscribers::read(std::uint64_t& epochs) {
  View view = database_.view();
  std::vector<StoredSubscription> rows = TRY(read_rows(view));
  auto before = std::exchange(subscribers_, {});
  active_.clear();
  for (StoredSubscription& row : rows) {
    const std::string id = row.subscription.id;
    auto& subscriber = subscribers_[id];
    subscriber = row.is_new ? std::make_unique<Subscriber>(std::move(row.subscription),
                                                           std::move(row.progress), ++epochs)
                            : std::move(before[id]);
    if (const Subscriber* earlier = before[id].get()) subscriber->wait_for_earlier(*earlier);
    if (!subscriber->subscription().is_paused) active_.push_back(subscriber.get());
    subscriber->has_letters_left = true;
  }
  std::vector<const Subscription*> subscriptions;
  for (const Subscriber* subscriber : active_) subscriptions.push_back(&subscriber->subscription());
  matcher_ = std::make_unique<SubscriptionMatcher>(subscriptions);
  for (auto& [id, subscriber] : subscribers_) {
    if (subscriber->subscription().is_logged) TRY(apply_log(view, *subscriber));
  }
  return {};
}

// Messages that have had an attempt have a log row. A row that is not stored yet is newer than the
// stored one.
Result<void> DatabaseSubscribers::apply_log(View& view, Subscriber& subscriber) const {
  std::vector<std::string> waiting;
  for (const auto& [number, item] : subscriber.window().items()) {
    const bool was_asked = item.asked_at != Instant::beginning();
    const bool has_row = item.attempts > 0 || item.is_dead_letter || was_asked;
    if (has_row && !subscriber.new_log().contains(item.message->id)) {
      waiting.push_back(item.message->id);
    }
  }
  for (const std::string& id : waiting) {
    if (const auto row = TRY(find_log_row(view, subscriber, id))) subscriber.apply(*row);
  }
  return {};
}

Result<std::optional<LogRow>> DatabaseSubscribers::find_log_row(View& view,
                                                                const Subscriber& subscriber,
                                                                const std::string& message) const {
  const auto table = PrivateTable<LogRow>::find(view.catalog(), info_->id);
  return table.get(view, LogRow::key_of(subscriber.subscription().id, message));
}

Result<void> DatabaseSubscribers::read_letters(View& view, Subscriber& subscriber,
                                               const WindowBytes& bytes) const {
  const auto table = PrivateTable<DeadLetter>::find(view.catalog(), info_->id, DeadLetter::again);
  subscriber.has_letters_left = false;
  return table.each(
      view,
      [&](DeadLetter letter) -> Result<bool> {
        const std::string& id = letter.message.id;
        if (subscriber.window().has_dead_letter(id) || subscriber.sent_letters().contains(id)) {
          return true;
        }
        subscriber.has_letters_left = !subscriber.window().has_room();
        if (subscriber.has_letters_left) return false;
        const auto row = TRY(find_log_row(view, subscriber, id));
        if (!row) {
          subscriber.window().add_dead_letter(bytes.place(bytes.hold(std::move(letter.message))));
        } else if (row->status == LogRow::Status::pending) {
          subscriber.window().add_dead_letter(bytes.place(bytes.hold(std::move(letter.message))),
                                              row->attempts, row->next_at, row->asked_at);
        }
        return true;
      },
      DeadLetter::of(subscriber.subscription().id));
}

std::set<CollectionId> DatabaseSubscribers::update_collections(const Catalog& catalog) {
  const std::set<CollectionId> before = std::exchange(collections_, {});
  if (!subscribers_.empty()) {
    for (const CollectionPtr& collection : catalog.collections(info_->id)) {
      if (keeps_feed(collection)) collections_.insert(collection->id);
    }
  }
  std::ranges::set_difference(collections_, before, std::inserter(due_, due_.end()));
  std::erase_if(due_, [this](CollectionId id) { return !collections_.contains(id); });
  return collections_;
}

void DatabaseSubscribers::add_due(const std::set<CollectionId>& collections) {
  std::ranges::set_intersection(collections_, collections, std::inserter(due_, due_.end()));
}

// --- storing ---

Instant DatabaseSubscribers::stored_through() const {
  Instant first = Instant::never();
  for (const auto& [id, subscriber] : subscribers_) {
    first = std::min(first, subscriber->stored_through());
  }
  return first;
}

bool DatabaseSubscribers::has_unsaved() const {
  return std::ranges::any_of(subscribers_, [](const auto& subscriber) {
    return subscriber.second->has_unsaved() || subscriber.second->has_moved();
  });
}

Result<void> DatabaseSubscribers::write(const JobRun& job) {
  std::vector<Subscriber*> changed;
  for (const auto& [id, subscriber] : subscribers_) {
    if (subscriber->has_unsaved() || subscriber->has_moved()) changed.push_back(subscriber.get());
  }
  if (!standing_.empty() && !changed.empty()) TRY(ensure_subscription_tables(database_, info_->id));
  for (std::size_t i = 0; i < changed.size();) {
    const std::size_t first = i;
    std::vector<SubscriptionProgress> written;
    std::size_t bytes = 0;
    for (; i < changed.size() && i - first < limits::subscribers_at_once &&
           bytes < limits::letter_bytes_at_once;
         ++i) {
      written.push_back(changed[i]->progress());
      bytes += changed[i]->new_bytes();
    }
    const bool must_sync =
        std::any_of(changed.begin() + first, changed.begin() + i,
                    [](const Subscriber* subscriber) { return subscriber->has_given_up(); });
    std::vector<std::vector<LogRow>> cancelled;
    TRY(database_.transact([&](Transaction& transaction) -> Result<void> {
      cancelled.clear();
      TRY(job.check_lease(transaction));
      for (std::size_t n = first; n < i; ++n) {
        TRY(write_progress(transaction, *changed[n], written[n - first]));
        cancelled.push_back(TRY(write_log(transaction, *changed[n])));
      }
      return {};
    }));
    // The next message of a document is sent only once it is durable that the one before was given
    // up.
    if (must_sync) database_.store().sync(database_.store().applied());
    for (std::size_t n = first; n < i; ++n) {
      changed[n]->record_stored(written[n - first]);
      for (const LogRow& row : cancelled[n - first]) changed[n]->apply(row);
    }
  }
  return {};
}

Result<void> DatabaseSubscribers::write_progress(Transaction& transaction, Subscriber& subscriber,
                                                 const SubscriptionProgress& progress) const {
  View& view = transaction.view();
  const Catalog& catalog = view.catalog();
  const std::string& id = subscriber.subscription().id;
  bool begins_again = false;  // a client has requested it meanwhile
  if (!subscriber.subscription().is_standing) {
    const auto row =
        TRY(PrivateTable<Subscription>::find(catalog, info_->id).get(view, DocumentKey::of(id)));
    // It was removed meanwhile, or replaced by another with the same id.
    if (!row || row->created_at != subscriber.subscription().created_at) return {};
    begins_again = row->round != subscriber.subscription().round;
  }
  if (!begins_again) {
    TRY(PrivateTable<SubscriptionProgress>::find(catalog, info_->id)
            .put(transaction, DocumentKey::of(id), progress));
  }
  const auto dead = PrivateTable<DeadLetter>::find(catalog, info_->id);
  const PutOptions month{.lifetime =
                             Lifetime{At{transaction.now() + limits::dead_letters_kept_for}}};
  for (const DeadLetter& letter : subscriber.new_letters()) {
    TRY(dead.put(transaction, letter.key(), letter, month));
  }
  const auto again = PrivateTable<DeadLetter>::find(catalog, info_->id, DeadLetter::again);
  for (const std::string& message : subscriber.sent_letters()) {
    const DocumentKey key = DeadLetter::key_of(id, message);
    if (TRY(again.get(view, key))) TRY(again.remove(transaction, key));
  }
  return {};
}

// Gives the rows that clients have changed meanwhile. They are kept, unless the message was
// delivered.
Result<std::vector<LogRow>> DatabaseSubscribers::write_log(Transaction& transaction,
                                                           Subscriber& subscriber) const {
  std::vector<LogRow> changed;
  if (subscriber.new_log().empty()) return changed;
  View& view = transaction.view();
  const auto table = PrivateTable<LogRow>::find(view.catalog(), info_->id);
  const auto again = PrivateTable<DeadLetter>::find(view.catalog(), info_->id, DeadLetter::again);
  for (const auto& [id, row] : subscriber.new_log()) {
    auto before = TRY(table.get(view, row.key()));
    const bool was_asked = before && before->asked_at > row.asked_at;
    if (was_asked && row.status != LogRow::Status::delivered) {
      // The engine has given it up, but the client has asked for further attempts.
      const bool begins_again =
          row.status == LogRow::Status::failed && before->status == LogRow::Status::pending;
      if (begins_again) {
        TRY(again.put(transaction, row.key(),
                      {.subscription = row.subscription, .message = row.message},
                      LogRow::kept_from(transaction.now())));
        subscriber.has_letters_left = true;
      }
      changed.push_back(*std::move(before));
      continue;
    }
    const PutOptions options = before ? PutOptions() : LogRow::kept_from(transaction.now());
    TRY(table.put(transaction, row.key(), row, options));
  }
  return changed;
}

}  // namespace mayfly::delivery
