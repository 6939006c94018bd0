#include "dialect/cosmos/queries/query_text.h"

#include "base/limits.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/sql/ordering.h"
#include "dialect/cosmos/sql/parser/parser.h"
#include "expr/evaluation/evaluate.h"
#include "query/running/row.h"
#include "value/json/json.h"

namespace mayfly::cosmos {
namespace {

Result<Object> parse_parameters(const Value& rows) {
  Object parameters;
  if (rows.is_missing() || rows.is_null()) return parameters;
  if (!rows.is(Kind::array)) {
    return tl::unexpected(bad_request("The parameters of a query must be an array.", "parameters"));
  }
  for (const Value& row : rows.array()) {
    const Value name = row.member("name");
    if (!name.is(Kind::text) || !name.text().starts_with('@')) {
      return tl::unexpected(bad_request("A parameter's name begins with '@'.", "parameters"));
    }
    parameters.set(name.text(), row.member("value"));
  }
  return parameters;
}

}  // namespace

Result<QueryText> parse_query_body(std::string_view body) {
  const Value parsed = TRY(parse_json(body));
  const Value text = parsed.is(Kind::text) ? parsed : parsed.member("query");
  if (!text.is(Kind::text)) {
    return tl::unexpected(bad_request("The body of a query must hold its text.", "query"));
  }
  auto parameters = TRY(parse_parameters(parsed.member("parameters")));
  return QueryText{text.text(), std::move(parameters)};
}

Result<sql::QueryPtr> parse_tree(const QueryText& query) {
  const sql::QueryPtr tree = TRY(sql::parse_query(query.text));
  return sql::with_named_order(tree, query.parameters);
}

Result<query::QueryPtr> lower_query(const QueryText& query, const sql::Target& target) {
  const sql::QueryPtr tree = TRY(parse_tree(query));
  return sql::lower(*tree, query.input(), target);
}

Result<bool> fits(const std::string& condition, const Container& container,
                  const Document& document, Instant now) {
  const QueryText query{"select * " + condition, {}};
  const auto one =
      query::make(query::Lookup{container.collection, Lens::live(now), {document.document_key()}});
  Meter meter(monotonic_now, monotonic_now() + limits::request_time_max);
  sql::Target target{one, &container, now};
  const auto lowered = TRY(lower_query(query, target));
  const query::Query* node = lowered.get();
  if (const auto* sorted = node->as<query::Sort>()) node = sorted->input.get();
  const auto* filter = node->as<query::Filter>();
  if (filter == nullptr) return true;
  const query::DocumentScope scope(document);
  return TRY(truth(*filter->condition, scope, meter)) == Truth::yes;
}

}  // namespace mayfly::cosmos
