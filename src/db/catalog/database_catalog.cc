// Database's changes to the catalog. Each is one commit, and visible to every later reader.
#include <algorithm>
#include <functional>

#include "base/limits.h"
#include "base/service/kill_point.h"
#include "base/service/logging.h"
#include "db/catalog/draft.h"
#include "db/ledger/state.h"

namespace mayfly {
namespace {

Result<void> check_default(const CollectionChange& change) {
  if (!change.default_lifetime) return {};
  const After* after = std::get_if<After>(&*change.default_lifetime);
  if (after == nullptr) return {};
  const std::int64_t seconds = after->span.whole_seconds();
  if (seconds >= 1 && seconds <= limits::ttl_seconds_max) return {};
  return fail(Code::invalid, "a default lifetime is from 1 to " +
                                 std::to_string(limits::ttl_seconds_max) + " seconds");
}

Result<void> apply_expires_to_trash(const CollectionChange& change, Instant at, Policy& policy) {
  const bool before = !policy.expired_to_trash_since.is_never();
  const bool after = change.expires_to_trash.value_or(before);
  if (after && policy.trash.span == Span{0}) {
    return fail(Code::invalid, "expire_to_trash needs a trash: set keep_trash_for",
                "expire_to_trash");
  }
  if (after != before) policy.expired_to_trash_since = after ? at : Instant::never();
  return {};
}

// Marks the indexes that belong to the definition that is being written.
Result<void> mark_definition(const std::vector<IndexSpec>& of_definition, Collection& collection) {
  for (const IndexSpec& spec : of_definition) {
    const auto is_it = [&](const Index& index) {
      return index.is_ready && has_content(index, spec);
    };
    const auto found = std::find_if(collection.indexes.begin(), collection.indexes.end(), is_it);
    if (found != collection.indexes.end()) {
      found->is_of_definition = true;
    } else if (spec.entries != Entries::cut) {
      return fail(Code::stale, "the index '" + spec.name + "' has been changed meanwhile");
    }
  }
  return {};
}

Result<void> apply(const CollectionChange& change, Instant at, Collection& collection) {
  TRY(check_default(change));
  Policy& policy = collection.policy;
  if (change.default_lifetime) policy.change_default(*change.default_lifetime, at);
  if (policy.timeline.size() > limits::policy_changes_max) {
    return fail(Code::throttled,
                "the default lifetime has been changed too often; wait until earlier defaults are "
                "no longer needed");
  }
  if (change.stamp) policy.stamp = *change.stamp;
  if (change.writers_may_set_lifetime) {
    policy.writers_may_set_lifetime = *change.writers_may_set_lifetime;
  }
  if (change.keep_history_for)
    policy.history = policy.history.changed(*change.keep_history_for, at);
  if (change.keep_trash_for) policy.trash = policy.trash.changed(*change.keep_trash_for, at);
  if (change.keep_feed_for) policy.feed = policy.feed.changed(*change.keep_feed_for, at);
  if (change.keep_purges_for) policy.purges = policy.purges.changed(*change.keep_purges_for, at);
  TRY(apply_expires_to_trash(change, at, policy));
  if (change.is_indexed) policy.is_indexed = *change.is_indexed;
  if (!policy.is_indexed && !std::holds_alternative<Unset>(policy.current_default())) {
    return fail(Code::invalid, "a collection without indexing has no default lifetime",
                change.is_indexed ? "indexed" : "default");
  }
  TRY(mark_definition(change.definition_indexes, collection));
  if (change.body) collection.body = *change.body;
  for (const auto& [name, text] : change.facets) {
    if (text) {
      collection.facets[name] = *text;
    } else {
      collection.facets.erase(name);
    }
  }
  collection.changed_at = at;
  return {};
}

// Whether the change restarts the feed or the record of purges.
bool restarts_records(const Policy& before, const Policy& after) {
  return before.feed.since != after.feed.since || before.purges.since != after.purges.since;
}

Result<void> check_new(const Catalog& catalog, DatabaseId database, const CollectionSpec& spec) {
  if (!catalog.any_database(database)) return no_such("database");
  if (catalog.is_internal_at(database, spec.name) != spec.is_internal) {
    return fail(Code::invalid, "only the name of an internal collection begins with '#'", "name");
  }
  if (catalog.find_collection(database, spec.name) || catalog.find_internal(database, spec.name)) {
    return fail(Code::exists, "there is already a collection named '" + spec.name + "'", "name");
  }
  if (catalog.all_collections().size() >= limits::collections_max) {
    return fail(Code::too_large, "there are too many collections");
  }
  return {};
}

}  // namespace

Result<Index> new_index(const IndexSpec& spec, const Collection& collection) {
  TRY(check_name(spec.name, "index", "name"));
  if (collection.find_index(spec.name) != nullptr) {
    return fail(Code::exists, "there is already an index named '" + spec.name + "'", "name");
  }
  if (collection.indexes.size() >= limits::indexes_per_collection_max) {
    return fail(Code::too_large, "a collection has at most " +
                                     std::to_string(limits::indexes_per_collection_max) +
                                     " indexes");
  }
  if (spec.fields.empty() || spec.fields.size() > limits::fields_per_index_max) {
    return fail(
        Code::invalid,
        "an index has from 1 to " + std::to_string(limits::fields_per_index_max) + " fields",
        "fields");
  }
  if (spec.entries == Entries::cut && spec.unique != Uniqueness::none) {
    return fail(Code::invalid, "an index of cut values cannot be unique", "unique");
  }
  static const std::vector<std::string_view> indexable{
      "id", "created_at", "written_at", "revision", "author", "updater", "id_number", "ends_at"};
  for (const IndexField& indexed : spec.fields) {
    if (indexed.computed && indexed.is_each) {
      return fail(Code::invalid, "an expression is indexed as a whole", "fields");
    }
    if (indexed.field.part == Part::body) continue;
    const std::string name = indexed.field.render().substr(1);
    if (std::find(indexable.begin(), indexable.end(), name) == indexable.end()) {
      return fail(Code::invalid, "'" + name + "' cannot be indexed", "fields");
    }
  }
  return Index{.id = collection.next_index,
               .name = spec.name,
               .fields = spec.fields,
               .unique = spec.unique,
               .entries = spec.entries,
               .is_of_definition = spec.is_of_definition};
}

namespace {

Result<CollectionPtr> add_collection(Draft& draft, Instant at, DatabaseId database,
                                     const CollectionSpec& spec) {
  TRY(check_new(*draft.catalog, database, spec));
  Collection c{.database = database, .name = spec.name, .created_at = at};
  c.commits->begin_at(at);
  c.policy.default_counts_from = spec.default_counts_from;
  TRY(apply(spec.promises, at, c));
  for (const IndexSpec& index : spec.indexes) {
    c.indexes.push_back(TRY(new_index(index, c)));
    c.indexes.back().is_ready = true;
    c.indexes.back().past_since = at;
    ++c.next_index;
  }
  c.id = draft.take_id();
  draft.batch.puts.push_back({keys::ledger_state(c.id), ledger::encode_state(at)});
  return draft.put(std::move(c));
}

Result<void> check_database_name(const std::string& name) {
  TRY(check_name(name, "database", "name"));
  if (!is_internal(name)) return {};
  return fail(Code::invalid, "the name of a database must not begin with '#'", "name");
}

}  // namespace

bool has_content(const Index& index, const IndexSpec& spec) {
  return index.name == spec.name && index.fields == spec.fields && index.unique == spec.unique &&
         index.entries == spec.entries;
}

Result<DatabaseInfoPtr> add_database(Draft& draft, DatabaseInfo info) {
  const Catalog& catalog = *draft.catalog;
  if (catalog.find_database(info.name) || catalog.find_internal_database(info.name)) {
    return fail(Code::exists, "there is already a database named '" + info.name + "'", "name");
  }
  if (catalog.database_count() >= limits::databases_max) {
    return fail(Code::too_large, "there are too many databases");
  }
  info.id = draft.take_id();
  return draft.put(std::move(info));
}

Result<DatabaseInfoPtr> Database::create_database(const std::string& name, Facets facets) {
  TRY(check_database_name(name));
  DatabaseInfoPtr created;
  TRY(change_catalog(*state_, [&](Draft& draft, Instant at) -> Result<void> {
    created = TRY(add_database(draft, {.name = name, .created_at = at, .facets = facets}));
    return {};
  }));
  return created;
}

Result<CollectionPtr> Database::create_collection(DatabaseId database, const CollectionSpec& spec) {
  TRY(check_name(spec.name, "collection", "name"));
  CollectionPtr created;
  TRY(change_catalog(*state_, [&](Draft& draft, Instant at) -> Result<void> {
    created = TRY(add_collection(draft, at, database, spec));
    return {};
  }));
  return created;
}

Result<CollectionPtr> Database::create_collection(const DatabaseSpec& database,
                                                  const CollectionSpec& spec) {
  TRY(check_database_name(database.name));
  TRY(check_name(spec.name, "collection", "name"));
  CollectionPtr created;
  TRY(change_catalog(*state_, [&](Draft& draft, Instant at) -> Result<void> {
    DatabaseInfoPtr within = draft.catalog->find_database(database.name);
    if (!within) {
      within = TRY(add_database(
          draft, {.name = database.name, .created_at = at, .facets = database.facets}));
    }
    created = TRY(add_collection(draft, at, within->id, spec));
    return {};
  }));
  return created;
}

Result<CollectionPtr> Database::ensure_collection(DatabaseId database, const CollectionSpec& spec) {
  const auto find = [&] {
    const CatalogPtr known = catalog();
    return spec.is_internal ? known->find_internal(database, spec.name)
                            : known->find_collection(database, spec.name);
  };
  if (CollectionPtr found = find()) return found;
  auto made = create_collection(database, spec);
  if (made || made.error().code != Code::exists) return made;
  // Another request may have been faster, and a third one may have dropped the collection since.
  if (CollectionPtr found = find()) return found;
  return fail(Code::contended, "the database has been dropped meanwhile");
}

namespace {

// Removes defaults of the past that no reader can ask about and no unrecorded death depends on.
void fold_past(const Database::State& state, Collection& collection, Instant horizon) {
  const Instant recorded = state.sweeper->recorded_through(collection.id);
  collection.policy.fold(std::min(collection.policy.history.floor(horizon), recorded));
}

}  // namespace

Result<CollectionPtr> put_changed(Database::State& state, Draft& draft, Instant at, Instant horizon,
                                  CollectionId id, const CollectionChange& requested) {
  const CollectionPtr current = draft.catalog->any_collection(id);
  if (!current) return no_such("collection");
  if (requested.if_changed_at && *requested.if_changed_at != current->changed_at) {
    return fail(Code::stale, "the collection has been changed meanwhile");
  }
  // Where expired documents go to the trash, each death belongs to one side of the change. A death
  // at the same instant comes after it, like those that the change causes.
  const bool flushes_expirations = !current->policy.expired_to_trash_since.is_never();
  if (flushes_expirations && !state.sweeper->has_recorded(id, at - Span{1})) {
    return fail(Code::contended, "deaths of the collection are still to be recorded");
  }
  Collection c = *current;
  TRY(apply(requested, at, c));
  // Ends before the start of a policy have no event under it, so ends that the previous policy
  // publishes are recorded first.
  if (restarts_records(current->policy, c.policy) && current->policy.publishes_ends() &&
      !state.sweeper->has_recorded(id, at - Span{1})) {
    return fail(Code::contended, "ends of the collection are still to be recorded");
  }
  fold_past(state, c, horizon);
  if (leaves_ends_to_compaction(current->policy) && !leaves_ends_to_compaction(c.policy))
    draft.skip_expired(c, at);
  // Before as well as after the commit, so that at no instant between them the ends of the old
  // policy are taken for those of the new one.
  state.sweeper->look_again(id);
  draft.with_changed_ends = id;
  return draft.put(std::move(c));
}

Result<CollectionPtr> Database::change_collection(CollectionId id,
                                                  const CollectionChange& requested) {
  for (int attempt = 0; attempt < limits::commit_attempts_max; ++attempt) {
    const Instant horizon = state_->open_views.horizon();
    CollectionPtr changed;
    const auto done = change_catalog(*state_, [&](Draft& draft, Instant at) -> Result<void> {
      changed = TRY(put_changed(*state_, draft, at, horizon, id, requested));
      return {};
    });
    if (done) return changed;
    if (done.error().code != Code::contended) return tl::unexpected(done.error());
    TRY(state_->sweeper->flush_expirations(id));
  }
  return fail(Code::contended, "deaths of the collection are still to be recorded");
}

}  // namespace mayfly
