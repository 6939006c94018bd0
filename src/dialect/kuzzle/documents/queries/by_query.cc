// The actions that write all documents that a query finds.
#include <fmt/format.h>

#include <functional>

#include "dialect/common/collections/holds.h"
#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/collections/places.h"
#include "dialect/kuzzle/documents/metadata.h"
#include "dialect/kuzzle/documents/partial.h"
#include "dialect/kuzzle/documents/queries/stage.h"
#include "dialect/kuzzle/documents/write.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/generations/renderer.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/queries.h"
#include "dialect/kuzzle/realtime/notifier.h"
#include "dialect/kuzzle/search/search.h"
#include "expr/evaluation/evaluate.h"
#include "query/running/row.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

// The living documents that match, as seen by the transaction.
Result<search::IdsPage> found_ids(const KuzzleCall& call, Transaction& transaction,
                                  const CollectionPtr& collection, const ExprPtr& query) {
  search::IdsPage all;
  std::optional<query::Bookmark> after;
  const search::SearchContext context{transaction.view(), collection, false, meter_of(call)};
  do {
    auto page = TRY(search::ids(query, context, after));
    for (std::string& id : page.ids) all.ids.push_back(std::move(id));
    for (DocumentKey& key : page.keys) all.keys.push_back(std::move(key));
    after = std::move(page.next);
    if (all.ids.size() > limits::documents_delete_max) {
      return problem("services.storage.write_limit_exceeded",
                     fmt::format("Number of documents exceeds the server configured value ({})",
                                 limits::documents_delete_max));
    }
  } while (after);
  return all;
}

Result<Value> required_changes(const KuzzleCall& call) {
  const Object& body = *TRY(call.body());
  const Value* changes = body.find("changes");
  if (changes == nullptr || !changes->is(Kind::object)) return wrong_type("changes", "object");
  return *changes;
}

Result<void> update(const KuzzleCall& call, Transaction& transaction,
                    const CollectionPtr& collection, const DocumentKey& key, const Value& changes) {
  TRY(write_document(call, transaction, collection,
                     {.how = WriteKind::update, .id = key.id, .key = key, .body = changes}));
  return {};
}

void render_update(const KuzzleCall& call, const Document& written, bool shows_source,
                   JsonWriter& json) {
  json.begin_object();
  render_id_and_version(written, json);
  json.member("status", 200);
  if (shows_source) render_source(written, call.generation(), json);
  json.end_object();
}

// Fails with forbidden if a matching document is under hold, so that nothing is removed.
Result<void> check_none_found_is_held(const search::SearchContext& context, const ExprPtr& query) {
  if (!TRY(has_holds(context.view, *context.collection))) return {};
  std::optional<query::Bookmark> after;
  do {
    auto page = TRY(
        with_search_words(search::ids(query, context, after, limits::changed_by_query_at_once)));
    for (const DocumentKey& key : page.keys) {
      const auto found = TRY(context.view.get(*context.collection, key, context.view.live()));
      if (found) TRY(check_removable(*found));
    }
    after = std::move(page.next);
  } while (after);
  return {};
}

using DocumentEdit =
    std::function<Result<void>(Transaction&, const CollectionPtr&, const DocumentKey&)>;

// Changes the documents from `begin` on in one commit, as many as it has room for, without events;
// returns where it ended.
Result<std::size_t> change_some(const KuzzleCall& call, const search::IdsPage& page,
                                std::size_t begin, const DocumentEdit& change) {
  std::size_t end = begin;
  Notifier notifier(call);
  notifier.committed(TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    const auto collection = TRY(collection_to_write(call, transaction.view().catalog()));
    notifier.begin_silently(page.ids);
    for (end = begin; end < page.keys.size(); ++end) {
      auto changed = change(transaction, collection, page.keys[end]);
      if (transaction.is_full() && end > begin) break;
      TRY(changed);
    }
    return {};
  })));
  return end;
}

// Changes every matching document, in one commit for each page at least, without events; returns
// their number. All are found in one snapshot, so that none is changed twice.
Result<std::size_t> change_all_found(const KuzzleCall& call, const DocumentEdit& change,
                                     bool removes = false) {
  TRY(call.index());
  TRY(call.collection());
  TRY(call.check_refresh());
  Stage stage = TRY(set_stage(call));
  const ExprPtr query = TRY(required_query(call, stage));
  const search::SearchContext context{stage.view, stage.collection, false, meter_of(call)};
  if (removes) TRY(check_none_found_is_held(context, query));
  std::optional<query::Bookmark> after;
  std::size_t changed = 0;
  do {
    const auto page = TRY(
        with_search_words(search::ids(query, context, after, limits::changed_by_query_at_once)));
    for (std::size_t done = 0; done < page.keys.size();) {
      done = TRY(change_some(call, page, done, change));
    }
    changed += page.ids.size();
    after = page.next;
  } while (after);
  return changed;
}

// A deletion by query in progress. The first commit finds the documents; further ones delete those
// for which it had no room.
struct Deletion {
  bool shows_source = false;
  ExprPtr query = nullptr;
  std::vector<DocumentKey> found = {};
  std::size_t done = 0;               // of those found
  std::vector<std::string> ids = {};  // of the deleted
  std::string documents = {};         // as rendered for the answer, without the brackets
};

// Returns whether it was deleted. A document that is gone, or that does not match the query any
// more, is skipped.
Result<bool> delete_found(const KuzzleCall& call, Transaction& transaction,
                          const CollectionPtr& collection, const DocumentKey& key,
                          Deletion& deletion) {
  View& view = transaction.view();
  const auto before = TRY(view.get(*collection, key, view.live()));
  if (!before) return false;
  if (deletion.done > 0 && deletion.query) {
    Meter meter = meter_of(call);
    const Truth is_selected = TRY(truth(*deletion.query, query::DocumentScope(*before), meter));
    if (is_selected != Truth::yes) return false;
  }
  const bool is_too_much = deletion.documents.size() >= limits::answer_sources_bytes_max;
  if (deletion.shows_source && is_too_much) return too_large_for_one_answer("source");
  TRY(remove_document(call, transaction, collection, key));
  deletion.ids.push_back(key.id);
  JsonWriter json(deletion.documents);
  json.begin_object();
  json.member("_id", key.id);
  if (deletion.shows_source) render_source(*before, call.generation(), json);
  json.end_object();
  return true;
}

// One commit of a deletion, with as many documents as it has room for. If the answer shows sources,
// everything is deleted in one commit or nothing.
Result<void> delete_some_found(const KuzzleCall& call, Deletion& deletion) {
  const Deletion before = deletion;
  Notifier notifier(call, "delete");
  std::size_t end = before.done;
  notifier.committed(TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    deletion = before;
    const auto collection = TRY(collection_to_write(call, transaction.view().catalog()));
    if (deletion.done == 0) {
      auto found = TRY(with_search_words(found_ids(call, transaction, collection, deletion.query)));
      deletion.found = std::move(found.keys);
    }
    for (end = deletion.done; end < deletion.found.size(); ++end) {
      const auto deleted =
          delete_found(call, transaction, collection, deletion.found[end], deletion);
      const bool may_go_on = transaction.is_full() && end > deletion.done && !deletion.shows_source;
      if (may_go_on) break;
      TRY(deleted);
    }
    notifier.writes({deletion.ids.begin() + static_cast<std::ptrdiff_t>(before.ids.size()),
                     deletion.ids.end()});
    return {};
  })));
  deletion.done = end;
  return {};
}

}  // namespace

Result<std::string> delete_by_query(KuzzleCall& call) {
  TRY(call.index());
  TRY(call.collection());
  TRY(call.check_refresh());
  Deletion deletion;
  deletion.shows_source = TRY(call.asks_for_source());
  Stage stage = TRY(set_stage(call));
  deletion.query = TRY(required_query(call, stage));
  TRY(check_none_found_is_held({stage.view, stage.collection, false, meter_of(call)},
                               deletion.query));
  do {
    TRY(delete_some_found(call, deletion));
  } while (deletion.done < deletion.found.size());
  const Array answered_ids(deletion.ids.begin(), deletion.ids.end());
  std::string out;
  JsonWriter json(out);
  call.renderer().deleted_by_query({answered_ids, deletion.documents}, json);
  return out;
}

Result<std::string> update_by_query(KuzzleCall& call) {
  TRY(call.index());
  TRY(call.collection());
  TRY(call.check_refresh());
  Stage stage = TRY(set_stage(call));
  const ExprPtr query = TRY(required_query(call, stage));
  const Value changes = TRY(required_changes(call));
  search::IdsPage found;
  std::vector<std::optional<Error>> errors;
  CollectionPtr collection;
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.name("successes").begin_array();
  const bool shows_source = TRY(call.flag("source"));
  std::size_t fields_left = limits::updated_fields_bytes_max;
  const auto fields = updated_fields(changes, fields_left);
  Notifier notifier(call, "update");
  notifier.committed(TRY(call.database().transact(
      [&](Transaction& transaction) -> Result<void> {
        collection = TRY(collection_to_write(call, transaction.view().catalog()));
        found = TRY(with_search_words(found_ids(call, transaction, collection, query)));
        notifier.writes(found.ids, fields);
        errors.assign(found.keys.size(), std::nullopt);
        std::size_t shown_bytes = 0;
        for (std::size_t i = 0; i < found.keys.size(); ++i) {
          const DocumentKey& key = found.keys[i];
          TRY(keep_own_error(update(call, transaction, collection, key, changes), errors[i]));
          if (!shows_source || errors[i]) continue;
          if (shown_bytes >= limits::answer_sources_bytes_max) {
            return too_large_for_one_answer("source");
          }
          const auto written = transaction.written(collection, key);
          if (written) shown_bytes += written->body.bytes().size();
        }
        return {};
      },
      [&](const Transaction& transaction, Instant) {
        for (std::size_t i = 0; i < found.keys.size(); ++i) {
          const auto written = transaction.written(collection, found.keys[i]);
          if (written && !errors[i]) render_update(call, *written, shows_source, json);
        }
      })));
  for (std::size_t i = 0; i < found.ids.size(); ++i) {
    if (errors[i]) add_partial_error(call, Object{{"_id", found.ids[i]}}, *errors[i]);
  }
  json.end_array();
  json.member("errors", Value(call.partial_errors));
  json.end_object();
  return out;
}

Result<std::string> bulk_delete_by_query(KuzzleCall& call) {
  const auto remove = [&](Transaction& transaction, const CollectionPtr& collection,
                          const DocumentKey& key) -> Result<void> {
    auto removed = remove_document(call, transaction, collection, key);
    if (!removed && removed.error().code == Code::not_found) return {};
    return removed;
  };
  const std::size_t deleted = TRY(change_all_found(call, remove, true));
  return render_json(Object{{"deleted", static_cast<std::int64_t>(deleted)}});
}

Result<std::string> bulk_update_by_query(KuzzleCall& call) {
  const Value changes = TRY(required_changes(call));
  const auto change = [&](Transaction& transaction, const CollectionPtr& collection,
                          const DocumentKey& key) -> Result<void> {
    View& view = transaction.view();
    const auto before = TRY(view.get(*collection, key, view.live()));
    if (!before) return {};
    // No updater is recorded.
    Value body = before->body.unpack();
    if (stored_metadata(*before).is_missing()) {
      body.mutable_object().set(metadata_field, *metadata_of(*before));
    }
    const Bytes packed = TRY(pack(merge_deeply(std::move(body), changes)));
    TRY(place_of(*collection, key, Packed(packed), &*before));
    TRY(transaction.put(collection, key, packed, {.author = call.principal.id}));
    return {};
  };
  const std::size_t updated = TRY(change_all_found(call, change));
  return render_json(Object{{"updated", static_cast<std::int64_t>(updated)}});
}

}  // namespace mayfly::kuzzle
