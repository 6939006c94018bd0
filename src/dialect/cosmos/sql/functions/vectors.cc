#include "dialect/cosmos/sql/functions/vectors.h"

#include "dialect/cosmos/containers/keys/key_path.h"
#include "dialect/cosmos/containers/policies/search.h"
#include "dialect/cosmos/headers/text.h"
#include "dialect/cosmos/sql/functions/names.h"
#include "dialect/cosmos/sql/lowering/lowering.h"

namespace mayfly::cosmos::sql {
namespace {

constexpr std::size_t options_place = 3;

std::string metric_in(const Value& row) {
  const Value metric = row.member("distanceFunction");
  return metric.is(Kind::text) ? to_lower(metric.text()) : std::string();
}

// The metric of the vectors at this path in the container's policy.
std::string metric_of_path(const ScalarPtr& vector, const Object& definition) {
  const Steps path = steps_of(vector);
  if (path.from->as<Name>() == nullptr) return {};
  return metric_in(policy_row(definition, "vectorEmbeddingPolicy", "vectorEmbeddings",
                              render_key_path(Path{path.steps})));
}

}  // namespace

bool is_vector_call(const ScalarCall& call) {
  const NamedFunction* function = find_name(call.name);
  return !call.is_user_defined && function != nullptr && function->name == "VECTORDISTANCE";
}

bool is_vector_distance(const Scalar& scalar) {
  const auto* call = scalar.as<ScalarCall>();
  return call != nullptr && is_vector_call(*call);
}

std::string vector_metric(const ScalarCall& call, const QueryInput& input,
                          const Object& definition) {
  if (call.arguments.size() > options_place) {
    const auto options = constant_of(call.arguments[options_place], input, Instant{});
    const std::string metric = options ? metric_in(*options) : std::string();
    if (!metric.empty()) return metric;
  }
  for (std::size_t i = 0; i < call.arguments.size() && i < 2; ++i) {
    const std::string metric = metric_of_path(call.arguments[i], definition);
    if (!metric.empty()) return metric;
  }
  return "cosine";
}

}  // namespace mayfly::cosmos::sql
