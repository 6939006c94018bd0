#include "dialect/fauna/schema/apply.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "base/logging.h"
#include "db/keys.h"
#include "dialect/fauna/places.h"
#include "dialect/fauna/schema/definition.h"
#include "dialect/fauna/schema/system.h"

namespace mayfly::fauna {
namespace {

// REACH DISK: facets. Of the system table: the version of the schema that has been applied. Of a
// collection or database that the schema has made: when its document began.
constexpr std::string_view applied_facet = "fauna applied";
constexpr std::string_view made_facet = "fauna";

constexpr std::int64_t seconds_of_a_day = 24 * 60 * 60;
constexpr std::int64_t policy_days_max = 3'000'000;  // beyond the year 9999

std::string text_of(Instant t) {
  return std::to_string(t.micros);
}

mayfly::Span days(std::int64_t n) {
  return mayfly::Span::seconds(std::min(n, policy_days_max) * seconds_of_a_day);
}

IndexField plain_field(const Term& term) {
  IndexField indexed{.is_descending = term.is_descending};
  indexed.field.path = term.path;
  return indexed;
}

// What the metadata of a document are called in FQL.
bool is_metadata(const Term& term, std::string_view name) {
  return term.path.steps.size() == 1 && term.path.steps.front() == mayfly::Step(std::string(name));
}

IndexField index_field(const Term& term) {
  IndexField field = plain_field(term);
  field.null_is_greatest = true;
  field.is_each = term.is_each;
  if (is_metadata(term, "ts")) field.field = Field::metadata("written_at");
  if (is_metadata(term, "ttl")) field.field = Field::metadata("ends_at");
  if (is_metadata(term, "id")) field.field = Field::metadata("id_number");
  return field;
}

// Documents that are equal in all values of an index, and all() itself, are in the order of ids.
IndexField by_id_number() {
  IndexField field;
  field.field = Field::metadata("id_number");
  return field;
}

std::vector<IndexSpec> indexes_of(const CollectionDefinition& definition) {
  std::vector<IndexSpec> specs{{.name = std::string(ids_index), .fields = {by_id_number()}}};
  for (const IndexDefinition& index : definition.indexes) {
    IndexSpec spec{.name = core_index_name(index)};
    for (const Term& term : index.terms) spec.fields.push_back(index_field(term));
    for (const Term& value : index.values) spec.fields.push_back(index_field(value));
    spec.fields.push_back(by_id_number());
    specs.push_back(std::move(spec));
  }
  for (const UniqueDefinition& unique : definition.uniques) {
    IndexSpec spec{.name = core_index_name(unique), .unique = Uniqueness::of_complete};
    for (const Term& term : unique.terms) spec.fields.push_back(index_field(term));
    if (!spec.fields.empty()) specs.push_back(std::move(spec));
  }
  return specs;
}

CollectionChange promises_of(const CollectionDefinition& definition, Instant began) {
  const mayfly::Span kept{days(definition.history_days).micros + history_margin.micros};
  CollectionChange change{.writers_may_set_lifetime = definition.lets_write_ttl(),
                          .keep_history_for = kept,
                          .keep_feed_for = kept};
  std::optional<Stamp> stamp;
  if (definition.ttl_days && *definition.ttl_days > 0) {
    stamp = Stamp{days(*definition.ttl_days), Stamp::When::every_write};
  }
  change.stamp = stamp;
  change.facets[std::string(made_facet)] = text_of(began);
  return change;
}

// One document of the schema.
struct WantedDocument {
  Instant began;
  Value body;
};
using WantedByName = std::map<std::string, WantedDocument>;

Result<WantedByName> read_wanted(View& view, const Collection& table,
                                 const SystemCollection& kind) {
  WantedByName wanted;
  DocumentRange range{.from = keys::encode(system_key(kind, "")),
                      .to = keys::encode(DocumentKey::of(std::string(kind.name) + "0"))};
  for (;;) {
    DocumentPage page = TRY(view.scan(table, range, view.live()));
    for (const Document& document : page.documents) {
      wanted[std::string(id_in_table(document.id))] = {document.created_at, document.body.unpack()};
    }
    if (!page.next) return wanted;
    range.from = *page.next;
  }
}

bool has_facet(const Facets& facets, std::string_view value) {
  const auto found = facets.find(made_facet);
  return found != facets.end() && found->second == value;
}

bool is_made_here(const Facets& facets) {
  return facets.contains(made_facet);
}

// What another thread has done meanwhile is done. What cannot be is logged and left: it must not
// keep the rest of the schema from being applied, and its status says so.
template <class T>
Result<void> done_or_done_before(Result<T> result) {
  if (result || result.error().code == Code::exists || result.error().code == Code::not_found) {
    return {};
  }
  const Code code = result.error().code;
  // Forbidden: a document is under hold.
  if (code != Code::invalid && code != Code::too_large && code != Code::forbidden) {
    return tl::unexpected(std::move(result).error());
  }
  log(LogLevel::error, "a part of a schema could not be applied",
      {{"error", result.error().message}});
  return {};
}

Result<void> drop_other_indexes(Database& database, const Collection& collection,
                                const std::vector<IndexSpec>& wanted) {
  for (const Index& index : collection.indexes) {
    const bool stays = std::any_of(wanted.begin(), wanted.end(),
                                   [&](const IndexSpec& spec) { return has_content(index, spec); });
    if (!stays) TRY(done_or_done_before(database.drop_index(collection.id, index.name)));
  }
  return {};
}

// An index whose values are not unique stays away; its status says so.
Result<void> make_indexes(Database& database, const Collection& collection,
                          const std::vector<IndexSpec>& wanted) {
  for (const IndexSpec& spec : wanted) {
    const Index* there = collection.find_index(spec.name);
    if (there != nullptr && has_content(*there, spec)) continue;
    TRY(done_or_done_before(database.create_index(collection.id, spec)));
  }
  return {};
}

Result<void> apply_collection(Database& database, DatabaseId of, const std::string& name,
                              const WantedDocument& wanted) {
  const CollectionDefinition definition = read_definition(name, wanted.body);
  CollectionSpec spec{.name = name,
                      .promises = promises_of(definition, wanted.began),
                      .indexes = indexes_of(definition),
                      .default_counts_from = CountsFrom::write};
  const CatalogPtr catalog = database.catalog();
  CollectionPtr there = catalog->find_collection(of, name);
  // A collection of that name has been deleted, and this one made since.
  if (there && is_made_here(there->facets) && !has_facet(there->facets, text_of(wanted.began))) {
    TRY(done_or_done_before(database.drop_collection(there->id)));
    there = nullptr;
  }
  if (!there) return done_or_done_before(database.create_collection(of, spec));
  TRY(done_or_done_before(database.change_collection(there->id, spec.promises)));
  TRY(drop_other_indexes(database, *there, spec.indexes));
  return make_indexes(database, *there, spec.indexes);
}

Result<void> apply_collections(Database& database, DatabaseId of, const WantedByName& wanted) {
  for (const auto& [name, one] : wanted) TRY(apply_collection(database, of, name, one));
  const CatalogPtr catalog = database.catalog();
  for (const CollectionPtr& there : catalog->collections(of)) {
    if (!is_made_here(there->facets) || wanted.contains(there->name)) continue;
    TRY(done_or_done_before(database.drop_collection(there->id)));
  }
  return {};
}

// Of a database: its own, and those below it.
Result<void> drop_with_children(Database& database, const std::string& name) {
  const CatalogPtr catalog = database.catalog();
  CatalogParts parts;
  for (const DatabaseInfoPtr& there : catalog->databases()) {
    if (there->name == name || there->name.starts_with(name + "."))
      parts.databases.insert(there->id);
  }
  return parts.databases.empty() ? Result<void>{} : done_or_done_before(database.drop(parts));
}

bool is_child(const Place& parent, const std::string& name) {
  const Place place = place_of(name);
  return place.path.size() == parent.path.size() + 1 &&
         std::equal(parent.path.begin(), parent.path.end(), place.path.begin());
}

Result<void> apply_databases(Database& database, DatabaseId of, const WantedByName& wanted) {
  const Place parent = place_of(database.catalog()->database(of)->name);
  std::set<std::string> names;
  for (const auto& [name, one] : wanted) {
    const std::string core = parent.child(name).core_name();
    names.insert(core);
    const DatabaseInfoPtr there = database.catalog()->find_database(core);
    if (there && is_made_here(there->facets) && !has_facet(there->facets, text_of(one.began))) {
      TRY(drop_with_children(database, core));
    }
    const Facets facets{{std::string(made_facet), text_of(one.began)}};
    TRY(done_or_done_before(database.create_database(core, facets)));
  }
  const CatalogPtr catalog = database.catalog();
  for (const DatabaseInfoPtr& there : catalog->databases()) {
    const bool is_left = is_made_here(there->facets) && there->id != of &&
                         is_child(parent, there->name) && !names.contains(there->name);
    if (is_left) TRY(drop_with_children(database, there->name));
  }
  return {};
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

Result<void> apply_schema(Database& database, DatabaseId of) {
  // One at a time: one that began with an earlier schema would drop what a later one has made.
  static std::mutex applying;
  const std::lock_guard alone(applying);
  View view = database.view();
  const CollectionPtr table = view.catalog().find_internal(of, system_table);
  if (!table) return {};
  const Instant version = TRY(schema_version(view, of));
  if (is_applied(view.catalog(), of, version)) return {};
  const auto collections = TRY(read_wanted(view, *table, *find_system("Collection")));
  TRY(apply_collections(database, of, collections));
  const auto databases = TRY(read_wanted(view, *table, *find_system("Database")));
  TRY(apply_databases(database, of, databases));
  CollectionChange done;
  done.facets[std::string(applied_facet)] = text_of(version);
  return done_or_done_before(database.change_collection(table->id, done));
}

Result<void> ensure_schema_applied(Database& database, DatabaseId of) {
  View view = database.view();
  const Instant version = TRY(schema_version(view, of));
  if (is_applied(view.catalog(), of, version)) return {};
  return apply_schema(database, of);
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
