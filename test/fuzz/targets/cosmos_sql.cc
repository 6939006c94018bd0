// SQL of the Cosmos dialect: an accepted query is printed in both layouts, and each printed text is
// accepted and prints the same. A refusal is JSON that clients can read, with positions within the
// text.
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/sql/parser/parser.h"
#include "dialect/cosmos/sql/print.h"
#include "fuzz.h"
#include "value/json/json.h"
#include "value/json/tokens.h"

namespace mayfly::fuzz {
namespace {

using namespace cosmos::sql;

void check_refusal(BytesView text, const Error& error) {
  CHECK(error.code == Code::invalid || error.code == Code::too_large);
  CHECK(error.message.size() < 1'000);
  const auto json = parse_json(error.message);
  CHECK(json.has_value());
  const Value errors = json->member("errors");
  CHECK(errors.is(Kind::array) && errors.array().size() == 1);
  const Value& first = errors.array().front();
  CHECK(first.member("code").is(Kind::text) && first.member("message").is(Kind::text));
  const Value location = first.member("location");
  if (location.is_missing()) return;
  const std::int64_t start = location.member("start").integer();
  const std::int64_t end = location.member("end").integer();
  CHECK(0 <= start && start <= end && end <= static_cast<std::int64_t>(text.size()));
}

// Ranges lie within those of what they are part of, and heights within the bound.
void check_part(const Scalar& scalar, TextRange whole) {
  CHECK(whole.start <= scalar.range.start && scalar.range.end <= whole.end);
  CHECK(scalar.range.start < scalar.range.end);
  CHECK(scalar.height <= limits::sql_query_depth_max);
  for_each_child(scalar, [&](const ScalarPtr& child) {
    CHECK(child->height < scalar.height);
    check_part(*child, scalar.range);
  });
}

void check_print(const Query& query, Layout layout) {
  const std::string text = print(query, layout);
  if (text.size() > limits::sql_query_bytes_max) return;
  const auto again = parse_query(text);
  CHECK(again.has_value());
  CHECK(print(**again, layout) == text);
  CHECK((*again)->height == query.height);
}

}  // namespace

void run(BytesView input) {
  if (!is_utf8(input)) return;  // which no request lets through
  const auto query = parse_query(input);
  if (!query) return check_refusal(input, query.error());
  CHECK((*query)->height <= limits::sql_query_depth_max);
  for_each_scalar(**query, [&](const ScalarPtr& part) { check_part(*part, (*query)->range); });
  check_print(**query, Layout::line);
  check_print(**query, Layout::clauses);
}

}  // namespace mayfly::fuzz
