// The actions that find documents: searches, their scrolls, counts, and writes to what is found.
#include <fmt/format.h>

#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/collector.h"
#include "dialect/kuzzle/documents/write.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/metadata.h"
#include "dialect/kuzzle/places.h"
#include "dialect/kuzzle/search/scrolls.h"
#include "dialect/kuzzle/search/search.h"
#include "dialect/kuzzle/telling.h"
#include "value/json.h"

namespace mayfly::kuzzle {
namespace {

// In Kuzzle's words: what is wrong with a search has one id, wherever it stands.
Error in_words_of_search(Error error) {
  if (error.code != Code::invalid || error.field.starts_with("services.")) return error;
  if (!error.field.empty()) error.message = error.field + ": " + error.message;
  error.field = "services.storage.invalid_search_query";
  return error;
}

template <class T>
Result<T> worded(Result<T> result) {
  if (!result) return tl::unexpected(in_words_of_search(std::move(result).error()));
  return result;
}

Meter meter_of(const Call& call) {
  const bool is_due = !call.answer_by.is_never();
  return {monotonic_now, is_due ? call.answer_by : monotonic_now() + limits::request_time_max};
}

Result<void> check_single_place(const Call& call) {
  for (const std::string& name : {call.message.index, call.message.collection}) {
    if (name.find_first_of(",*+") == std::string::npos && name != "_all") continue;
    return problem("services.storage.no_multi_indexes",
                   "Search on multiple indexes is not available.");
  }
  return {};
}

// The body of a search; over HTTP a GET says it in a parameter.
Result<Value> search_body(const Call& call) {
  const auto text = TRY(call.text("searchBody"));
  if (TRY(call.text("lang")).value_or("elasticsearch") != "elasticsearch") {
    return fail(Code::unsupported, "searches in other languages are not offered");
  }
  if (!call.message.body.is_missing() || !text) return call.message.body;
  auto parsed = parse_json(*text);
  if (!parsed) return fail(Code::invalid, "searchBody is no JSON: " + parsed.error().message);
  return *std::move(parsed);
}

// What is searched, as one state of everything.
struct Stage {
  View view;
  CollectionPtr collection;
  search::Mapping mapping;

  search::Language language() const { return {.mapping = mapping, .now = view.now()}; }
  search::Place place(const Call& call) {
    return {view, collection, call.includes_trash(), meter_of(call)};
  }
};

Result<Stage> set_stage(const Call& call) {
  TRY(check_single_place(call));
  Database& database = call.database();
  auto collection = TRY(place_to_read(call, *database.catalog()));
  if (call.includes_trash()) call.shared.collector.run_due();
  View view = call.includes_trash() ? TRY(database.settled_view(collection->id)) : database.view();
  auto mapping = TRY(search::Mapping::parse(mapping_of(*collection)));
  return Stage{std::move(view), std::move(collection), std::move(mapping)};
}

Result<std::shared_ptr<const search::Search>> asked_search(const Call& call, const Stage& stage) {
  auto asked = std::make_shared<search::Search>(
      TRY(worded(search::parse_search(TRY(search_body(call)), stage.language()))));
  if (const auto from = TRY(call.integer("from"))) asked->from = static_cast<std::size_t>(*from);
  if (const auto size = TRY(call.integer("size"))) asked->size = static_cast<std::size_t>(*size);
  const std::size_t span = asked->size > asked->from ? asked->size - asked->from : 0;
  if (span > limits::documents_fetch_max) {
    return problem("services.storage.get_limit_exceeded",
                   fmt::format("Search page size exceeds server configured documents limit ({})",
                               limits::documents_fetch_max));
  }
  TRY(worded(search::check_window(*asked)));
  return asked;
}

// Where the hits come from, as they tell it.
struct Origin {
  std::string index;
  std::string collection;
};

void render_hit(const Call& call, const Origin& origin, const search::Search& asked,
                const search::Hit& hit, bool has_score, std::string& out) {
  out += '{';
  if (!call.is_v2()) {
    render_place(origin.index, origin.collection, out);
    out += ',';
  }
  render_id_and_version(hit.document, out);
  out += has_score ? R"(,"_score":1)" : R"(,"_score":null)";
  if (asked.source.shows) out += ',';
  if (asked.source.shows_all()) {
    render_source(hit.document, call.shape(), out);
  } else if (asked.source.shows) {
    render_source(asked.source.of(hit.document.body.unpack()), hit.document, call.shape(), out);
  }
  render_meta(hit.document, call.shape(), out);
  if (!hit.sort.empty()) out += R"(,"sort":)" + render_json(hit.sort);
  out += '}';
}

struct ScrollTold {
  std::string id;  // empty: there is none
  std::uint64_t remaining = 0;
};

std::string render_answer(const Call& call, const Origin& origin, const search::Search& asked,
                          const search::Answer& found, const ScrollTold& scroll) {
  std::string out = call.is_v2() ? "{"
                                 : R"({"took":0,"timed_out":false,)"
                                   R"("_shards":{"total":1,"successful":1,"failed":0},)";
  out += R"("hits":[)";
  for (std::size_t i = 0; i < found.hits.size(); ++i) {
    if (i > 0) out += ',';
    render_hit(call, origin, asked, found.hits[i], found.max_score.has_value(), out);
  }
  out += fmt::format(R"(],"total":{})", found.total);
  if (!call.is_v2()) out += found.max_score ? R"(,"max_score":1)" : R"(,"max_score":null)";
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
                                  const std::shared_ptr<const search::Search>& asked) {
  const Span time = TRY(search::parse_duration(keep_for));
  const auto page = TRY(worded(search::begin_scroll(asked, stage.place(call))));
  const std::uint64_t remaining = page.next.remaining();
  const std::string id = TRY(call.shared.scrolls.keep(page.next, stage.view.now(), time));
  return render_answer(call, {call.message.index, call.message.collection}, *asked, page.answer,
                       {id, remaining});
}

// The query of a body that must have one.
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
  return worded(search::parse_query(*query, stage.language()));
}

// The ids of the living that it finds, in the state of the transaction.
Result<std::vector<std::string>> found_ids(const Call& call, Transaction& transaction,
                                           const CollectionPtr& collection, const ExprPtr& query) {
  std::vector<std::string> all;
  std::optional<query::Bookmark> after;
  const search::Place place{transaction.view(), collection, false, meter_of(call)};
  do {
    auto page = TRY(search::ids(query, place, after));
    for (std::string& id : page.ids) all.push_back(std::move(id));
    after = std::move(page.next);
    if (all.size() > limits::documents_delete_max) {
      return problem("services.storage.write_limit_exceeded",
                     fmt::format("Number of documents exceeds the server configured value ({})",
                                 limits::documents_delete_max));
    }
  } while (after);
  return all;
}

}  // namespace

Result<std::string> search_documents(Call& call) {
  TRY(call.index());
  TRY(call.collection());
  Stage stage = TRY(set_stage(call));
  const auto asked = TRY(asked_search(call, stage));
  if (const auto keep_for = TRY(call.text("scroll"))) {
    return answer_scroll(call, stage, *keep_for, asked);
  }
  const auto found = TRY(worded(search::answer(*asked, stage.place(call))));
  return render_answer(call, {call.message.index, call.message.collection}, *asked, found, {});
}

Result<std::string> scroll_on(Call& call) {
  auto id = TRY(call.text("scrollId"));
  if (!id && call.message.body.member("scrollId").is(Kind::text)) {
    id = call.message.body.member("scrollId").text();
  }
  if (!id) return missing_argument("scrollId");
  const Span time = TRY(search::parse_duration(TRY(call.text("scroll")).value_or("")));
  Database& database = call.database();
  auto taken = call.shared.scrolls.take(*id, database.now());
  const auto unknown = [] {
    return problem("services.storage.unknown_scroll_id",
                   "Non-existing or expired scroll identifier");
  };
  if (!taken) return unknown();
  const search::Scroll scroll = *std::move(taken);
  const CatalogPtr catalog = database.catalog();
  const CollectionPtr collection = catalog->collection(scroll.collection);
  if (!collection) return unknown();
  View view = scroll.shows_trash ? TRY(database.settled_view(collection->id)) : database.view();
  const search::Place place{view, collection, scroll.shows_trash, meter_of(call)};
  auto page = search::go_on(scroll, place);
  const search::Scroll& rest = page ? page->next : scroll;
  const std::uint64_t remaining = rest.remaining();
  TRY(call.shared.scrolls.keep_again(*id, rest, view.now(), time));
  if (!page) return tl::unexpected(in_words_of_search(std::move(page).error()));
  const auto index = catalog->database(collection->database);
  return render_answer(call, {index ? index->name : "", collection->name}, *scroll.search,
                       page->answer, {*id, remaining});
}

Result<std::string> count_documents(Call& call) {
  TRY(call.index());
  TRY(call.collection());
  Stage stage = TRY(set_stage(call));
  const Value body = TRY(search_body(call));
  const auto query = TRY(worded(search::parse_query_body(body, stage.language())));
  const std::uint64_t count = TRY(worded(search::count(query, stage.place(call))));
  if (call.is_v2()) return fmt::format(R"({{"count":{}}})", count);
  return fmt::format(R"({{"count":{},"_shards":{{"total":1,"successful":1,"failed":0}}}})", count);
}

Result<std::string> delete_by_query(Call& call) {
  TRY(call.index());
  TRY(call.collection());
  TRY(call.check_refresh());
  std::vector<std::string> ids;
  std::string documents;
  const bool shows_source = call.is_v2() && TRY(call.flag("source"));
  Stage stage = TRY(set_stage(call));
  const ExprPtr query = TRY(required_query(call, stage));
  Telling telling(call, "delete");
  telling.committed(TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    View& view = transaction.view();
    const auto collection = TRY(place_to_write(call, view.catalog()));
    ids = TRY(worded(found_ids(call, transaction, collection, query)));
    telling.writes(ids);
    documents.clear();
    for (const std::string& id : ids) {
      documents += documents.empty() ? R"({"_id":)" : R"(,{"_id":)";
      render_json_text(id, documents);
      if (shows_source) {
        const auto before = TRY(view.get(*collection, DocumentKey::of(id), view.live()));
        documents += ',';
        if (before) render_source(*before, call.shape(), documents);
      }
      documents += '}';
      TRY(remove_document(call, transaction, collection, id));
    }
    return {};
  })));
  const Array told(ids.begin(), ids.end());
  if (!call.is_v2()) return render_json(Object{{"ids", told}});
  return R"({"documents":[)" + documents + R"(],"ids":)" + render_json(told) + '}';
}

Result<std::string> update_by_query(Call& call) {
  TRY(call.index());
  TRY(call.collection());
  TRY(call.check_refresh());
  Stage stage = TRY(set_stage(call));
  const ExprPtr query = TRY(required_query(call, stage));
  const Value* changes = call.message.body.object().find("changes");
  if (changes == nullptr || !changes->is(Kind::object)) return wrong_type("changes", "object");
  std::vector<std::string> ids;
  CollectionPtr collection;
  std::string successes;
  const bool shows_source = TRY(call.flag("source"));
  Telling telling(call, "update");
  telling.committed(TRY(call.database().transact(
      [&](Transaction& transaction) -> Result<void> {
        collection = TRY(place_to_write(call, transaction.view().catalog()));
        ids = TRY(worded(found_ids(call, transaction, collection, query)));
        telling.writes(ids);
        for (const std::string& id : ids) {
          TRY(write_document(call, transaction, collection,
                             {.how = Writing::update, .id = id, .body = *changes}));
        }
        return {};
      },
      [&](const Transaction& transaction, Instant) {
        for (const std::string& id : ids) {
          const auto written = transaction.written(collection, DocumentKey::of(id));
          if (!written) continue;
          successes += successes.empty() ? "{" : ",{";
          render_id_and_version(*written, successes);
          successes += R"(,"status":200)";
          if (shows_source) {
            successes += ',';
            render_source(*written, call.shape(), successes);
          }
          successes += '}';
        }
      })));
  return R"({"successes":[)" + successes + R"(],"errors":[]})";
}

}  // namespace mayfly::kuzzle
