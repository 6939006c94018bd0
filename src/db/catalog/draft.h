// A change of the catalog: a draft of the new catalog, the rows that store it, and the one commit
// that publishes it. Private to db/.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/service/kill_point.h"
#include "db/database_state.h"
#include "db/expiry/read_ends.h"
#include "db/rows/keys.h"

namespace mayfly {

// A new catalog in preparation, and the rows that will store it.
struct Draft {
  std::shared_ptr<Catalog> catalog;
  store::CommitBatch batch;
  std::vector<CollectionId> changed = {};
  std::map<CollectionId, Watermarks::Rows> watermarks = {};
  bool takes_ids = false;
  std::optional<CollectionId> with_changed_ends = {};  // the sweeper reads its ends again

  std::uint32_t take_id() {
    takes_ids = true;
    return catalog->next_id++;
  }
  // Puts the row of the next id, after all ids have been taken.
  void put_next_id() {
    if (!takes_ids) return;
    Bytes row;
    put_u32(row, catalog->next_id);
    guard(keys::next_id(), catalog->next_id_version);
    batch.puts.push_back({keys::next_id(), std::move(row)});
  }
  DatabaseInfoPtr put(DatabaseInfo info) {
    guard(keys::database(info.id), info.row_version);
    batch.puts.push_back({keys::database(info.id), encode(info)});
    auto shared = std::make_shared<const DatabaseInfo>(std::move(info));
    catalog->put(shared);
    return shared;
  }
  CollectionPtr put(Collection info) {
    guard(keys::collection(info.id), info.row_version);
    batch.puts.push_back({keys::collection(info.id), encode(info)});
    changed.push_back(info.id);
    auto shared = std::make_shared<const Collection>(std::move(info));
    catalog->put(shared);
    return shared;
  }
  // Moves the watermarks behind the documents that have expired before the collection publishes
  // ends or does anything about them. Compaction may have dropped their rows, and after a crash
  // those may be there again.
  void skip_expired(const Collection& collection, Instant at) {
    watermarks.emplace(collection.id, watermarks_behind_expired(collection, at - Span{1}));
  }
  // Guards that the row is as the catalog has it; from now on the row has the version of this
  // commit.
  void guard(Bytes row, store::Version& seen) {
    if (seen != batch.version) batch.points.push_back({std::move(row), seen});
    seen = batch.version;
  }
  // Gives the same database or collection another name.
  void rename(const DatabaseInfo& before, DatabaseInfo after) {
    catalog->remove_database(before.id);
    put(std::move(after));
  }
  void rename(const Collection& before, Collection after) {
    catalog->remove_collection(before.id);
    put(std::move(after));
  }
  void drop(CollectionId id) {
    if (const CollectionPtr known = catalog->any_collection(id)) {
      batch.points.push_back({keys::collection(id), known->row_version});
    }
    batch.removals.push_back(keys::collection(id));
    for (const keys::Queue queue : published_queues) {
      batch.removals.push_back(keys::watermark(id, queue));
    }
    batch.puts.push_back({keys::dropped(id), {}});
    batch.space = store::CommitBatch::Space::less;
    catalog->remove_collection(id);
    changed.push_back(id);
  }
  void drop_database(DatabaseId id) {
    if (const DatabaseInfoPtr known = catalog->any_database(id)) {
      batch.points.push_back({keys::database(id), known->row_version});
    }
    batch.removals.push_back(keys::database(id));
    catalog->remove_database(id);
  }
};

inline tl::unexpected<Error> no_such(const char* what) {
  return fail(Code::not_found, std::string("there is no such ") + what);
}

// Adds a database with a new id. Fails with exists, too_large.
Result<DatabaseInfoPtr> add_database(Draft& draft, DatabaseInfo info);

// An index with the collection's next id, not ready. Fails as Database::create_index.
Result<Index> new_index(const IndexSpec& spec, const Collection& collection);

// Changes a collection. `horizon` is that of the open views, read before the commit. Fails as
// Database::change_collection, and with contended if ends of the collection must be recorded first.
Result<CollectionPtr> put_changed(Database::State& state, Draft& draft, Instant at, Instant horizon,
                                  CollectionId id, const CollectionChange& requested);

// Completes the draft's batch, which is about to be committed.
inline void complete(const Database::State& state, Draft& draft) {
  draft.put_next_id();
  for (const auto& [id, rows] : draft.watermarks) state.watermarks.put(id, rows, draft.batch);
}

// Publishes the draft as the catalog. Called within the commit, after the store has committed.
inline void publish(Database::State& state, Draft& draft) {
  for (const auto& [id, rows] : draft.watermarks)
    state.watermarks.advance(id, rows, draft.batch.version);
  state.publish(std::move(draft.catalog), draft.batch.version);
  // Within the commit, so that a reader at a later now finds the ends of the new policy due.
  if (draft.with_changed_ends) state.sweeper->look_again(*draft.with_changed_ends);
  for (const CollectionId id : draft.changed) state.feed->note(id);
  KILL_POINT("catalog.published");
}

// One attempt at change_catalog(). `is_refused`: the store refused it because of a guard.
template <class Edit>
Result<void> try_change_catalog(Database::State& state, const Edit& edit, bool& is_refused) {
  TRY(state.committer.run([&](Instant at) -> Result<void> {
    Draft draft{std::make_shared<Catalog>(*state.current()), {}};
    draft.batch.version = records::to_version(at);
    TRY(edit(draft, at));
    complete(state, draft);
    KILL_POINT("catalog.before_commit");
    const auto committed = state.committer.apply(draft.batch);
    is_refused = !committed && committed.error().code == Code::contended;
    TRY(Result<void>(committed));
    KILL_POINT("catalog.committed");
    publish(state, draft);
    return {};
  }));
  return {};
}

// Runs `edit(draft, at)` on a copy of the catalog, commits its rows and publishes it. Runs again if
// it loses a race for a row of the catalog.
template <class Edit>
Result<void> change_catalog(Database::State& state, const Edit& edit) {
  for (int attempt = 1;; ++attempt) {
    bool is_refused = false;
    auto done = try_change_catalog(state, edit, is_refused);
    if (done || !is_refused || attempt == limits::commit_attempts_max) return done;
  }
}

}  // namespace mayfly
