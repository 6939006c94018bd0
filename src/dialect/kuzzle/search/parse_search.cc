// Parses the bodies of searches.
#include "dialect/kuzzle/search/dsl/lowering.h"
#include "dialect/kuzzle/search/highlights/highlight.h"
#include "dialect/kuzzle/search/limits.h"

namespace mayfly::kuzzle::search {
namespace {

// Members that Elasticsearch supports and this server does not.
constexpr std::string_view options_not_offered[] = {"suggest",
                                                    "collapse",
                                                    "rescore",
                                                    "script_fields",
                                                    "fields",
                                                    "stored_fields",
                                                    "indices_boost",
                                                    "min_score",
                                                    "docvalue_fields",
                                                    "fielddata_fields",
                                                    "inner_hits",
                                                    "slice",
                                                    "ext",
                                                    "knn",
                                                    "runtime_mappings",
                                                    "pit"};
// Members that have no effect here.
constexpr std::string_view without_effect[] = {
    "track_total_hits",   "timeout", "version", "explain", "profile", "terminate_after",
    "seq_no_primary_term"};

template <std::size_t n>
bool is_one_of(std::string_view name, const std::string_view (&names)[n]) {
  for (const std::string_view one : names) {
    if (one == name) return true;
  }
  return false;
}

Result<void> check_name(const std::string& name, const Language& language) {
  if (name == "highlight") {
    if (language.shows_highlights) return {};
    return fail(Code::unsupported, "highlight is not offered here", name);
  }
  for (const std::string_view known : {"query", "sort", "from", "size", "search_after", "aggs",
                                       "aggregations", "_source", "post_filter", "track_scores"}) {
    if (name == known) return {};
  }
  if (is_one_of(name, without_effect)) return {};
  if (is_one_of(name, options_not_offered))
    return fail(Code::unsupported, name + " is not offered", name);
  return wrong(name, "is not known in a search");
}

}  // namespace

Result<Search> parse_search(const Value& body, const Language& language) {
  Search search;
  if (body.is_missing() || body.is_null()) return search;
  if (!body.is(Kind::object)) return wrong("body", "is an object");
  for (const auto& [name, value] : body.object()) TRY(check_name(name, language));
  const Value highlight = body.member("highlight");
  HighlightTerms highlight_terms;
  Language recording = language;
  if (!highlight.is_missing()) recording.highlight_terms = &highlight_terms;
  Clause query = TRY(parse_clause(body.member("query"), recording));
  search.query = std::move(query.condition);
  search.score = std::move(query.score);
  if (const Value tracks = body.member("track_scores"); !tracks.is_missing()) {
    search.tracks_scores = TRY(boolean_of(tracks, "track_scores"));
  }
  search.post_filter = TRY(parse_query(body.member("post_filter"), language, "post_filter"));
  Lowering lowering(language);
  search.sort = TRY(lower_sort(lowering, body.member("sort"), search.score));
  search.after = TRY(lower_after(lowering, search.sort, body.member("search_after")));
  if (const Value from = body.member("from"); !from.is_missing()) {
    search.from = TRY(count_of(from, "from"));
  }
  if (const Value size = body.member("size"); !size.is_missing()) {
    search.size = TRY(count_of(size, "size"));
  }
  TRY(check_window(search));
  search.source = TRY(SourceFilter::parse(body.member("_source")));
  const bool is_short = !body.member("aggs").is_missing();
  const std::string aggregations = is_short ? "aggs" : "aggregations";
  search.aggregations = TRY(parse_aggregations(body.member(aggregations), language, aggregations));
  // The expressions and scores take several times the memory of their text.
  constexpr std::size_t trees = 8;
  search.bytes = trees * weight(body);
  if (highlight.is_missing()) return search;
  search.highlight = TRY(parse_highlight(highlight, language, std::move(highlight_terms)));
  search.bytes += search.highlight->mapping.bytes();
  return search;
}

Result<void> check_window(const Search& search) {
  if (search.from + search.size <= limits::search_window_max) return {};
  return fail(Code::too_large,
              "from and size reach at most " + std::to_string(limits::search_window_max) +
                  " documents; use search_after or a scroll",
              "size");
}

Result<ExprPtr> parse_query_body(const Value& body, const Language& language) {
  if (body.is_missing() || body.is_null()) return ExprPtr();
  if (!body.is(Kind::object)) return wrong("body", "is an object");
  for (const auto& [name, value] : body.object()) {
    if (name != "query") return wrong(name, "is not known here");
  }
  return parse_query(body.member("query"), language);
}

}  // namespace mayfly::kuzzle::search
