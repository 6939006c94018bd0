#include "dialect/cosmos/containers/computed.h"

#include <set>

#include "dialect/cosmos/documents/document.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/sql/functions/names.h"
#include "dialect/cosmos/sql/lower.h"
#include "dialect/cosmos/sql/parser/parser.h"

namespace mayfly::cosmos {
namespace {

Error not_accepted(std::string message) {
  return bad_request(std::move(message), "computedProperties");
}

// Whether the value depends on the document alone.
bool is_deterministic(const sql::Scalar& scalar) {
  if (scalar.as<sql::Subquery>() != nullptr || scalar.as<sql::Parameter>() != nullptr) return false;
  if (const auto* call = scalar.as<sql::ScalarCall>()) {
    const sql::NamedFunction* function =
        call->is_user_defined ? nullptr : sql::find_name(call->name);
    if (call->is_user_defined) return false;
    if (function != nullptr && (function->is_aggregate || !sql::is_deterministic(*function))) {
      return false;
    }
  }
  bool are_all = true;
  sql::for_each_child(
      scalar, [&](const sql::ScalarPtr& child) { are_all = are_all && is_deterministic(*child); });
  return are_all;
}

Result<void> check_value(const sql::Query& query, const std::string& text) {
  if (!is_deterministic(*std::get<sql::SelectValue>(query.selection).value)) {
    return tl::unexpected(not_accepted(
        "A computed property is a deterministic expression over one document, without aggregates, "
        "subqueries and user defined functions."));
  }
  const sql::Target nothing{.rows = query::values({}), .now = Instant{}};
  TRY(sql::lower(query, {text, {}}, nothing));
  return {};
}

Result<void> check_query(const std::string& text) {
  const sql::QueryPtr query = TRY(sql::parse_query(text));
  const bool is_value = std::holds_alternative<sql::SelectValue>(query->selection);
  const bool is_plain = query->from.size() == 1 && !query->where && query->group_by.empty() &&
                        !query->order_by && !query->slice && !query->top && !query->is_distinct;
  if (is_value && is_plain) return check_value(*query, text);
  return tl::unexpected(
      not_accepted("A computed property is SELECT VALUE of an expression FROM the container."));
}

}  // namespace

Result<void> check_computed_properties(const Value& sent) {
  if (sent.is_missing() || sent.is_null()) return {};
  if (!sent.is(Kind::array)) {
    return tl::unexpected(not_accepted("'computedProperties' must be an array."));
  }
  if (sent.array().size() > limits::computed_properties_max) {
    return tl::unexpected(not_accepted("A container has at most 20 computed properties."));
  }
  std::set<std::string> names;
  for (const Value& row : sent.array()) {
    const Value name = row.member("name");
    const Value query = row.member("query");
    if (!name.is(Kind::text) || !query.is(Kind::text) || name.text().empty()) {
      return tl::unexpected(not_accepted("A computed property has a name and a query."));
    }
    const bool is_free = name.text() != "id" && !is_system_property(name.text());
    if (!is_free || !names.insert(name.text()).second) {
      return tl::unexpected(not_accepted("The name '" + name.text() + "' is taken."));
    }
    TRY(check_query(query.text()));
  }
  return {};
}

std::optional<std::string> computed_property(const Container& container, std::string_view name) {
  const Value* computed = container.definition.shown.find("computedProperties");
  if (computed == nullptr || !computed->is(Kind::array)) return std::nullopt;
  for (const Value& row : computed->array()) {
    const Value own = row.member("name");
    const Value query = row.member("query");
    if (own.is(Kind::text) && own.text() == name && query.is(Kind::text)) return query.text();
  }
  return std::nullopt;
}

}  // namespace mayfly::cosmos
