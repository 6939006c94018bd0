// Searching: the supported part of Elasticsearch's query language, lowered into queries of the
// core. These are plain functions on JSON bodies and a View; they do not depend on requests.
//
//   const Mapping mapping = TRY(Mapping::parse(TRY(parse_json(facet))));
//   const Language language{.mapping = mapping, .now = view.now()};
//   const Search search = TRY(parse_search(body, language));
//   const Answer answer = TRY(search::answer(search, {view, collection, includes_trash, meter}));
//   for (const Hit& hit : answer.hits) …  // hit.document, search.source.of(hit.document.body…)
//
// To include the trash, the view must come from Database::up_to_date_view(collection->id).
//
// Fields: `_id`; `_meta.X` and `_kuzzle_info.X`, where X is author, createdAt, updatedAt, updater,
// active or deletedAt: the metadata of the core; any other name is a path in the body, which leads
// through arrays to every item. The words of a text are its runs of letters, digits, marks and
// underscores, in lower case.
//
// Scores: without a sort order, hits are sorted by score (relevance/score.h), and hits with equal
// scores in a stable order. Word frequencies are those among all hits of the search. A query that
// gives every hit the same score does no scoring and costs nothing.
//
// Failures: invalid, with `field` the path of the wrong member ("query.bool.must.0.range");
// unsupported for features of Elasticsearch that are not offered; too_large over limits.h here.
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
#include "dialect/kuzzle/search/highlights/highlight_terms.h"
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

// Makes the expression of a document's metadata field: author and updater are texts, createdAt,
// updatedAt and deletedAt instants, active a boolean; null or missing if not known. Null pointer
// for another name. A dialect that stores such metadata elsewhere passes a function of its own.
using Fact = std::function<ExprPtr(std::string_view name)>;
ExprPtr core_fact(std::string_view name);

struct Highlight;  // highlights/highlight.h
struct Language;
// Parses the value of "query" in another language; null: Elasticsearch's.
using ReadQuery = Result<ExprPtr> (*)(const Value& query, const Language& language);

// The context in which a body is parsed. It is needed only while parsing.
struct Language {
  const Mapping& mapping;
  Instant now;  // the value of "now" in dates
  Fact fact = core_fact;
  ReadQuery read_query = nullptr;
  bool shows_highlights = false;  // otherwise `highlight` is not supported
  HighlightTerms* highlight_terms =
      nullptr;  // receives the search terms of the query; null: none are recorded
};

struct SortField {
  std::string name;
  FieldType type = FieldType::dynamic;
  ExprPtr value;  // shown in the hit; missing: null
  ExprPtr key;    // the sort key; null: the same for every hit, so it orders nothing
  bool is_descending = false;
  // How missing values sort: not at all (the key is the bare value), or before or after the others.
  enum class Missing { none, first, last } missing = Missing::last;
};

// The slot of a row's score in expressions; no expression of a search binds it.
inline constexpr Slot score_slot = 1'000'000;

// A parsed body. It may be kept and used again on later views.
struct Search {
  ExprPtr query;        // true for matching rows; null: all
  ExprPtr post_filter;  // the same, but not applied to aggregations
  ScorePtr score = constant(1);
  bool tracks_scores = false;  // hits have scores even with another sort order
  std::vector<SortField> sort;
  ExprPtr after;  // search_after: true after that position
  std::size_t from = 0;
  std::size_t size = limits::search_page_default;
  std::size_t page_bytes = limits::query_bytes_max / 4;  // for scrolls: ends a page early
  SourceFilter source;
  std::shared_ptr<const Highlight> highlight;  // null: none
  std::vector<Aggregation> aggregations;
  std::size_t bytes = 0;  // the approximate memory that it takes
};

// If `from` and `size` are given outside the body, the caller sets them on the result and calls
// check_window(). An empty, missing or null body matches everything.
Result<Search> parse_search(const Value& body, const Language& language);
Result<void> check_window(const Search& search);
// Parses the bodies of count and deleteByQuery: {"query": …}, and no other members. Null for all.
Result<ExprPtr> parse_query_body(const Value& body, const Language& language);
// Parses the value of "query" with its score; a null condition matches everything.
Result<Clause> parse_clause(const Value& query, const Language& language,
                            const std::string& place = "query");
// Parses the value of "query"; missing, null and {} match everything.
Result<ExprPtr> parse_query(const Value& query, const Language& language,
                            const std::string& place = "query");

// The data that a search reads.
struct SearchContext {
  View& view;
  CollectionPtr collection;
  bool shows_trash = false;
  Meter meter = {};
  // The instant of the state to read, if not the newest. Documents that have expired since are not
  // shown. Cannot be combined with the trash.
  std::optional<Instant> visible_at = {};
};

struct Hit {
  Document document;
  std::optional<double> score;  // unset if the sort order does not use it
  Array sort;                   // the values of the sort keys; empty: no sort was requested
  Value highlight;              // {field: [fragments]}; missing: none
};
// Whole numbers as integers, so that clients read 1 and not 1.0.
Value number_of_score(double score);

struct Answer {
  std::vector<Hit> hits;
  std::uint64_t total = 0;
  std::optional<double> max_score;  // among all matches; unset if no hit has a score
  Value aggregations;               // an object; missing if none were requested
};

Result<Answer> answer(const Search& search, const SearchContext& context);
// `query`: from parse_query; null counts everything.
Result<std::uint64_t> count(const ExprPtr& query, const SearchContext& context);

// The ids of matching documents, in pages, so that deleting by query needs no list of all.
struct IdsPage {
  std::vector<std::string> ids;
  std::vector<DocumentKey> keys;  // of the same documents
  std::optional<query::Bookmark> next;
};
Result<IdsPage> ids(const ExprPtr& query, const SearchContext& context,
                    const std::optional<query::Bookmark>& after = std::nullopt,
                    std::size_t ids_max = limits::search_ids_max);

// --- scrolls ---

// The state of a scroll: the query and a position, not the result. If the collection keeps history,
// later pages show the documents as they were at the time of the search, except those that have
// expired since. Without (enough) history, they show the current documents, each at most once.
struct Scroll {
  CollectionId collection = 0;
  bool shows_trash = false;
  std::shared_ptr<const Search> search;
  std::optional<query::Bookmark> bookmark;  // unset: after the last hit, where pages are empty
  std::uint64_t total = 0;
  std::uint64_t given = 0;                 // hits on all pages so far
  std::optional<Instant> visible_at = {};  // as in the first page's context
  // From the first page, so that scores do not change between pages; null if all are equal.
  std::shared_ptr<const Scorer> scorer = nullptr;
  std::optional<double> max_score = {};

  std::uint64_t remaining() const { return total - std::min(total, given); }
};
struct ScrollPage {
  Answer answer;
  Scroll next;
};
Result<ScrollPage> begin_scroll(std::shared_ptr<const Search> search, const SearchContext& context);
// Fails with not_found if the context's collection is not the scroll's.
Result<ScrollPage> go_on(const Scroll& scroll, const SearchContext& context);

}  // namespace mayfly::kuzzle::search
