// Answering: searches as queries of the core, and their pages.
#include <algorithm>

#include "dialect/common/routed.h"
#include "dialect/kuzzle/search/limits.h"
#include "dialect/kuzzle/search/places.h"
#include "dialect/kuzzle/search/search.h"
#include "expr/evaluate.h"
#include "query/planner.h"
#include "query/run.h"

namespace mayfly::kuzzle::search {
namespace {

query::QueryPtr wanted_of(const Search& search, query::QueryPtr rows) {
  if (search.query) rows = query::filter(std::move(rows), search.query);
  if (search.post_filter) rows = query::filter(std::move(rows), search.post_filter);
  return rows;
}

std::vector<query::SortKey> keys_of(const Search& search) {
  std::vector<query::SortKey> keys;
  for (const SortField& field : search.sort) {
    if (field.key) keys.push_back({field.key, field.is_descending});
  }
  return keys;
}

// The rows of hits, in their order.
query::QueryPtr hits_of(const Search& search, query::QueryPtr rows) {
  rows = wanted_of(search, std::move(rows));
  if (search.after) rows = query::filter(std::move(rows), search.after);
  auto keys = keys_of(search);
  return keys.empty() ? rows
                      : query::sort(std::move(rows), std::move(keys), query::Ties::ascending);
}

Result<Hit> hit_of(query::Row row, const Search& search) {
  Hit hit;
  for (const SortField& field : search.sort) {
    Value value = TRY(evaluate(*field.value, row));
    hit.sort.push_back(value.is_missing() ? Value(nullptr) : std::move(value));
  }
  hit.document = *std::move(row.document);
  return hit;
}

Result<std::vector<Hit>> hits_of(std::vector<query::Row> rows, const Search& search) {
  std::vector<Hit> hits;
  hits.reserve(rows.size());
  for (query::Row& row : rows) hits.push_back(TRY(hit_of(std::move(row), search)));
  return hits;
}

Result<std::uint64_t> count_rows(const query::QueryPtr& rows, const Place& place) {
  const query::Plan plan = TRY(query::plan(rows, {place.view.now(), std::nullopt}));
  return TRY(query::count(plan, place.view, place.meter)).rows;
}

void score(Answer& answer, const Search& search) {
  const bool is_scored =
      search.sort.empty() || std::any_of(search.sort.begin(), search.sort.end(),
                                         [](const SortField& f) { return f.name == "_score"; });
  if (is_scored && !answer.hits.empty()) answer.max_score = 1;
}

// --- scrolls ---

// What later pages look through: the moment of the search, where the collection still knows it.
// Death is judged now: what has died meanwhile is shown no more.
Lens lens_at(Instant snapshot, const Place& place) {
  if (!place.view.as_of(snapshot, *place.collection)) return lens_of(place);
  Lens lens = Lens::page(snapshot, place.view.now());
  lens.shows_trash = place.shows_trash;
  return lens;
}

Result<ScrollPage> scroll_page(Scroll scroll, query::RowsPage page) {
  ScrollPage made{{}, std::move(scroll)};
  made.answer.hits = TRY(hits_of(std::move(page.rows), *made.next.search));
  made.answer.total = made.next.total;
  score(made.answer, *made.next.search);
  made.next.given += made.answer.hits.size();
  made.next.bookmark = std::move(page.next);
  return made;
}

}  // namespace

Lens lens_of(const Place& place) {
  if (place.shows_trash) return Lens::trash(place.view.now());
  return place.shown_at ? Lens::page(*place.shown_at, place.view.now()) : place.view.live();
}

query::QueryPtr rows_of(const Place& place, const Lens& lens) {
  const bool is_routed = place.collection->facets.contains(routed_facet);
  return query::scan(place.collection, lens,
                     is_routed ? std::nullopt : std::optional<Bytes>(Bytes()));
}

Result<Answer> answer(const Search& search, const Place& place) {
  TRY(check_window(search));
  Answer answer;
  const query::QueryPtr rows = rows_of(place, lens_of(place));
  bool is_whole = false;  // whether the page shows where the hits end
  if (search.size > 0) {
    const auto hits = query::slice(hits_of(search, rows), search.from, search.size);
    query::RowsPage page = TRY(query::answer(
        hits, place.view, {.rows_max = search.size, .bookmark = {}, .meter = place.meter}));
    if (page.next) {
      return fail(Code::too_large, "the documents are too large for one page; ask for fewer",
                  "size");
    }
    const std::size_t found = page.rows.size();
    answer.hits = TRY(hits_of(std::move(page.rows), search));
    is_whole = !search.after && found < search.size && (found > 0 || search.from == 0);
  }
  answer.total =
      is_whole ? search.from + answer.hits.size() : TRY(count_rows(wanted_of(search, rows), place));
  score(answer, search);
  if (!search.aggregations.empty()) {
    answer.aggregations = TRY(aggregate(search.aggregations, search.query, place));
  }
  return answer;
}

Result<std::uint64_t> count(const ExprPtr& query, const Place& place) {
  query::QueryPtr rows = rows_of(place, lens_of(place));
  return count_rows(query ? query::filter(std::move(rows), query) : rows, place);
}

Result<IdsPage> ids(const ExprPtr& query, const Place& place,
                    const std::optional<query::Bookmark>& after, std::size_t ids_max) {
  query::QueryPtr rows = rows_of(place, lens_of(place));
  if (query) rows = query::filter(std::move(rows), query);
  query::RowsPage page = TRY(query::answer(
      rows, place.view, {.rows_max = ids_max, .bookmark = after, .meter = place.meter}));
  IdsPage found{{}, std::move(page.next)};
  for (const query::Row& row : page.rows) found.ids.emplace_back(row.document->id);
  return found;
}

Result<ScrollPage> begin_scroll(std::shared_ptr<const Search> search, const Place& place) {
  if (search->from > 0) return fail(Code::invalid, "a scroll begins with the first hit", "from");
  if (search->size == 0) return fail(Code::invalid, "a page of a scroll has hits", "size");
  TRY(check_window(*search));
  const query::QueryPtr rows = rows_of(place, lens_of(place));
  Scroll scroll{.collection = place.collection->id,
                .shows_trash = place.shows_trash,
                .search = search,
                .bookmark = {},
                .shown_at = place.shown_at};
  scroll.total = TRY(count_rows(wanted_of(*search, rows), place));
  // No index: it knows only what is newest, and later pages look at what was.
  const bool is_sorted = !keys_of(*search).empty();
  const query::Choice keys_only{0, is_sorted ? query::Ties::ascending : query::Ties::any};
  const query::Plan plan = TRY(query::plan(hits_of(*search, rows), {place.view.now(), keys_only}));
  query::RowsPage page = TRY(query::run(
      plan, place.view, {.rows_max = search->size, .bookmark = {}, .meter = place.meter}));
  ScrollPage made = TRY(scroll_page(std::move(scroll), std::move(page)));
  if (!search->aggregations.empty()) {
    made.answer.aggregations = TRY(aggregate(search->aggregations, search->query, place));
  }
  return made;
}

Result<ScrollPage> go_on(const Scroll& scroll, const Place& place) {
  if (place.collection == nullptr || place.collection->id != scroll.collection) {
    return fail(Code::not_found, "Non-existing or expired scroll identifier", "scrollId");
  }
  if (!scroll.bookmark) return scroll_page(scroll, {});
  const Place same{place.view, place.collection, scroll.shows_trash, place.meter};
  const Instant snapshot = scroll.shown_at.value_or(scroll.bookmark->snapshot);
  const auto rows = rows_of(same, lens_at(snapshot, same));
  query::RowsPage page = TRY(query::answer(
      hits_of(*scroll.search, rows), place.view,
      {.rows_max = scroll.search->size, .bookmark = scroll.bookmark, .meter = place.meter}));
  return scroll_page(scroll, std::move(page));
}

}  // namespace mayfly::kuzzle::search
