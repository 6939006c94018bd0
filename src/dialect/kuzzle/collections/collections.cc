#include "dialect/kuzzle/collections/collections.h"

#include <fmt/format.h>

#include <algorithm>

#include "db/rows/keys.h"
#include "dialect/common/collections/holds.h"
#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/collections/places.h"
#include "dialect/kuzzle/collections/refreshes.h"
#include "dialect/kuzzle/documents/metadata.h"
#include "dialect/kuzzle/documents/write.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/generations/renderer.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/mappings/learnt_fields.h"
#include "dialect/kuzzle/mappings/mappings.h"
#include "dialect/kuzzle/realtime/notifier.h"
#include "dialect/kuzzle/search/limits.h"
#include "dialect/kuzzle/search/mapping.h"
#include "dialect/kuzzle/security/rights/rights.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

constexpr std::string_view settings_facet = "kuzzle.settings";
constexpr const char* acknowledged = R"({"acknowledged":true})";

// Fails if a search could not read the mapping: once stored, it would make every search fail.
Result<void> check_mapping(const Value& mapping) {
  if (render_json(mapping).size() > limits::mapping_bytes_max) {
    return fail(Code::too_large,
                fmt::format("a mapping has at most {} bytes of JSON", limits::mapping_bytes_max));
  }
  const auto parsed = search::Mapping::parse(mapping);
  if (parsed) return {};
  if (parsed.error().code != Code::invalid) return tl::unexpected(parsed.error());
  return problem("services.storage.invalid_mapping",
                 fmt::format("{}: {}", parsed.error().field, parsed.error().message));
}

// False if the data has changed since it was read.
Result<bool> has_won(const Result<CollectionPtr>& changed) {
  if (changed) return true;
  const Code code = changed.error().code;
  if (code == Code::stale || code == Code::not_found || code == Code::exists) return false;
  return tl::unexpected(changed.error());
}

// Repeats the operation after a conflict, on the state that the other writer has left.
template <class Try>
Result<void> until_won(const Try& attempt) {
  for (int attempts = 0; attempts < limits::commit_attempts_max; ++attempts) {
    if (TRY(attempt())) return {};
  }
  return fail(Code::contended, "others change the collection all the time");
}

// Settings are stored so that they can be shown; they have no effect here.
void keep_settings(const Value& body, CollectionChange& change) {
  const Value settings = body.member("settings");
  if (settings.is(Kind::object)) change.facets[std::string(settings_facet)] = render_json(settings);
}

// Adds a new mapping to the existing one. False if another change came in between.
Result<bool> try_add_mapping(const KuzzleCall& call, const Collection& collection,
                             const Value& body) {
  const Value requested = TRY(requested_mapping(body, call.generation()));
  CollectionChange change;
  keep_settings(body, change);
  if (requested.object().empty() && change.facets.empty()) return true;
  TRY(check_mapping(requested));
  const Value standing = mapping_of(collection);
  TRY(check_field_types(standing, requested));
  const Value mapping = merge_deeply(standing, requested);
  TRY(check_mapping(mapping));
  change.facets[std::string(mapping_facet_of(collection))] = render_json(mapping);
  change.if_changed_at = collection.changed_at;
  return has_won(call.database().change_collection(collection.id, change));
}

CollectionChange settings_of_new(const Value& mapping) {
  CollectionChange new_settings;
  new_settings.keep_trash_for = Span::infinite();  // only the garbage collector empties it
  new_settings.keep_history_for = limits::scroll_history_for;
  new_settings.keep_feed_for = limits::realtime_feed_for;
  new_settings.facets[std::string(mapping_facet)] = render_json(mapping);
  return new_settings;
}

// The settings of the collection that the body describes. Fails if the body is not valid.
Result<CollectionSpec> collection_spec(const KuzzleCall& call, const std::string& name,
                                       const Value& body) {
  TRY(check_collection_name(name, call.generation()));
  const Value mapping = TRY(requested_mapping(body, call.generation()));
  TRY(check_mapping(mapping));
  TRY(check_field_types(Value(), mapping));
  CollectionChange new_settings = settings_of_new(mapping);
  keep_settings(body, new_settings);
  return CollectionSpec{
      .name = name, .promises = std::move(new_settings), .default_counts_from = CountsFrom::write};
}

// One commit that creates the collection, and its index if missing, or changes its mapping. False
// if another change came in between.
Result<bool> try_make_collection(const KuzzleCall& call, const CollectionSpec& spec,
                                 const Value& body, MissingIndex missing) {
  const std::string& index = call.message.index;
  Database& database = call.database();
  const CatalogPtr catalog = database.catalog();
  const auto within = catalog->find_database(index);
  const auto standing = within ? catalog->find_collection(within->id, spec.name) : nullptr;
  if (standing) return try_add_mapping(call, *standing, body);
  if (within) return has_won(database.create_collection(within->id, spec));
  if (missing == MissingIndex::refused) {
    return problem("services.storage.unknown_index_collection",
                   fmt::format("Index '{}' doesn't exist", index));
  }
  TRY(check_index_name(index));
  return has_won(database.create_collection({.name = index, .facets = index_facets()}, spec));
}

struct Listed {
  std::size_t from = 0;
  std::optional<std::size_t> size;
  std::string type = "all";
};

Result<Listed> list_kind(const KuzzleCall& call) {
  Listed listed;
  listed.from = static_cast<std::size_t>(TRY(call.integer("from")).value_or(0));
  // Zero means all, as in clients that leave it out.
  const auto size = TRY(call.integer("size"));
  if (size && *size > 0) listed.size = static_cast<std::size_t>(*size);
  listed.type = TRY(call.text("type")).value_or("all");
  if (call.message.body.member("type").is(Kind::text)) {
    listed.type = call.message.body.member("type").text();
  }
  if (listed.type == "all" || listed.type == "stored" || listed.type == "realtime") return listed;
  return problem("api.assert.invalid_argument",
                 fmt::format("Must specify a valid type argument; Expected: 'all', 'stored' or "
                             "'realtime'; Received: {}",
                             listed.type));
}

// Fails with forbidden if a living document is under hold, so that a truncation of several commits
// is refused before the first.
Result<void> check_none_living_is_held(const KuzzleCall& call) {
  View view = call.database().view();
  const auto collection = TRY(collection_to_write(call, view.catalog()));
  Bytes after;
  for (bool more = true; more;) {
    const DocumentPage page = TRY(view.scan_holds(*collection, after, limits::store_page_rows_max));
    for (const Document& document : page.documents) {
      if (document.version.removed_at.is_never()) TRY(check_removable(document));
    }
    more = page.next.has_value();
    if (more) after = *page.next;
  }
  return {};
}

// Collections with subscribers, whether or not they exist.
void add_subscribed(const KuzzleCall& call, std::string_view index, Array& entries) {
  const Object rooms = call.shared.realtime.list();
  const Value* collections = rooms.find(index);
  if (collections == nullptr) return;
  for (const auto& [name, of] : collections->object()) {
    entries.push_back(Object{{"name", name}, {"type", "realtime"}});
  }
}

}  // namespace

Result<void> make_collection(const KuzzleCall& call, const Value& body, MissingIndex missing) {
  TRY(call.index());
  const CollectionSpec spec = TRY(collection_spec(call, TRY(call.collection()), body));
  TRY(until_won([&] { return try_make_collection(call, spec, body, missing); }));
  call.shared.realtime.wake();
  return {};
}

Result<std::string> create_collection(KuzzleCall& call) {
  const auto missing =
      call.generation().makes_missing_indexes ? MissingIndex::made : MissingIndex::refused;
  TRY(make_collection(call, call.message.body, missing));
  return acknowledged;
}

Result<std::string> update_collection(KuzzleCall& call) {
  TRY(until_won([&]() -> Result<bool> {
    const auto collection = TRY(collection_to_write(call, *call.database().catalog()));
    return try_add_mapping(call, *collection, call.message.body);
  }));
  return acknowledged;
}

Result<std::string> get_settings(KuzzleCall& call) {
  const auto collection = TRY(collection_to_read(call, *call.database().catalog()));
  Value settings = Object{{"provided_name", "&" + call.message.index + "." + collection->name}};
  const auto stored = collection->facets.find(settings_facet);
  if (stored != collection->facets.end()) {
    settings = merge_deeply(std::move(settings), TRY(parse_json(stored->second)));
  }
  return render_json(settings);
}

Result<std::string> delete_collection(KuzzleCall& call) {
  const auto collection = TRY(collection_to_write(call, *call.database().catalog()));
  TRY(call.database().drop_collection(collection->id));
  call.shared.realtime.wake();
  return acknowledged;
}

Result<std::string> collection_exists(KuzzleCall& call) {
  const std::string index = TRY(call.index());
  const std::string name = TRY(call.collection());
  const CatalogPtr catalog = call.database().catalog();
  const auto database = catalog->find_database(index);
  return database && catalog->find_collection(database->id, name) ? "true" : "false";
}

Result<std::string> list_collections(KuzzleCall& call) {
  const Listed listed = TRY(list_kind(call));
  const CatalogPtr catalog = call.database().catalog();
  const auto index = TRY(find_index(call, *catalog));
  Array entries;
  // A request may name one collection and show all.
  const PermittedCollections permitted = TRY(PermittedCollections::of(call));
  if (listed.type != "stored") add_subscribed(call, index->name, entries);
  if (listed.type != "realtime") {
    for (const auto& collection : catalog->collections(index->id)) {
      entries.push_back(Object{{"name", collection->name}, {"type", "stored"}});
    }
  }
  std::erase_if(entries, [&](const Value& entry) {
    return !permitted.contains(index->name, entry.member("name").text());
  });
  std::stable_sort(entries.begin(), entries.end(), [](const Value& a, const Value& b) {
    return a.member("name").text() < b.member("name").text();
  });
  const std::size_t from = std::min(listed.from, entries.size());
  const std::size_t size = std::min(listed.size.value_or(entries.size()), entries.size() - from);
  Object answer{{"type", listed.type},
                {"collections", Array(entries.begin() + static_cast<std::ptrdiff_t>(from),
                                      entries.begin() + static_cast<std::ptrdiff_t>(from + size))}};
  if (listed.from > 0) answer.append("from", static_cast<std::int64_t>(listed.from));
  if (listed.size) answer.append("size", static_cast<std::int64_t>(*listed.size));
  return render_json(answer);
}

Result<std::string> get_mapping(KuzzleCall& call) {
  const auto collection = TRY(collection_to_read(call, *call.database().catalog()));
  const auto metadata =
      TRY(call.flag("includeKuzzleMeta")) ? MetadataFields::shown : MetadataFields::hidden;
  const Value mapping = mapping_for_client(whole_mapping_of(*collection, call.shared.learnt),
                                           call.generation(), metadata);
  std::string out;
  JsonWriter json(out);
  call.renderer().mapping({{call.message.index, collection->name}, mapping}, json);
  return out;
}

Result<std::string> refresh_collection(KuzzleCall& call) {
  const auto collection = TRY(collection_to_read(call, *call.database().catalog()));
  call.shared.refreshes.refresh(collection->id, call.database().now());
  return "null";
}

// Moves the living documents to the trashcan, as many in one commit as it has room for, at most ten
// thousand; the mapping stays.
Result<std::string> truncate_collection(KuzzleCall& call) {
  TRY(call.check_refresh());
  TRY(check_none_living_is_held(call));
  Array ids;
  for (bool more = true; more;) {
    std::size_t before = ids.size();
    Notifier notifier(call);
    notifier.committed(TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
      View& view = transaction.view();
      const auto collection = TRY(collection_to_write(call, view.catalog()));
      ids.resize(before);
      DocumentRange range;
      for (more = true; more && ids.size() - before < limits::documents_delete_max;) {
        const DocumentPage page = TRY(view.scan(*collection, range, view.live()));
        for (const Document& document : page.documents) {
          auto removed = remove_document(call, transaction, collection, document.document_key());
          if (transaction.is_full() && ids.size() > before) break;
          TRY(removed);
          ids.emplace_back(document.id);
        }
        more = page.next.has_value() || transaction.is_full();
        if (transaction.is_full()) break;
        if (more) range.from = *page.next;
      }
      std::vector<std::string> gone;
      for (std::size_t i = before; i < ids.size(); ++i) gone.push_back(ids[i].text());
      notifier.begin_silently(gone);
      return {};
    })));
  }
  std::string out;
  JsonWriter json(out);
  call.renderer().truncated(ids, json);
  return out;
}

}  // namespace mayfly::kuzzle
