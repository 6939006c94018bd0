// Requests for plans.
#include "dialect/cosmos/actions.h"
#include "dialect/cosmos/merging/across.h"
#include "dialect/cosmos/merging/features.h"
#include "dialect/cosmos/plan/plan.h"
#include "dialect/cosmos/queries/query_text.h"
#include "dialect/cosmos/reply.h"

namespace mayfly::cosmos {
namespace {

constexpr double units_per_plan = 0.01;

}  // namespace

Result<net::Response> plan_query(CosmosCall& call) {
  const QueryText text = TRY(parse_query_body(call.request.body));
  const View view = call.database().view();
  const ContainerPtr container = TRY(call.containers.find(view.catalog(), call.address));
  const sql::QueryPtr query = TRY(parse_tree(text));
  const QueryPlan plan = TRY(make_plan(*query, text.input(), container->definition, view.now()));
  TRY(check_mergeable(*container, *query));
  const std::string_view supported = call.header("x-ms-cosmos-supported-query-features");
  if (!supported.empty()) TRY(check_features(*query, plan, supported));
  net::Response response;
  response.body = render_plan(plan);
  add_container_headers(*container, response);
  set_charge(units_per_plan, response);
  return response;
}

}  // namespace mayfly::cosmos
