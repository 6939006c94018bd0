#include "dialect/fauna/schema/apply.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <mutex>
#include <set>

#include "base/service/logging.h"
#include "db/rows/keys.h"
#include "dialect/fauna/database_path.h"
#include "dialect/fauna/limits.h"
#include "dialect/fauna/schema/definition.h"
#include "dialect/fauna/schema/indexes/index_specs.h"
#include "dialect/fauna/schema/system.h"
#include "value/packed/packed.h"

namespace mayfly::fauna {
namespace {

// REACH DISK: names of facets. On the system table: the applied version of the schema. On a
// collection or database that the schema has created: when its document was created.
constexpr std::string_view applied_facet = "fauna applied";
constexpr std::string_view created_facet = "fauna";

constexpr std::int64_t seconds_of_a_day = 24 * 60 * 60;
constexpr std::int64_t policy_days_max = 3'000'000;  // beyond the year 9999

std::string text_of(Instant t) {
  return std::to_string(t.micros);
}

mayfly::Span days(std::int64_t n) {
  return mayfly::Span::seconds(std::min(n, policy_days_max) * seconds_of_a_day);
}

CollectionChange promises_of(const CollectionDefinition& definition, Instant began) {
  const mayfly::Span kept{days(definition.history_days).micros + history_margin.micros};
  CollectionChange change{.writers_may_set_lifetime = definition.allows_document_ttl(),
                          .keep_history_for = kept,
                          .keep_feed_for = kept};
  std::optional<Stamp> stamp;
  if (definition.ttl_days && *definition.ttl_days > 0) {
    stamp = Stamp{days(*definition.ttl_days), Stamp::When::every_write};
  }
  change.stamp = stamp;
  change.facets[std::string(created_facet)] = text_of(began);
  return change;
}

// A document of the schema.
struct SchemaDocument {
  Instant began;
  Instant written_at;
  Value body;
};
using DocumentsByName = std::map<std::string, SchemaDocument>;

Result<DocumentsByName> read_documents(View& view, const Collection& table,
                                       const SystemCollection& kind) {
  DocumentsByName specs;
  TRY(each_of_system(view, table, kind, [&](const Document& document) -> Result<void> {
    specs[std::string(id_in_table(document.id))] = {
        document.created_at, document.version.written_at, document.body.unpack()};
    return {};
  }));
  return specs;
}

bool has_facet(const Facets& facets, std::string_view value) {
  const auto found = facets.find(created_facet);
  return found != facets.end() && found->second == value;
}

bool is_made_by_schema(const Facets& facets) {
  return facets.contains(created_facet);
}

// Whether an error is permanent, so that a retry is useless. `forbidden` means that a document is
// under hold, or that another API prevents the change.
bool is_final(Code code) {
  return code == Code::invalid || code == Code::too_large || code == Code::forbidden;
}

void log_skipped(const Error& error) {
  log(LogLevel::error, "a part of a schema could not be applied", {{"error", error.message}});
}

// Accepts changes that another thread has made meanwhile. A permanent failure is logged and
// ignored, so that it does not prevent the rest of the schema from being applied.
template <class T>
Result<void> accept_done(Result<T> result) {
  if (result || result.error().code == Code::exists || result.error().code == Code::not_found) {
    return {};
  }
  if (!is_final(result.error().code)) return tl::unexpected(std::move(result).error());
  log_skipped(result.error());
  return {};
}

Result<void> drop_other_indexes(Database& database, const Collection& collection,
                                const std::vector<IndexSpec>& specs) {
  for (const Index& index : collection.indexes) {
    const bool stays = std::any_of(specs.begin(), specs.end(),
                                   [&](const IndexSpec& spec) { return has_content(index, spec); });
    if (!stays) TRY(accept_done(database.drop_index(collection.id, index.name)));
  }
  return {};
}

// Names of indexes that cannot exist because of existing documents.
using FailedIndexes = std::set<std::string>;

Result<FailedIndexes> make_indexes(Database& database, const Collection& collection,
                                   const std::vector<IndexSpec>& specs) {
  FailedIndexes failed;
  for (const IndexSpec& spec : specs) {
    const Index* there = collection.find_index(spec.name);
    if (there != nullptr && has_content(*there, spec)) continue;
    const auto made = database.create_index(collection.id, spec);
    if (made) continue;
    const Code code = made.error().code;
    if (code == Code::not_found) return failed;
    if (code != Code::exists && !is_final(code)) return tl::unexpected(made.error());
    log_skipped(made.error());
    failed.insert(spec.name);
  }
  return failed;
}

// Sets the status of failed indexes; false if there are none.
Result<bool> mark_failed(Value& body, const FailedIndexes& failed) {
  const CollectionDefinition definition = read_definition("", body);
  const Value failing(std::string("failed"));
  bool is_any = false;
  for (const IndexDefinition& index : definition.indexes) {
    if (index.is_failed || !failed.contains(core_index_name(index))) continue;
    TRY(set_at(body, Path{{"indexes", index.name, "status"}}, failing));
    is_any = true;
  }
  const Value constraints = body.member("constraints");
  std::size_t of_unique = 0;
  for (std::size_t i = 0; constraints.is(Kind::array) && i < constraints.array().size(); ++i) {
    if (Value(constraints.array()[i]).member("unique").is_missing()) continue;
    const UniqueDefinition& unique = definition.uniques[of_unique++];
    if (unique.is_failed || !failed.contains(core_index_name(unique))) continue;
    TRY(set_at(body, Path{{"constraints", i, "status"}}, failing));
    is_any = true;
  }
  return is_any;
}

// Writes the status into the collection's document, unless the document has changed since.
Result<void> record_failed(Database& database, const CollectionPtr& table, const std::string& name,
                           const SchemaDocument& specs, const FailedIndexes& failed) {
  if (failed.empty()) return {};
  const DocumentKey key = system_key(*find_system("Collection"), name);
  return database
      .transact([&](Transaction& transaction) -> Result<void> {
        View& view = transaction.view();
        const auto row = TRY(view.get(*table, key, view.live()));
        if (!row || row->version.written_at != specs.written_at) return {};
        Value body = specs.body;
        if (!TRY(mark_failed(body, failed))) return {};
        const PutOptions options{.expect = PutOptions::Expect::present, .is_touch = true};
        TRY(transaction.put(table, key, TRY(pack(body)), options));
        return {};
      })
      .map([](Instant) {});
}

// An index that cannot be built does not prevent the creation of the collection.
Result<CollectionPtr> make_collection(Database& database, DatabaseId of, CollectionSpec spec) {
  auto made = database.create_collection(of, spec);
  if (made || !is_final(made.error().code)) return made;
  spec.indexes.clear();
  return database.create_collection(of, spec);
}

Result<FailedIndexes> apply_collection(Database& database, DatabaseId of, const std::string& name,
                                       const SchemaDocument& specs) {
  const CollectionDefinition definition = read_definition(name, specs.body);
  CollectionSpec spec{.name = name,
                      .promises = promises_of(definition, specs.began),
                      .indexes = core_indexes(definition),
                      .default_counts_from = CountsFrom::write};
  const CatalogPtr catalog = database.catalog();
  CollectionPtr there = catalog->find_collection(of, name);
  // This is a new collection: an earlier one with its name was deleted.
  if (there && is_made_by_schema(there->facets) &&
      !has_facet(there->facets, text_of(specs.began))) {
    TRY(accept_done(database.drop_collection(there->id)));
    there = nullptr;
  }
  if (!there) {
    auto made = make_collection(database, of, spec);
    if (!made) return accept_done(std::move(made)).map([] { return FailedIndexes(); });
    there = *std::move(made);
  } else {
    TRY(accept_done(database.change_collection(there->id, spec.promises)));
    TRY(drop_other_indexes(database, *there, spec.indexes));
  }
  return make_indexes(database, *there, spec.indexes);
}

Result<void> apply_collections(Database& database, DatabaseId of, const CollectionPtr& table,
                               const DocumentsByName& specs) {
  for (const auto& [name, one] : specs) {
    const FailedIndexes failed = TRY(apply_collection(database, of, name, one));
    TRY(record_failed(database, table, name, one, failed));
  }
  const CatalogPtr catalog = database.catalog();
  for (const CollectionPtr& there : catalog->collections(of)) {
    if (!is_made_by_schema(there->facets) || specs.contains(there->name)) continue;
    TRY(accept_done(database.drop_collection(there->id)));
  }
  return {};
}

// Their keys and tokens go with them, but the secrets are stored elsewhere
// (auth/orphaned_secrets.h).
Result<void> drop_with_children(Database& database, const std::string& name) {
  const CatalogPtr catalog = database.catalog();
  CatalogParts parts;
  for (const DatabaseInfoPtr& there : catalog->databases()) {
    if (there->name == name || there->name.starts_with(name + "."))
      parts.databases.insert(there->id);
  }
  if (parts.databases.empty()) return {};
  return accept_done(database.drop(parts));
}

bool is_child(const DatabasePath& parent, const std::string& name) {
  const DatabasePath child = database_path_of(name);
  return child.names.size() == parent.names.size() + 1 &&
         std::equal(parent.names.begin(), parent.names.end(), child.names.begin());
}

Result<void> apply_databases(Database& database, DatabaseId of, const DocumentsByName& specs) {
  const DatabasePath parent = database_path_of(database.catalog()->database(of)->name);
  std::set<std::string> names;
  for (const auto& [name, one] : specs) {
    const std::string core = parent.child(name).core_name();
    names.insert(core);
    const DatabaseInfoPtr there = database.catalog()->find_database(core);
    if (there && is_made_by_schema(there->facets) &&
        !has_facet(there->facets, text_of(one.began))) {
      TRY(drop_with_children(database, core));
    }
    const Facets facets{{std::string(created_facet), text_of(one.began)}};
    TRY(accept_done(database.create_database(core, facets)));
  }
  const CatalogPtr catalog = database.catalog();
  for (const DatabaseInfoPtr& there : catalog->databases()) {
    const bool is_left = is_made_by_schema(there->facets) && there->id != of &&
                         is_child(parent, there->name) && !names.contains(there->name);
    if (is_left) TRY(drop_with_children(database, there->name));
  }
  return {};
}

void log_unapplied(const Error& error) {
  log(LogLevel::warn, "a schema is still to be applied", {{"error", error.message}});
}

// Only one thread at a time applies a schema of a database: with an earlier schema, it would drop
// what a later one has created. Several databases may share a mutex.
std::timed_mutex& applying_of(DatabaseId database) {
  static std::array<std::timed_mutex, 64> all;
  return all[std::hash<DatabaseId>()(database) % all.size()];
}

}  // namespace

Result<Instant> schema_version(View& view, DatabaseId database) {
  const CollectionPtr table = view.catalog().find_internal(database, system_table);
  if (!table) return Instant::beginning();
  const auto row = TRY(view.get(*table, schema_version_key(), view.live()));
  return row ? row->version.written_at : Instant::beginning();
}

bool is_applied(const Catalog& catalog, DatabaseId database, Instant version) {
  if (version == Instant::beginning()) return true;
  const CollectionPtr table = catalog.find_internal(database, system_table);
  if (!table) return true;
  const auto facet = table->facets.find(applied_facet);
  return facet != table->facets.end() && facet->second == text_of(version);
}

namespace {

enum class Applied : std::uint8_t { is_enough, does_not_count };

Result<void> apply(Database& database, DatabaseId of, mayfly::Span wait, Applied before) {
  std::timed_mutex& applying = applying_of(of);
  const std::unique_lock alone(applying, std::chrono::microseconds(wait.micros));
  if (!alone) return fail(Code::contended, "another schema is being applied");
  View view = database.view();
  const CollectionPtr table = view.catalog().find_internal(of, system_table);
  if (!table) return {};
  const Instant version = TRY(schema_version(view, of));
  if (before == Applied::is_enough && is_applied(view.catalog(), of, version)) return {};
  const auto collections = TRY(read_documents(view, *table, *find_system("Collection")));
  TRY(apply_collections(database, of, table, collections));
  const auto databases = TRY(read_documents(view, *table, *find_system("Database")));
  TRY(apply_databases(database, of, databases));
  CollectionChange done;
  done.facets[std::string(applied_facet)] = text_of(version);
  return accept_done(database.change_collection(table->id, done));
}

}  // namespace

Result<void> apply_schema(Database& database, DatabaseId of, mayfly::Span wait) {
  return apply(database, of, wait, Applied::is_enough);
}

Result<void> reapply_schema(Database& database, DatabaseId of, mayfly::Span wait) {
  return apply(database, of, wait, Applied::does_not_count);
}

Result<void> ensure_schema_applied(Database& database, DatabaseId of) {
  View view = database.view();
  const Instant version = TRY(schema_version(view, of));
  if (is_applied(view.catalog(), of, version)) return {};
  const auto applied = apply_schema(database, of, limits::fql_apply_wait_max);
  if (!applied && applied.error().code != Code::contended) log_unapplied(applied.error());
  return {};
}

void apply_committed_schema(Database& database, DatabaseId of) {
  const auto applied = apply_schema(database, of);
  if (!applied) log_unapplied(applied.error());
}

Result<CollectionPtr> ensure_system_table(Database& database, DatabaseId of) {
  if (CollectionPtr there = database.catalog()->find_internal(of, system_table)) return there;
  CollectionSpec spec{.name = std::string(system_table),
                      .indexes = {{.name = "document", .fields = {{Field::body("document")}}}},
                      .is_internal = true};
  spec.promises.keep_history_for = history_margin;
  return database.ensure_collection(of, spec);
}

}  // namespace mayfly::fauna
