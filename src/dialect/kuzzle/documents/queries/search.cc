// The actions that find documents: searches, scrolls, counts, and writes by query.
#include <fmt/format.h>

#include <functional>

#include "dialect/common/collections/holds.h"
#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/collections/places.h"
#include "dialect/kuzzle/collections/refreshes.h"
#include "dialect/kuzzle/documents/metadata.h"
#include "dialect/kuzzle/documents/partial.h"
#include "dialect/kuzzle/documents/queries/facts.h"
#include "dialect/kuzzle/documents/queries/hits.h"
#include "dialect/kuzzle/documents/queries/multi_search.h"
#include "dialect/kuzzle/documents/write.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/queries.h"
#include "dialect/kuzzle/realtime/notifier.h"
#include "dialect/kuzzle/search/scrolls.h"
#include "dialect/kuzzle/search/search.h"
#include "dialect/kuzzle/security/rights/rights.h"
#include "dialect/kuzzle/trash/collector.h"
#include "expr/evaluation/evaluate.h"
#include "query/running/row.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

template <class T>
Result<T> with_search_words(Result<T> result) {
  return phrased_as_search(std::move(result));
}

Result<void> check_single_place(const Call& call) {
  for (const std::string& name : {call.message.index, call.message.collection}) {
    if (name.find_first_of(",*+") == std::string::npos && name != "_all") continue;
    return problem("services.storage.no_multi_indexes",
                   "Search on multiple indexes is not available.");
  }
  return {};
}

// One snapshot of the collection that is searched.
struct Stage {
  View view;
  CollectionPtr collection;
  search::Mapping mapping;
  search::ReadQuery read_query;
  std::optional<Instant> visible_at;  // see refreshes.h

  search::Language language() const {
    return {.mapping = mapping,
            .now = view.now(),
            .fact = shown_fact,
            .read_query = read_query,
            .shows_highlights = true};
  }
  search::Place place(const Call& call) {
    return {view, collection, call.includes_trash(), meter_of(call), visible_at};
  }
};

Result<Stage> set_stage(const Call& call) {
  TRY(check_single_place(call));
  View view = TRY(view_of(call));
  auto collection = TRY(collection_to_read(call, view.catalog()));
  auto mapping = TRY(search::Mapping::parse(mapping_of(*collection)));
  const search::ReadQuery read_query = TRY(query_language_of(call));
  const auto visible_at = TRY(search_snapshot(call, view, *collection));
  return Stage{std::move(view), std::move(collection), std::move(mapping), read_query, visible_at};
}

Result<std::shared_ptr<const search::Search>> parse_search_body(const Call& call,
                                                                const Stage& stage) {
  auto parsed_search = std::make_shared<search::Search>(
      TRY(with_search_words(search::parse_search(TRY(search_body(call)), stage.language()))));
  TRY(set_page(call, *parsed_search));
  return parsed_search;
}

struct RenderedScroll {
  std::string id;  // empty: none
  std::uint64_t remaining = 0;
};

Result<std::string> render_answer(const Call& call, const HitOrigin& origin,
                                  const search::Search& parsed_search, const search::Answer& found,
                                  const RenderedScroll& scroll) {
  Meter meter = meter_of(call);
  std::string out = call.is_v2() ? "{"
                                 : R"({"took":0,"timed_out":false,)"
                                   R"("_shards":{"total":1,"successful":1,"failed":0},)";
  out += R"("hits":[)";
  for (std::size_t i = 0; i < found.hits.size(); ++i) {
    if (i > 0) out += ',';
    TRY(render_hit(call, origin, parsed_search, found.hits[i], meter, out));
  }
  out += fmt::format(R"(],"total":{})", found.total);
  if (!call.is_v2()) out += R"(,"max_score":)" + render_score(found.max_score);
  if (!found.aggregations.is_missing()) {
    out += R"(,"aggregations":)" + render_json(found.aggregations);
  }
  if (!scroll.id.empty()) {
    if (!call.is_v2()) out += R"(,"_scroll_id":")" + scroll.id + '"';
    if (call.shape() != Shape::v1) out += R"(,"scrollId":")" + scroll.id + '"';
    if (call.is_v2()) out += fmt::format(R"(,"remaining":{})", scroll.remaining);
  }
  return out + '}';
}

Result<std::string> answer_scroll(const Call& call, Stage& stage, const std::string& keep_for,
                                  const std::shared_ptr<const search::Search>& parsed_search) {
  const Span time = TRY(search::parse_duration(keep_for));
  const auto page = TRY(with_search_words(search::begin_scroll(parsed_search, stage.place(call))));
  const std::uint64_t remaining = page.next.remaining();
  const std::string id =
      TRY(call.shared.scrolls.keep(page.next, {call.client(), stage.view.now(), time}));
  return render_answer(call, {call.message.index, call.message.collection}, *parsed_search,
                       page.answer, {id, remaining});
}

tl::unexpected<Error> unknown_scroll_of_documents() {
  return problem("services.storage.unknown_scroll_id", "Non-existing or expired scroll identifier");
}

// A scroll is named by its id alone, so the right to read its collection is checked here for each
// page. Users and rights have scrolls of their own.
Result<void> must_be_readable(const Call& call, const std::string& scroll_id) {
  const auto of = call.shared.scrolls.place(scroll_id, call.database().now());
  if (!of) return unknown_scroll_of_documents();
  const CatalogPtr catalog = call.database().catalog();
  const CollectionPtr collection = catalog->collection(*of);
  const auto index = collection ? catalog->database(collection->database) : nullptr;
  if (!index || !is_visible_index(*index)) return unknown_scroll_of_documents();
  return authorize(call, same_action_in(call.message, index->name, collection->name));
}

// The query of a body, which is required.
Result<ExprPtr> required_query(const Call& call, const Stage& stage) {
  const Object& body = *TRY(call.body());
  const Value* query = body.find("query");
  if (query == nullptr) {
    return problem("api.assert.missing_argument",
                   "The request must specify a body attribute \"query\".");
  }
  if (!query->is(Kind::object)) {
    return problem("api.assert.invalid_type",
                   "The request must specify the body attribute \"query\" of type \"object\".");
  }
  return with_search_words(search::parse_query(*query, stage.language()));
}

// The living documents that match, as seen by the transaction.
Result<search::IdsPage> found_ids(const Call& call, Transaction& transaction,
                                  const CollectionPtr& collection, const ExprPtr& query) {
  search::IdsPage all;
  std::optional<query::Bookmark> after;
  const search::Place place{transaction.view(), collection, false, meter_of(call)};
  do {
    auto page = TRY(search::ids(query, place, after));
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

Result<Value> required_changes(const Call& call) {
  const Object& body = *TRY(call.body());
  const Value* changes = body.find("changes");
  if (changes == nullptr || !changes->is(Kind::object)) return wrong_type("changes", "object");
  return *changes;
}

Result<void> update(const Call& call, Transaction& transaction, const CollectionPtr& collection,
                    const DocumentKey& key, const Value& changes) {
  TRY(write_document(call, transaction, collection,
                     {.how = WriteKind::update, .id = key.id, .key = key, .body = changes}));
  return {};
}

void render_update(const Call& call, const Document& written, bool shows_source, std::string& out) {
  out += out.empty() ? "{" : ",{";
  render_id_and_version(written, out);
  out += R"(,"status":200)";
  if (shows_source) {
    out += ',';
    render_source(written, call.shape(), out);
  }
  out += '}';
}

// Fails with forbidden if a matching document is under hold, so that nothing is removed.
Result<void> check_none_found_is_held(const search::Place& place, const ExprPtr& query) {
  if (!TRY(has_holds(place.view, *place.collection))) return {};
  std::optional<query::Bookmark> after;
  do {
    auto page =
        TRY(with_search_words(search::ids(query, place, after, limits::changed_by_query_at_once)));
    for (const DocumentKey& key : page.keys) {
      const auto found = TRY(place.view.get(*place.collection, key, place.view.live()));
      if (found) TRY(check_removable(*found));
    }
    after = std::move(page.next);
  } while (after);
  return {};
}

using Change = std::function<Result<void>(Transaction&, const CollectionPtr&, const DocumentKey&)>;

// Changes the documents from `begin` on in one commit, as many as it has room for, without events;
// returns where it ended.
Result<std::size_t> change_some(const Call& call, const search::IdsPage& page, std::size_t begin,
                                const Change& change) {
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
Result<std::size_t> change_all_found(const Call& call, const Change& change, bool removes = false) {
  TRY(call.index());
  TRY(call.collection());
  TRY(call.check_refresh());
  Stage stage = TRY(set_stage(call));
  const ExprPtr query = TRY(required_query(call, stage));
  const search::Place place{stage.view, stage.collection, false, meter_of(call)};
  if (removes) TRY(check_none_found_is_held(place, query));
  std::optional<query::Bookmark> after;
  std::size_t changed = 0;
  do {
    const auto page =
        TRY(with_search_words(search::ids(query, place, after, limits::changed_by_query_at_once)));
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
  std::string documents = {};         // as rendered for the answer
};

// Returns whether it was deleted. A document that is gone, or that does not match the query any
// more, is skipped.
Result<bool> delete_found(const Call& call, Transaction& transaction,
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
  deletion.documents += deletion.documents.empty() ? R"({"_id":)" : R"(,{"_id":)";
  render_json_text(key.id, deletion.documents);
  if (deletion.shows_source) {
    deletion.documents += ',';
    render_source(*before, call.shape(), deletion.documents);
  }
  deletion.documents += '}';
  return true;
}

// One commit of a deletion, with as many documents as it has room for. If the answer shows sources,
// everything is deleted in one commit or nothing.
Result<void> delete_some_found(const Call& call, Deletion& deletion) {
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

Result<std::string> search_documents(Call& call) {
  if (TRY(has_targets(call))) return search_targets(call);
  TRY(call.index());
  TRY(call.collection());
  Stage stage = TRY(set_stage(call));
  const auto parsed_search = TRY(parse_search_body(call, stage));
  if (const auto keep_for = TRY(call.text("scroll"))) {
    return answer_scroll(call, stage, *keep_for, parsed_search);
  }
  const auto found = TRY(with_search_words(search::answer(*parsed_search, stage.place(call))));
  return render_answer(call, {call.message.index, call.message.collection}, *parsed_search, found,
                       {});
}

Result<std::string> continue_scroll(Call& call) {
  auto id = TRY(call.text("scrollId"));
  if (!id && call.message.body.member("scrollId").is(Kind::text)) {
    id = call.message.body.member("scrollId").text();
  }
  if (!id) return missing_argument("scrollId");
  const Span time = TRY(search::parse_duration(TRY(call.text("scroll")).value_or("")));
  Database& database = call.database();
  TRY(must_be_readable(call, *id));
  auto taken = call.shared.scrolls.take(*id, database.now());
  if (!taken) return unknown_scroll_of_documents();
  const search::Scroll scroll = *std::move(taken);
  if (scroll.shows_trash) TRY(call.shared.collector.run_due());
  View view =
      scroll.shows_trash ? TRY(database.up_to_date_view(scroll.collection)) : database.view();
  const CollectionPtr collection = view.catalog().collection(scroll.collection);
  const auto index = collection ? view.catalog().database(collection->database) : nullptr;
  if (!index) return unknown_scroll_of_documents();
  const search::Place place{view, collection, scroll.shows_trash, meter_of(call)};
  auto page = search::go_on(scroll, place);
  const search::Scroll& rest = page ? page->next : scroll;
  const std::uint64_t remaining = rest.remaining();
  TRY(call.shared.scrolls.keep_again(*id, rest, {call.client(), view.now(), time}));
  if (!page) return tl::unexpected(to_search_error(std::move(page).error()));
  return render_answer(call, {index->name, collection->name}, *scroll.search, page->answer,
                       {*id, remaining});
}

Result<std::string> count_documents(Call& call) {
  TRY(call.index());
  TRY(call.collection());
  Stage stage = TRY(set_stage(call));
  const Value body = TRY(search_body(call));
  const auto query = TRY(with_search_words(search::parse_query_body(body, stage.language())));
  const std::uint64_t count = TRY(with_search_words(search::count(query, stage.place(call))));
  if (call.is_v2()) return fmt::format(R"({{"count":{}}})", count);
  return fmt::format(R"({{"count":{},"_shards":{{"total":1,"successful":1,"failed":0}}}})", count);
}

Result<std::string> delete_by_query(Call& call) {
  TRY(call.index());
  TRY(call.collection());
  TRY(call.check_refresh());
  Deletion deletion;
  deletion.shows_source = call.is_v2() && TRY(call.flag("source"));
  Stage stage = TRY(set_stage(call));
  deletion.query = TRY(required_query(call, stage));
  TRY(check_none_found_is_held({stage.view, stage.collection, false, meter_of(call)},
                               deletion.query));
  do {
    TRY(delete_some_found(call, deletion));
  } while (deletion.done < deletion.found.size());
  const Array answered_ids(deletion.ids.begin(), deletion.ids.end());
  if (!call.is_v2()) return render_json(Object{{"ids", answered_ids}});
  return R"({"documents":[)" + deletion.documents + R"(],"ids":)" + render_json(answered_ids) + '}';
}

Result<std::string> update_by_query(Call& call) {
  TRY(call.index());
  TRY(call.collection());
  TRY(call.check_refresh());
  Stage stage = TRY(set_stage(call));
  const ExprPtr query = TRY(required_query(call, stage));
  const Value changes = TRY(required_changes(call));
  search::IdsPage found;
  std::vector<std::optional<Error>> errors;
  CollectionPtr collection;
  std::string successes;
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
          if (written && !errors[i]) render_update(call, *written, shows_source, successes);
        }
      })));
  for (std::size_t i = 0; i < found.ids.size(); ++i) {
    if (errors[i]) add_partial_error(call, Object{{"_id", found.ids[i]}}, *errors[i]);
  }
  return R"({"successes":[)" + successes + R"(],"errors":)" + render_json(call.partial_errors) +
         '}';
}

Result<std::string> bulk_delete_by_query(Call& call) {
  const auto remove = [&](Transaction& transaction, const CollectionPtr& collection,
                          const DocumentKey& key) -> Result<void> {
    auto removed = remove_document(call, transaction, collection, key);
    if (!removed && removed.error().code == Code::not_found) return {};
    return removed;
  };
  return fmt::format(R"({{"deleted":{}}})", TRY(change_all_found(call, remove, true)));
}

Result<std::string> bulk_update_by_query(Call& call) {
  const Value changes = TRY(required_changes(call));
  const auto change = [&](Transaction& transaction, const CollectionPtr& collection,
                          const DocumentKey& key) -> Result<void> {
    View& view = transaction.view();
    const auto before = TRY(view.get(*collection, key, view.live()));
    if (!before) return {};
    // No updater is recorded.
    Value body = before->body.unpack();
    if (stored_metadata(*before).is_missing()) {
      body.mutable_object().set(metadata_field, *metadata_of(*before, Shape::v2));
    }
    const Bytes packed = TRY(pack(merge_deeply(std::move(body), changes)));
    TRY(place_of(*collection, key, Packed(packed), &*before));
    TRY(transaction.put(collection, key, packed, {.author = call.principal.id}));
    return {};
  };
  return fmt::format(R"({{"updated":{}}})", TRY(change_all_found(call, change)));
}

}  // namespace mayfly::kuzzle
