// Database's transactions: how they begin, are checked, and are committed.
#include <set>
#include <thread>

#include "base/check.h"
#include "base/service/kill_point.h"
#include "base/threads/thread.h"
#include "db/catalog/change_with.h"
#include "db/catalog/draft.h"
#include "db/database_state.h"
#include "db/limits.h"
#include "db/rows/keys.h"

namespace mayfly {

Transaction Database::begin() {
  State& s = *state_;
  s.foreground.fetch_add(1, std::memory_order_relaxed);
  OpenViews::Token token = s.open_views.enter();
  CatalogPtr catalog = s.current();
  const Instant now = s.clock.read();
  auto view =
      std::make_unique<View::State>(*s.store, now, std::move(catalog), nullptr, std::move(token));
  view->overlay = std::make_unique<Overlay>();
  auto state = std::make_unique<TransactionState>(View(std::move(view)), *s.sweeper);
  // Everything is read after this: commits up to this version need no second check.
  state->since = s.store->applied();
  return Transaction(std::move(state));
}

namespace {

// Fails with contended if a collection that the transaction used or read has changed since.
Result<void> check_catalog(const Catalog& catalog, const Overlay& overlay) {
  for (const auto& [id, seen] : overlay.collections) {
    const CollectionPtr current = catalog.any_collection(id);
    if (current && current->row_version == seen) continue;
    return fail(Code::contended, "a collection has been changed meanwhile");
  }
  return {};
}

// The same for the rows of the catalog, which another server may have written.
void guard_catalog(const Overlay& overlay, store::CommitBatch& batch) {
  for (const auto& [id, seen] : overlay.collections) {
    batch.points.push_back({keys::collection(id), seen});
  }
}

// The collection that changes with the transaction, beside its writes.
Result<void> draft_change(Database::State& s, TransactionState& t, Instant at, Instant horizon,
                          Draft& draft) {
  const auto& [id, change] = *t.changed;
  CHECK(!t.used.contains(id));  // its documents would be written by its old definition
  draft.catalog = std::make_shared<Catalog>(*s.current());
  auto put = put_changed(s, draft, at, horizon, id, change);
  if (!put && put.error().code == Code::contended) t.to_flush = id;
  TRY(std::move(put));
  complete(s, draft);
  return {};
}

// For a transaction that does not commit. Fails with contended if what it was shown may not have
// existed together. Rows are checked first, because a collection is changed before rows of it are
// removed.
Result<void> validate(Database::State& s, TransactionState& t) {
  const Overlay& overlay = t.view.overlay();
  if (!overlay.needs_validation() || s.store->applied() == t.since) return {};
  TRY(overlay.check_guards(*s.store));
  return check_catalog(*s.current(), overlay);
}

// For all collections that keep a record of purges.
std::vector<Purged> all_purged_by(const TransactionState& t, Instant at) {
  std::vector<Purged> purged;
  for (const auto& [id, collection] : t.used) {
    if (collection->policy.purges.span == Span{0}) continue;
    purged.push_back({collection.get(), purged_by(t, id, at)});
  }
  return purged;
}

}  // namespace

Result<Instant> Database::commit(TransactionState& t) {
  State& s = *state_;
  if (t.writes.empty() && t.raw_puts.empty() && !t.changed) {
    TRY(validate(s, t));
    return t.view.now();
  }
  const Instant horizon = t.changed ? s.open_views.horizon() : Instant::never();
  auto committed = s.committer.run([&](Instant at) -> Result<void> {
    KILL_POINT("commit.begun");
    if (at >= t.view.overlay().alive_until()) {
      return fail(Code::contended, "a document that was read has expired meanwhile");
    }
    TRY(check_catalog(*s.current(), t.view.overlay()));
    std::vector<ScheduledEnd> ends;
    store::CommitBatch batch = TRY(batch_of(t, at, ends));
    Draft draft{{}, std::move(batch)};
    t.view.overlay().put_guards(draft.batch);
    guard_catalog(t.view.overlay(), draft.batch);
    if (t.changed) TRY(draft_change(s, t, at, horizon, draft));
    KILL_POINT("commit.built");
    TRY(s.committer.apply(draft.batch, Visible::yes, all_purged_by(t, at)));
    if (t.changed) publish(s, draft);
    raise_commit_numbers(t, at);
    KILL_POINT("commit.visible");
    // The commit stands, even if memory runs out in what follows.
    const auto note = [&] { s.note_commit(t, ends); };
    run_guarded("the notes of a commit", std::cref(note));
    return {};
  });
  KILL_POINT("commit.scheduled");
  if (!committed) return committed;
  t.committed_at = *committed;
  return committed;
}

void Database::State::note_commit(const TransactionState& t,
                                  const std::vector<ScheduledEnd>& ends) {
  for (const ScheduledEnd& end : ends) sweeper->schedule(end.collection, end.end);
  for (const auto& [id, changes] : t.ledger_changes) ledger->add_pending(id, changes);
  if (t.is_behind_sweeper) {
    for (const auto& [id, collection] : t.used) sweeper->look_again(id);
  }
  if (!feed->is_watched()) return;
  for (const auto& [place, write] : t.writes) feed->note(place.first);
}

Result<Instant> Database::transact(const Work& work, const Committed& committed) {
  Error last;
  CommitFairness::Priority priority;
  std::set<CollectionId> flushed;
  for (int attempt = 0; attempt < limits::commit_attempts_max;) {
    if (state_->committer.fairness().is_taken() && NoWait::refuses()) {
      return fail(Code::contended, "another transaction has priority");
    }
    state_->committer.fairness().begin_attempt(attempt, priority);
    Transaction transaction = begin();
    auto done = work(transaction);
    Result<Instant> at = fail(Code::internal, "");
    if (done) {
      at = commit(*transaction.state_);
      if (at) {
        if (committed) committed(transaction, *at);
        return at;
      }
    } else {
      const auto valid = validate(*state_, *transaction.state_);
      at = tl::unexpected(valid ? std::move(done).error() : valid.error());
    }
    if (at.error().code != Code::contended || NoWait::refuses()) return at;
    last = std::move(at).error();
    // The commit that won may still be in progress, and would win again: so wait for it.
    {
      const auto ended = state_->committer.block_commits();
    }
    const auto to_flush = transaction.state_->to_flush;
    if (to_flush) TRY(state_->sweeper->flush_expirations(*to_flush));
    // When a collection's ends had to be recorded for the first time, no race was lost.
    if (!to_flush || !flushed.insert(*to_flush).second) ++attempt;
  }
  return tl::unexpected(std::move(last));
}

void change_with(Transaction& transaction, CollectionId id, CollectionChange change) {
  Database::State::of(transaction)
      .changed.emplace(TransactionState::Changed{id, std::move(change)});
}

}  // namespace mayfly
