#include "dialect/kuzzle/queries.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/koncorde/filter.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

bool is_plain(const Value& value) {
  return value.is(Kind::text) || value.is_number() || value.is(Kind::boolean);
}

// The Elasticsearch clause that Kuzzle translates this keyword to; empty: unchanged.
std::string_view clause_of(std::string_view keyword, const Value& parsed_search) {
  if (!parsed_search.is(Kind::object) || parsed_search.object().size() != 1) return {};
  const Value& value = parsed_search.object().begin()->second;
  if (keyword == "equals" && is_plain(value)) return "term";
  const bool is_list = value.is(Kind::array) && !value.array().empty() &&
                       std::all_of(value.array().begin(), value.array().end(), is_plain);
  return keyword == "in" && is_list ? "terms" : "";
}

// A search matches as Elasticsearch does: arrays by their items, words in texts, numbers in texts.
// Rooms compare strictly. Keywords that contain filters are traversed; others stay unchanged.
Value with_clauses(const Value& filter) {
  if (filter.is(Kind::array)) {
    Array all;
    for (const Value& one : filter.array()) all.push_back(with_clauses(one));
    return all;
  }
  if (!filter.is(Kind::object)) return filter;
  constexpr std::string_view keywords[] = {"and",  "or",       "not",    "bool",
                                           "must", "must_not", "should", "should_not"};
  Object done;
  for (const auto& [keyword, value] : filter.object()) {
    const std::string_view clause = clause_of(keyword, value);
    const bool has_filters =
        std::find(std::begin(keywords), std::end(keywords), keyword) != std::end(keywords);
    done.append(clause.empty() ? keyword : std::string(clause),
                has_filters ? with_clauses(value) : value);
  }
  return done;
}

// Records the search terms of a filter, which are whole values; clauses of Elasticsearch record
// their own.
Result<void> record_highlight_terms(const koncorde::Node& node, const search::Language& language) {
  using Kind = koncorde::Leaf::Kind;
  for (const koncorde::NodePtr& operand : node.operands)
    TRY(record_highlight_terms(*operand, language));
  const koncorde::Leaf& leaf = node.leaf;
  if (node.kind != koncorde::Node::Kind::leaf || leaf.is_negated) return {};
  if (leaf.kind == Kind::part && leaf.path.empty()) {
    TRY(search::parse_query(leaf.values.front(), language, leaf.name));
    return {};
  }
  if (leaf.kind != Kind::equals && leaf.kind != Kind::holds && leaf.kind != Kind::regexp) return {};
  language.highlight_terms->push_back({.kind = search::HighlightTerm::Kind::value_where,
                                       .field = leaf.name,
                                       .condition = koncorde::condition_of_value(leaf)});
  return {};
}

// A keyword that Koncorde does not have is a clause of Elasticsearch.
Result<ExprPtr> read_koncorde(const Value& query, const search::Language& language) {
  search::Language recording = language;
  recording.read_query = nullptr;
  search::Language plain = recording;
  plain.highlight_terms = nullptr;
  const auto parse_clause = [&plain](const Value& clause, const std::string& place) {
    return search::parse_query(clause, plain, place);
  };
  const auto filter = TRY(koncorde::Filter::parse(with_clauses(query), parse_clause));
  if (recording.highlight_terms != nullptr) TRY(record_highlight_terms(filter.root(), recording));
  return filter.condition();
}

}  // namespace

Result<search::ReadQuery> query_language_of(const KuzzleCall& call) {
  const std::string name = TRY(call.text("lang")).value_or("elasticsearch");
  if (name == "elasticsearch") return search::ReadQuery();
  if (name == "koncorde") return search::ReadQuery(read_koncorde);
  return problem("api.assert.invalid_argument",
                 fmt::format("Invalid argument \"{}\". Expected: \"elasticsearch\" or "
                             "\"koncorde\"",
                             name));
}

Result<Value> search_body(const KuzzleCall& call) {
  const auto text = TRY(call.text("searchBody"));
  if (!call.message.body.is_missing() || !text) return call.message.body;
  auto parsed = parse_json(*text);
  if (!parsed) return fail(Code::invalid, "searchBody is no JSON: " + parsed.error().message);
  return *std::move(parsed);
}

Result<void> set_page(const KuzzleCall& call, search::Search& parsed_search) {
  if (const auto from = TRY(call.integer("from")))
    parsed_search.from = static_cast<std::size_t>(*from);
  if (const auto size = TRY(call.integer("size")))
    parsed_search.size = static_cast<std::size_t>(*size);
  const std::size_t span =
      parsed_search.size > parsed_search.from ? parsed_search.size - parsed_search.from : 0;
  const std::size_t most = call.shared.options.fetched_max;
  if (span > most) {
    return problem(
        "services.storage.get_limit_exceeded",
        fmt::format("Search page size exceeds server configured documents limit ({})", most));
  }
  return phrased_as_search(search::check_window(parsed_search));
}

Meter meter_of(const KuzzleCall& call) {
  const bool is_due = !call.answer_by.is_never();
  return {monotonic_now, is_due ? call.answer_by : monotonic_now() + limits::request_time_max};
}

Error to_search_error(Error error) {
  const bool has_id = error.field.starts_with("services.") || error.field.starts_with("api.");
  if (error.code != Code::invalid || has_id) return error;
  if (!error.field.empty()) error.message = error.field + ": " + error.message;
  error.field = "services.storage.invalid_search_query";
  return error;
}

}  // namespace mayfly::kuzzle
