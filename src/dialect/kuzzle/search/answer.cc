// Runs searches as queries of the core, in pages.
#include <algorithm>
#include <cmath>

#include "dialect/kuzzle/search/highlights/highlight.h"
#include "dialect/kuzzle/search/limits.h"
#include "dialect/kuzzle/search/search.h"
#include "dialect/kuzzle/search/searched_rows.h"
#include "expr/evaluation/evaluate.h"
#include "query/planning/planner.h"
#include "query/run.h"

namespace mayfly::kuzzle::search {
namespace {

query::QueryPtr matching_rows(const Search& search, query::QueryPtr rows) {
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

// --- scores ---

bool is_scored(const Search& search) {
  return search.tracks_scores || search.sort.empty() ||
         std::any_of(search.sort.begin(), search.sort.end(),
                     [](const SortField& field) { return field.name == "_score"; });
}

using ScorerPtr = std::shared_ptr<const Scorer>;

// Every match, with the data that scores need.
struct MatchStatistics {
  ScorerPtr scorer;
  std::uint64_t matches = 0;
};

Result<MatchStatistics> collect_statistics(const Search& search, const query::QueryPtr& matching,
                                           const SearchContext& context) {
  const auto scorer = std::make_shared<Scorer>(*search.score);
  MatchStatistics statistics{scorer, 0};
  Meter meter = context.meter;
  std::vector<Value> texts;
  std::optional<query::Bookmark> after;
  do {
    query::RowsPage page = TRY(query::answer(matching, context.view,
                                             {.rows_max = limits::search_scored_at_once,
                                              .bookmark = std::move(after),
                                              .meter = context.meter}));
    for (const query::QueryRow& row : page.rows) {
      texts.clear();
      meter.begin_evaluation();
      for (const ExprPtr& text : scorer->texts()) {
        texts.push_back(TRY(evaluate(*text, row, meter)));
      }
      scorer->note(texts);
    }
    statistics.matches += page.rows.size();
    after = std::move(page.next);
  } while (after);
  return statistics;
}

// The rows with their scores in a slot.
query::QueryPtr scored(query::QueryPtr rows, const ScorerPtr& scorer) {
  ExprPtr score = expr::foreign(
      "relevance", Effect::pure,
      [scorer](const Scope&, std::span<const Value> inputs, Meter&) -> Result<Value> {
        return number_of_score(scorer->score(inputs));
      },
      scorer->inputs());
  return query::unnest(std::move(rows), score_slot, expr::call("array", {std::move(score)}));
}

query::SortKey best_first() {
  return {expr::slot(score_slot), true};
}

// The rows of hits, in their order. Without a scorer all have the same score.
query::QueryPtr hits_of(const Search& search, query::QueryPtr rows, const ScorerPtr& scorer) {
  rows = matching_rows(search, std::move(rows));
  if (scorer) rows = scored(std::move(rows), scorer);
  if (search.after) rows = query::filter(std::move(rows), search.after);
  auto keys = keys_of(search);
  if (scorer && search.sort.empty()) keys.push_back(best_first());
  return keys.empty() ? rows
                      : query::sort(std::move(rows), std::move(keys), query::Ties::ascending);
}

Result<Hit> hit_of(query::QueryRow row, const Search& search, Meter& meter) {
  Hit hit;
  for (const SortField& field : search.sort) {
    Value value = TRY(evaluate(*field.value, row, meter));
    hit.sort.push_back(value.is_missing() ? Value(nullptr) : std::move(value));
  }
  if (is_scored(search)) {
    const auto every = constant_of(search.score);
    const Value own = row.field(score_slot, Field{});
    hit.score = every || !own.is_number() ? every : own.number();
  }
  hit.document = *std::move(row.document);
  return hit;
}

Result<std::vector<Hit>> hits_of(std::vector<query::QueryRow> rows, const Search& search,
                                 Meter meter) {
  std::vector<Hit> hits;
  hits.reserve(rows.size());
  std::optional<Highlighter> highlighter;
  if (search.highlight) highlighter.emplace(*search.highlight, meter);
  for (query::QueryRow& row : rows) {
    hits.push_back(TRY(hit_of(std::move(row), search, meter)));
    if (highlighter) hits.back().highlight = TRY(highlighter->of(hits.back().document));
  }
  return hits;
}

// The highest score among all matches; `hits` are one page of them.
Result<std::optional<double>> max_score(const Search& search, const query::QueryPtr& rows,
                                        const ScorerPtr& scorer, const std::vector<Hit>& hits,
                                        const SearchContext& context) {
  if (!is_scored(search) || hits.empty()) return std::optional<double>();
  if (!scorer) return hits.front().score;
  const bool begins_with_best = search.sort.empty() || (search.sort.front().name == "_score" &&
                                                        search.sort.front().is_descending);
  if (begins_with_best && search.from == 0 && !search.after) return hits.front().score;
  auto best = query::sort(scored(matching_rows(search, rows), scorer), {best_first()});
  const query::RowsPage page =
      TRY(query::answer(query::slice(std::move(best), 0, 1), context.view,
                        {.rows_max = 1, .bookmark = {}, .meter = context.meter}));
  if (page.rows.empty()) return std::optional<double>();
  return std::optional(page.rows.front().field(score_slot, Field{}).number());
}

Result<std::uint64_t> count_rows(const query::QueryPtr& rows, const SearchContext& context) {
  const query::Plan plan = TRY(query::plan(rows, {context.view.now(), std::nullopt}));
  return TRY(query::count(plan, context.view, context.meter)).rows;
}

// --- scrolls ---

// The lens of later pages: the instant of the search, if the collection still has its history.
// Expiration is decided now: documents that have expired meanwhile are not shown.
Lens lens_at(Instant snapshot, const SearchContext& context) {
  if (!context.view.as_of(snapshot, *context.collection)) return lens_of(context);
  Lens lens = Lens::page(snapshot, context.view.now());
  lens.shows_trash = context.shows_trash;
  return lens;
}

Result<ScrollPage> scroll_page(Scroll scroll, query::RowsPage page, const Meter& meter) {
  ScrollPage made{{}, std::move(scroll)};
  made.answer.hits = TRY(hits_of(std::move(page.rows), *made.next.search, meter));
  if (!made.answer.hits.empty()) made.answer.max_score = made.next.max_score;
  made.next.given += made.answer.hits.size();
  made.next.bookmark = std::move(page.next);
  // At the end of the hits, the number of documents that have expired meanwhile is known.
  if (!made.next.bookmark) made.next.total = made.next.given;
  made.answer.total = made.next.total;
  return made;
}

}  // namespace

Lens lens_of(const SearchContext& context) {
  if (context.shows_trash) return Lens::trash(context.view.now());
  return context.visible_at ? Lens::page(*context.visible_at, context.view.now())
                            : context.view.live();
}

query::QueryPtr rows_of(const SearchContext& context, const Lens& lens) {
  const bool is_routed = context.collection->body.is_partitioned();
  return query::scan(context.collection, lens,
                     is_routed ? std::nullopt : std::optional<Bytes>(Bytes()));
}

Value number_of_score(double score) {
  constexpr double whole_max = 1e15;
  if (std::floor(score) != score || std::abs(score) > whole_max) return score;
  return static_cast<std::int64_t>(score);
}

namespace {

// The beginning of a search: the rows it reads and, if scores differ, the statistics of all
// matches.
struct StartedSearch {
  query::QueryPtr rows;
  ScorerPtr scorer;
  std::optional<std::uint64_t> total;
};

Result<StartedSearch> start_search(const Search& search, const SearchContext& context) {
  StartedSearch started{rows_of(context, lens_of(context)), nullptr, std::nullopt};
  if (search.size == 0 || !is_scored(search) || constant_of(search.score)) return started;
  MatchStatistics statistics =
      TRY(collect_statistics(search, matching_rows(search, started.rows), context));
  started.scorer = std::move(statistics.scorer);
  started.total = statistics.matches;
  return started;
}

}  // namespace

Result<Answer> answer(const Search& search, const SearchContext& context) {
  TRY(check_window(search));
  Answer answer;
  const StartedSearch started = TRY(start_search(search, context));
  std::optional<std::uint64_t> total = started.total;
  if (search.size > 0) {
    const auto hits =
        query::slice(hits_of(search, started.rows, started.scorer), search.from, search.size);
    query::RowsPage page = TRY(query::answer(
        hits, context.view, {.rows_max = search.size, .bookmark = {}, .meter = context.meter}));
    if (page.next) {
      return fail(Code::too_large, "the documents are too large for one page; ask for fewer",
                  "size");
    }
    const std::size_t found = page.rows.size();
    answer.hits = TRY(hits_of(std::move(page.rows), search, context.meter));
    // The page may be the last.
    const bool is_whole = !search.after && found < search.size && (found > 0 || search.from == 0);
    if (is_whole) total = search.from + found;
  }
  answer.total = total ? *total : TRY(count_rows(matching_rows(search, started.rows), context));
  answer.max_score = TRY(max_score(search, started.rows, started.scorer, answer.hits, context));
  if (!search.aggregations.empty()) {
    answer.aggregations = TRY(aggregate(search.aggregations, search.query, context));
  }
  return answer;
}

Result<std::uint64_t> count(const ExprPtr& query, const SearchContext& context) {
  query::QueryPtr rows = rows_of(context, lens_of(context));
  return count_rows(query ? query::filter(std::move(rows), query) : rows, context);
}

Result<IdsPage> ids(const ExprPtr& query, const SearchContext& context,
                    const std::optional<query::Bookmark>& after, std::size_t ids_max) {
  query::QueryPtr rows = rows_of(context, lens_of(context));
  if (query) rows = query::filter(std::move(rows), query);
  query::RowsPage page = TRY(query::answer(
      rows, context.view, {.rows_max = ids_max, .bookmark = after, .meter = context.meter}));
  IdsPage found{.next = std::move(page.next)};
  for (const query::QueryRow& row : page.rows) {
    found.ids.emplace_back(row.document->id);
    found.keys.push_back(row.document->document_key());
  }
  return found;
}

Result<ScrollPage> begin_scroll(std::shared_ptr<const Search> search,
                                const SearchContext& context) {
  if (search->from > 0) return fail(Code::invalid, "a scroll begins with the first hit", "from");
  if (search->size == 0) return fail(Code::invalid, "a page of a scroll has hits", "size");
  TRY(check_window(*search));
  const StartedSearch started = TRY(start_search(*search, context));
  Scroll scroll{.collection = context.collection->id,
                .shows_trash = context.shows_trash,
                .search = search,
                .bookmark = {},
                .visible_at = context.visible_at,
                .scorer = started.scorer};
  scroll.total = started.total ? *started.total
                               : TRY(count_rows(matching_rows(*search, started.rows), context));
  // Ordered by keys, as on later pages, which read an earlier state; sorted hits may be read by any
  // index.
  const auto hits = hits_of(*search, started.rows, started.scorer);
  const bool is_sorted = hits->as<query::Sort>() != nullptr;
  const query::PlanChoice keys_only{0, is_sorted ? query::Ties::ascending : query::Ties::any};
  const query::Plan plan = TRY(query::plan(hits, {context.view.now(), keys_only}));
  query::RowsPage page = TRY(query::run(plan, context.view,
                                        {.rows_max = search->size,
                                         .bookmark = {},
                                         .meter = context.meter,
                                         .bytes_max = search->page_bytes}));
  ScrollPage made = TRY(scroll_page(std::move(scroll), std::move(page), context.meter));
  made.next.max_score =
      TRY(max_score(*search, started.rows, started.scorer, made.answer.hits, context));
  made.answer.max_score = made.next.max_score;
  if (!search->aggregations.empty()) {
    made.answer.aggregations = TRY(aggregate(search->aggregations, search->query, context));
  }
  return made;
}

Result<ScrollPage> go_on(const Scroll& scroll, const SearchContext& context) {
  if (context.collection == nullptr || context.collection->id != scroll.collection) {
    return fail(Code::not_found, "Non-existing or expired scroll identifier", "scrollId");
  }
  if (!scroll.bookmark) return scroll_page(scroll, {}, context.meter);
  const SearchContext same{context.view, context.collection, scroll.shows_trash, context.meter};
  const Instant snapshot = scroll.visible_at.value_or(scroll.bookmark->snapshot);
  const auto rows = rows_of(same, lens_at(snapshot, same));
  query::RowsPage page =
      TRY(query::answer(hits_of(*scroll.search, rows, scroll.scorer), context.view,
                        {.rows_max = scroll.search->size,
                         .bookmark = scroll.bookmark,
                         .meter = context.meter,
                         .bytes_max = scroll.search->page_bytes}));
  return scroll_page(scroll, std::move(page), context.meter);
}

}  // namespace mayfly::kuzzle::search
