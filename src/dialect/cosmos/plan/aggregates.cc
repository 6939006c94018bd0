#include "dialect/cosmos/plan/aggregates.h"

#include "dialect/cosmos/sql/functions/names.h"

namespace mayfly::cosmos {
namespace {

using sql::ScalarPtr;

// How the answers of partitions are combined.
enum class Parts : std::uint8_t { itself, sum_and_count, itself_and_count };

struct AggregateRow {
  std::string_view name;
  std::string_view in_plan;
  Parts parts = Parts::itself;
  const char* own_member = "";  // the member beside the count
};
constexpr AggregateRow aggregate_rows[] = {
    {"COUNT", "Count"},
    {"SUM", "Sum"},
    {"AVG", "Average", Parts::sum_and_count},
    {"MIN", "Min", Parts::itself_and_count, "min"},
    {"MAX", "Max", Parts::itself_and_count, "max"},
    {"MAKELIST", "MakeList"},
    {"MAKESET", "MakeSet"},
    {"COUNTIF", "CountIf"},
};

const AggregateRow* row_of(const sql::Scalar& scalar) {
  const auto* call = scalar.as<sql::ScalarCall>();
  if (call == nullptr || call->is_user_defined) return nullptr;
  const sql::NamedFunction* function = sql::find_name(call->name);
  if (function == nullptr || !function->is_aggregate) return nullptr;
  for (const AggregateRow& row : aggregate_rows) {
    if (row.name == function->name) return &row;
  }
  return nullptr;
}

ScalarPtr object(std::vector<std::pair<std::string, ScalarPtr>> members) {
  return sql::make_scalar(sql::ObjectOf{std::move(members)});
}

ScalarPtr of_the_same(const char* name, const ScalarPtr& aggregate) {
  return sql::make_scalar(
      sql::ScalarCall{.name = name, .arguments = aggregate->as<sql::ScalarCall>()->arguments});
}

}  // namespace

std::string_view aggregate_in_plan(const sql::Scalar& scalar) {
  const AggregateRow* row = row_of(scalar);
  return row == nullptr ? std::string_view() : row->in_plan;
}

ScalarPtr part_of_aggregate(const ScalarPtr& scalar) {
  const AggregateRow& row = *row_of(*scalar);
  switch (row.parts) {
    case Parts::itself: break;
    case Parts::sum_and_count:
      return object({{"item", object({{"sum", of_the_same("SUM", scalar)},
                                      {"count", of_the_same("COUNT", scalar)}})}});
    case Parts::itself_and_count:
      return object(
          {{"item", scalar},
           {"item2", object({{row.own_member, scalar}, {"count", of_the_same("COUNT", scalar)}})}});
  }
  return object({{"item", scalar}});
}

}  // namespace mayfly::cosmos
