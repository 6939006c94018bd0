#include "delivery/engine/served.h"

#include <algorithm>
#include <iterator>

#include "delivery/standing.h"

namespace mayfly::delivery {

bool keeps_feed(const CollectionPtr& collection) {
  return collection && collection->policy.feed.span != Span{0};
}

// --- what there is ---

Result<std::vector<Served::Row>> Served::read_rows(View& view) const {
  const auto subscriptions = PrivateTable<Subscription>::find(view.catalog(), place_->id);
  const auto progress = PrivateTable<Progress>::find(view.catalog(), place_->id);
  std::vector<Row> rows;
  std::vector<Subscription> all = TRY(subscriptions.list(view));
  for (const Subscription& one : standing_) all.push_back(standing_in(*place_, one));
  for (Subscription& one : all) {
    Row row{.progress = {.place = one.from, .round = one.round}};
    const auto known = lines_.find(one.id);
    // One that was removed and made again under its id is another.
    const bool is_known =
        known != lines_.end() && known->second->subscription().created_at == one.created_at;
    const Line* before = is_known ? known->second.get() : nullptr;
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

Result<void> Served::read(std::uint64_t& epochs) {
  View view = database_.view();
  std::vector<Row> rows = TRY(read_rows(view));
  auto before = std::exchange(lines_, {});
  active_.clear();
  for (Row& row : rows) {
    const std::string id = row.subscription.id;
    auto& line = lines_[id];
    line = row.is_new ? std::make_unique<Line>(std::move(row.subscription), std::move(row.progress),
                                               ++epochs)
                      : std::move(before[id]);
    if (const Line* earlier = before[id].get()) line->note_earlier(*earlier);
    if (!line->subscription().is_paused) active_.push_back(line.get());
    line->has_letters_left = true;
  }
  std::vector<const Subscription*> subscriptions;
  for (const Line* line : active_) subscriptions.push_back(&line->subscription());
  matching_ = std::make_unique<Matching>(subscriptions);
  for (auto& [id, line] : lines_) {
    if (line->subscription().is_logged) TRY(take_up_log(view, *line));
  }
  return {};
}

// Those that have had an attempt have a row. What is not written down yet is newer.
Result<void> Served::take_up_log(View& view, Line& line) const {
  std::vector<std::string> waiting;
  for (const auto& [number, item] : line.window().items()) {
    const bool was_asked = item.asked_at != Instant::beginning();
    const bool has_row = item.attempts > 0 || item.is_dead_letter || was_asked;
    if (has_row && !line.new_log().contains(item.message->id)) waiting.push_back(item.message->id);
  }
  for (const std::string& id : waiting) {
    if (const auto row = TRY(logged(view, line, id))) line.take_up(*row);
  }
  return {};
}

Result<std::optional<LogRow>> Served::logged(View& view, const Line& line,
                                             const std::string& message) const {
  const auto table = PrivateTable<LogRow>::find(view.catalog(), place_->id);
  return table.get(view, LogRow::key_of(line.subscription().id, message));
}

Result<void> Served::read_letters(View& view, Line& line, const WindowBytes& bytes) const {
  const auto table = PrivateTable<DeadLetter>::find(view.catalog(), place_->id, DeadLetter::again);
  line.has_letters_left = false;
  return table.each(
      view,
      [&](DeadLetter letter) -> Result<bool> {
        const std::string& id = letter.message.id;
        if (line.window().has_dead_letter(id) || line.sent_letters().contains(id)) return true;
        line.has_letters_left = !line.window().has_room();
        if (line.has_letters_left) return false;
        const auto row = TRY(logged(view, line, id));
        if (!row) {
          line.window().add_dead_letter(bytes.hold(std::move(letter.message)));
        } else if (row->status == LogRow::Status::pending) {
          line.window().add_dead_letter(bytes.hold(std::move(letter.message)), row->attempts,
                                        row->next_at, row->asked_at);
        }
        return true;
      },
      DeadLetter::of(line.subscription().id));
}

std::set<CollectionId> Served::find_collections(const Catalog& catalog) {
  const std::set<CollectionId> before = std::exchange(collections_, {});
  if (!lines_.empty()) {
    for (const CollectionPtr& collection : catalog.collections(place_->id)) {
      if (keeps_feed(collection)) collections_.insert(collection->id);
    }
  }
  std::ranges::set_difference(collections_, before, std::inserter(due_, due_.end()));
  std::erase_if(due_, [this](CollectionId id) { return !collections_.contains(id); });
  return collections_;
}

void Served::note_news(const std::set<CollectionId>& collections) {
  std::ranges::set_intersection(collections_, collections, std::inserter(due_, due_.end()));
}

// --- what is written down ---

Instant Served::written_place() const {
  Instant first = Instant::never();
  for (const auto& [id, line] : lines_) first = std::min(first, line->written());
  return first;
}

bool Served::has_news() const {
  return std::ranges::any_of(
      lines_, [](const auto& line) { return line.second->has_news() || line.second->has_moved(); });
}

Result<void> Served::write(const JobRun& job) {
  std::vector<Line*> changed;
  for (const auto& [id, line] : lines_) {
    if (line->has_news() || line->has_moved()) changed.push_back(line.get());
  }
  if (!standing_.empty() && !changed.empty()) TRY(make_subscription_tables(database_, place_->id));
  for (std::size_t i = 0; i < changed.size();) {
    const std::size_t first = i;
    std::vector<Progress> written;
    std::size_t bytes = 0;
    for (; i < changed.size() && i - first < limits::lines_at_once &&
           bytes < limits::letter_bytes_at_once;
         ++i) {
      written.push_back(changed[i]->progress());
      bytes += changed[i]->new_bytes();
    }
    const bool is_to_be_sure = std::any_of(changed.begin() + first, changed.begin() + i,
                                           [](const Line* line) { return line->has_given_up(); });
    std::vector<std::vector<LogRow>> cancelled;
    TRY(database_.transact([&](Transaction& transaction) -> Result<void> {
      cancelled.clear();
      TRY(job.check_lease(transaction));
      for (std::size_t n = first; n < i; ++n) {
        TRY(write_line(transaction, *changed[n], written[n - first]));
        cancelled.push_back(TRY(write_log(transaction, *changed[n])));
      }
      return {};
    }));
    // The next message of a document is sent once it is sure that the one before was given up.
    if (is_to_be_sure) database_.store().sync(database_.store().applied());
    for (std::size_t n = first; n < i; ++n) {
      changed[n]->note_written(written[n - first]);
      for (const LogRow& row : cancelled[n - first]) changed[n]->take_up(row);
    }
  }
  return {};
}

Result<void> Served::write_line(Transaction& transaction, Line& line,
                                const Progress& progress) const {
  View& view = transaction.view();
  const Catalog& catalog = view.catalog();
  const std::string& id = line.subscription().id;
  bool begins_again = false;  // a client has said so meanwhile
  if (!line.subscription().is_standing) {
    const auto row =
        TRY(PrivateTable<Subscription>::find(catalog, place_->id).get(view, DocumentKey::of(id)));
    // Removed meanwhile, or another under its id.
    if (!row || row->created_at != line.subscription().created_at) return {};
    begins_again = row->round != line.subscription().round;
  }
  if (!begins_again) {
    TRY(PrivateTable<Progress>::find(catalog, place_->id)
            .put(transaction, DocumentKey::of(id), progress));
  }
  const auto dead = PrivateTable<DeadLetter>::find(catalog, place_->id);
  const PutOptions month{.lifetime =
                             Lifetime{At{transaction.now() + limits::dead_letters_kept_for}}};
  for (const DeadLetter& letter : line.new_letters()) {
    TRY(dead.put(transaction, letter.key(), letter, month));
  }
  const auto again = PrivateTable<DeadLetter>::find(catalog, place_->id, DeadLetter::again);
  for (const std::string& message : line.sent_letters()) {
    const DocumentKey key = DeadLetter::key_of(id, message);
    if (TRY(again.get(view, key))) TRY(again.remove(transaction, key));
  }
  return {};
}

// Gives the rows that clients have changed meanwhile: they stay, unless the message has arrived.
Result<std::vector<LogRow>> Served::write_log(Transaction& transaction, Line& line) const {
  std::vector<LogRow> changed;
  if (line.new_log().empty()) return changed;
  View& view = transaction.view();
  const auto table = PrivateTable<LogRow>::find(view.catalog(), place_->id);
  const auto again = PrivateTable<DeadLetter>::find(view.catalog(), place_->id, DeadLetter::again);
  for (const auto& [id, row] : line.new_log()) {
    auto before = TRY(table.get(view, row.key()));
    const bool was_asked = before && before->asked_at > row.asked_at;
    if (was_asked && row.status != LogRow::Status::delivered) {
      // It is given up here, and has its attempts before it there.
      const bool begins_again =
          row.status == LogRow::Status::failed && before->status == LogRow::Status::pending;
      if (begins_again) {
        TRY(again.put(transaction, row.key(),
                      {.subscription = row.subscription, .message = row.message},
                      LogRow::kept_from(transaction.now())));
        line.has_letters_left = true;
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
