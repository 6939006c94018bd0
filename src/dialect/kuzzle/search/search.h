// Searching: the query language of Elasticsearch, as far as it is offered, lowered into queries of
// the core. Plain functions on JSON bodies and a View; nothing here knows of requests, and nobody
// is told anything but through results.
//
//   const Mapping mapping = TRY(Mapping::parse(TRY(parse_json(facet))));
//   const Language language{.mapping = mapping, .now = view.now()};
//   const Search search = TRY(parse_search(body, language));
//   const Answer answer = TRY(search::answer(search, {view, collection, includes_trash, meter}));
//   for (const Hit& hit : answer.hits) …  // hit.document, search.source.of(hit.document.body…)
//
// With the trash, the view is one of Database::settled_view(collection->id).
//
// What is meant by a field: `_id`; `_meta.X` and `_kuzzle_info.X`, where X is author, createdAt,
// updatedAt, updater, active or deletedAt: the facts that the core keeps; anything else is a path
// in the body, which leads through arrays to every item. A text's words are its runs of letters,
// digits, marks and underscores, in small letters.
//
// Scores: who asks for no order gets the best hits first (relevance/score.h says what a hit is
// worth), and those that are worth the same in an order that stays. Frequencies are those among all
// that the search finds. A query that is worth the same wherever it fits orders nothing, and costs
// nothing.
//
// Failures: invalid, with `field` the path of the member that is wrong ("query.bool.must.0.range");
// unsupported for what Elasticsearch knows and is not offered here; too_large over limits.h here.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/read/view.h"
#include "dialect/kuzzle/search/aggregations/aggregation.h"
#include "dialect/kuzzle/search/highlights/marks.h"
#include "dialect/kuzzle/search/mapping.h"
#include "dialect/kuzzle/search/source_filter.h"
#include "expr/evaluation/meter.h"
#include "expr/expr.h"
#include "expr/relevance/score.h"
#include "expr/relevance/scorer.h"
#include "query/bookmark.h"

namespace mayfly::kuzzle::search {

using relevance::best_of;
using relevance::boosted;
using relevance::Clause;
using relevance::constant;
using relevance::constant_of;
using relevance::phrase_score;
using relevance::Score;
using relevance::score_where;
using relevance::ScorePtr;
using relevance::Scorer;
using relevance::sum_of;
using relevance::words_score;

// A fact about a document: author and updater are texts, createdAt, updatedAt and deletedAt
// instants, active a truth; null or missing where it is not known. Null pointer for another name.
// A dialect that keeps such facts elsewhere hands in a function of its own.
using Fact = std::function<ExprPtr(std::string_view name)>;
ExprPtr core_fact(std::string_view name);

struct Highlight;  // highlights/highlight.h
struct Language;
// Reads what stands behind "query" in another language; null: in Elasticsearch's.
using ReadQuery = Result<ExprPtr> (*)(const Value& query, const Language& language);

// What the words of a body mean. It outlives the parsing only.
struct Language {
  const Mapping& mapping;
  Instant now;  // of "now" in dates
  Fact fact = core_fact;
  ReadQuery read_query = nullptr;
  bool shows_highlights = false;  // otherwise `highlight` is not offered
  Marks* marks = nullptr;         // where it is noted what a query looks for; null: nowhere
};

struct SortField {
  std::string name;
  FieldType type = FieldType::dynamic;
  ExprPtr value;  // what the hit shows; missing: null
  ExprPtr key;    // what is ordered by; null: it is the same for every hit, and orders nothing
  bool is_descending = false;
  // How missing values stand in the key: not at all (the key is the bare value), or before or
  // behind the others.
  enum class Missing { none, first, last } missing = Missing::last;
};

// Where a row's score stands while it is asked for: a slot that no expression of a search binds.
inline constexpr Slot score_slot = 1'000'000;

// A body that was understood. It may be kept, and used again on later views.
struct Search {
  ExprPtr query;        // true for the rows wanted; null: all
  ExprPtr post_filter;  // the same, but not for aggregations
  ScorePtr score = constant(1);
  bool tracks_scores = false;  // hits have scores even where another order is asked
  std::vector<SortField> sort;
  ExprPtr after;  // search_after: true behind that place
  std::size_t from = 0;
  std::size_t size = limits::search_page_default;
  std::size_t page_bytes = limits::query_bytes_max / 4;  // of a scroll: ends a page early
  SourceFilter source;
  std::shared_ptr<const Highlight> highlight;  // null: none is asked
  std::vector<Aggregation> aggregations;
  std::size_t bytes = 0;  // about how much memory it takes
};

// `from` and `size` that stand beside the body are set on the result by the caller, who then calls
// check_window(). An empty body, missing or null means everything.
Result<Search> parse_search(const Value& body, const Language& language);
Result<void> check_window(const Search& search);
// The bodies of count and deleteByQuery: {"query": …}; nothing else may stand there. Null for all.
Result<ExprPtr> parse_query_body(const Value& body, const Language& language);
// What stands behind "query", and what it is worth; a null condition is everything.
Result<Clause> parse_clause(const Value& query, const Language& language,
                            const std::string& place = "query");
// What stands behind "query"; missing, null and {} are everything.
Result<ExprPtr> parse_query(const Value& query, const Language& language,
                            const std::string& place = "query");

// Where a search looks.
struct Place {
  View& view;
  CollectionPtr collection;
  bool shows_trash = false;
  Meter meter = {};
  // The state that is looked at, where it is not the newest; what has died since is not shown. Not
  // with the trash.
  std::optional<Instant> shown_at = {};
};

struct Hit {
  Document document;
  std::optional<double> score;  // unset where an order was asked that has nothing to do with it
  Array sort;                   // the values it was sorted by; empty: nothing was asked
  Value highlight;              // {field: [fragments]}; missing: none
};
// Whole numbers as such, so that clients read 1 and not 1.0.
Value number_of_score(double score);

struct Answer {
  std::vector<Hit> hits;
  std::uint64_t total = 0;
  std::optional<double> max_score;  // of all that was found; unset where no hit has a score
  Value aggregations;               // an object; missing where none were asked
};

Result<Answer> answer(const Search& search, const Place& place);
// Of parse_query; a null query counts everything.
Result<std::uint64_t> count(const ExprPtr& query, const Place& place);

// Ids of what a query finds, in pages, so that deleting by query holds no list of them all.
struct IdsPage {
  std::vector<std::string> ids;
  std::vector<DocumentKey> keys;  // of the same documents
  std::optional<query::Bookmark> next;
};
Result<IdsPage> ids(const ExprPtr& query, const Place& place,
                    const std::optional<query::Bookmark>& after = std::nullopt,
                    std::size_t ids_max = limits::search_ids_max);

// --- scrolls ---

// What must be kept so that a scroll goes on: the query and a place, not the result. Where the
// collection keeps history, later pages show the documents as they were at the time of the search,
// but for those that have died meanwhile; where it keeps none (or not for so long), they show them
// as they are now, each at most once.
struct Scroll {
  CollectionId collection = 0;
  bool shows_trash = false;
  std::shared_ptr<const Search> search;
  std::optional<query::Bookmark> bookmark;  // unset: behind the last hit, where pages are empty
  std::uint64_t total = 0;
  std::uint64_t given = 0;               // hits on all pages so far
  std::optional<Instant> shown_at = {};  // of the place where it began
  // Of the first page, so that every page gives a hit the same score; null where all are alike.
  std::shared_ptr<const Scorer> scorer = nullptr;
  std::optional<double> max_score = {};

  std::uint64_t remaining() const { return total - std::min(total, given); }
};
struct ScrollPage {
  Answer answer;
  Scroll next;
};
Result<ScrollPage> begin_scroll(std::shared_ptr<const Search> search, const Place& place);
// Fails with not_found where place.collection is not the scroll's.
Result<ScrollPage> go_on(const Scroll& scroll, const Place& place);

}  // namespace mayfly::kuzzle::search
