// The actions that find documents: searches, scrolls and counts.
#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/collections/places.h"
#include "dialect/kuzzle/documents/queries/hits.h"
#include "dialect/kuzzle/documents/queries/multi_search.h"
#include "dialect/kuzzle/documents/queries/stage.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/generations/renderer.h"
#include "dialect/kuzzle/search/scrolls.h"
#include "dialect/kuzzle/security/rights/rights.h"
#include "dialect/kuzzle/trash/collector.h"

namespace mayfly::kuzzle {
namespace {

Result<std::shared_ptr<const search::Search>> parse_search_body(const KuzzleCall& call,
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

Result<std::string> render_answer(const KuzzleCall& call, const HitOrigin& origin,
                                  const search::Search& parsed_search, const search::Answer& found,
                                  const RenderedScroll& scroll) {
  Meter meter = meter_of(call);
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  call.renderer().begin_search(json);
  json.name("hits").begin_array();
  for (const search::Hit& hit : found.hits) {
    TRY(render_hit(call, origin, parsed_search, hit, meter, json));
  }
  json.end_array();
  json.member("total", found.total);
  call.renderer().end_search({found, scroll.id, scroll.remaining}, json);
  json.end_object();
  return out;
}

Result<std::string> answer_scroll(const KuzzleCall& call, Stage& stage, const std::string& keep_for,
                                  const std::shared_ptr<const search::Search>& parsed_search) {
  const Span time = TRY(search::parse_duration(keep_for));
  const auto page =
      TRY(with_search_words(search::begin_scroll(parsed_search, stage.context(call))));
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
Result<void> must_be_readable(const KuzzleCall& call, const std::string& scroll_id) {
  const auto of = call.shared.scrolls.place(scroll_id, call.database().now());
  if (!of) return unknown_scroll_of_documents();
  const CatalogPtr catalog = call.database().catalog();
  const CollectionPtr collection = catalog->collection(*of);
  const auto index = collection ? catalog->database(collection->database) : nullptr;
  if (!index || !is_visible_index(*index)) return unknown_scroll_of_documents();
  return authorize(call, same_action_in(call.message, index->name, collection->name));
}

}  // namespace

Result<std::string> search_documents(KuzzleCall& call) {
  if (TRY(has_targets(call))) return search_targets(call);
  TRY(call.index());
  TRY(call.collection());
  Stage stage = TRY(set_stage(call));
  const auto parsed_search = TRY(parse_search_body(call, stage));
  if (const auto keep_for = TRY(call.text("scroll"))) {
    return answer_scroll(call, stage, *keep_for, parsed_search);
  }
  const auto found = TRY(with_search_words(search::answer(*parsed_search, stage.context(call))));
  return render_answer(call, {call.message.index, call.message.collection}, *parsed_search, found,
                       {});
}

Result<std::string> continue_scroll(KuzzleCall& call) {
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
  const search::SearchContext context{view, collection, scroll.shows_trash, meter_of(call)};
  auto page = search::go_on(scroll, context);
  const search::Scroll& rest = page ? page->next : scroll;
  const std::uint64_t remaining = rest.remaining();
  TRY(call.shared.scrolls.keep_again(*id, rest, {call.client(), view.now(), time}));
  if (!page) return tl::unexpected(to_search_error(std::move(page).error()));
  return render_answer(call, {index->name, collection->name}, *scroll.search, page->answer,
                       {*id, remaining});
}

Result<std::string> count_documents(KuzzleCall& call) {
  TRY(call.index());
  TRY(call.collection());
  Stage stage = TRY(set_stage(call));
  const Value body = TRY(search_body(call));
  const auto query = TRY(with_search_words(search::parse_query_body(body, stage.language())));
  const std::uint64_t count = TRY(with_search_words(search::count(query, stage.context(call))));
  std::string out;
  JsonWriter json(out);
  call.renderer().counted(count, json);
  return out;
}

}  // namespace mayfly::kuzzle
