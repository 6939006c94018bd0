#include "dialect/cosmos/sql/functions/full_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dialect/cosmos/containers/keys/key_path.h"
#include "dialect/cosmos/containers/policies/search.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/headers/text.h"
#include "dialect/cosmos/sql/functions/names.h"
#include "dialect/cosmos/sql/lowering/lowering.h"
#include "dialect/cosmos/sql/ordering.h"
#include "dialect/cosmos/sql/print.h"

namespace mayfly::cosmos::sql {
namespace {

constexpr std::string_view score_name = "fulltextscore";
constexpr std::string_view fusion_name = "rrf";

bool is_named(const Scalar& scalar, std::string_view name) {
  const auto* call = scalar.as<ScalarCall>();
  return call != nullptr && !call->is_user_defined && to_lower(call->name) == name;
}

tl::unexpected<Error> refuse(const QueryInput& input, std::string message, TextRange range) {
  return tl::unexpected(
      refusal(Code::invalid, input.text, {Value("SC2241"), std::move(message), range}));
}

Result<std::string> keyword_of(const Value& value, const QueryInput& input, TextRange range) {
  if (value.is(Kind::text)) return value.text();
  return refuse(input, "The keywords of the FullTextScore function are texts.", range);
}

// The keywords: texts, or one array of texts.
Result<std::vector<std::string>> keywords_of(const ScalarCall& call, const QueryInput& input,
                                             Instant now, TextRange range) {
  std::vector<std::string> keywords;
  for (std::size_t i = 1; i < call.arguments.size(); ++i) {
    const Value value = constant_of(call.arguments[i], input, now).value_or(Value());
    if (!value.is(Kind::array)) {
      keywords.push_back(TRY(keyword_of(value, input, range)));
      continue;
    }
    for (const Value& item : value.array()) {
      keywords.push_back(TRY(keyword_of(item, input, range)));
    }
  }
  if (!keywords.empty() && keywords.size() <= limits::rank_keywords_max) return keywords;
  return refuse(input,
                fmt::format("The FullTextScore function requires a path and 1 to {} keywords.",
                            limits::rank_keywords_max),
                range);
}

Result<RankPart> part_of(const ScalarPtr& scalar, const QueryInput& input, const Object& definition,
                         Instant now) {
  if (is_vector_distance(*scalar)) {
    return RankPart{
        .distance = scalar,
        .is_descending = sorts_descending({scalar, Direction::unstated}, input, definition)};
  }
  const auto* call = scalar->as<ScalarCall>();
  if (call == nullptr || !is_named(*scalar, score_name)) {
    return refuse(input,
                  "ORDER BY RANK takes FullTextScore, or RRF of FullTextScore and "
                  "VectorDistance.",
                  scalar->range);
  }
  RankPart part;
  part.keywords = TRY(keywords_of(*call, input, now, scalar->range));
  part.text = call->arguments.front();
  if (language_of(part.text, definition)) return part;
  return refuse(
      input,
      fmt::format("The path {} is not in the fullTextPolicy of the container.", print(*part.text)),
      part.text->range);
}

// The weights in the last argument of RRF, if it is an array.
Result<std::vector<double>> weights_of(const ScalarPtr& scalar, const QueryInput& input,
                                       Instant now) {
  std::vector<double> weights;
  const Value value = constant_of(scalar, input, now).value_or(Value());
  if (!value.is(Kind::array)) return weights;
  for (const Value& weight : value.array()) {
    if (!weight.is_number() || !std::isfinite(weight.number())) {
      return refuse(input, "The weights of the RRF function are finite numbers.", scalar->range);
    }
    weights.push_back(weight.number());
  }
  return weights;
}

}  // namespace

bool is_full_text_call(const ScalarCall& call) {
  const NamedFunction* function = call.is_user_defined ? nullptr : find_name(call.name);
  return function != nullptr && (function->name.starts_with("FULLTEXTCONTAINS") ||
                                 function->name.starts_with("_FULLTEXT"));
}

bool is_known_score(const Scalar& scalar) {
  return is_named(scalar, "_fulltextscore");
}

bool is_of_rank(const ScalarCall& call) {
  const std::string name = to_lower(call.name);
  return !call.is_user_defined && (name == score_name || name == fusion_name);
}

std::optional<std::string> language_of(const ScalarPtr& path, const Object& definition) {
  const Steps steps = steps_of(path);
  if (steps.from == nullptr || steps.from->as<Name>() == nullptr || steps.steps.empty()) {
    return std::nullopt;
  }
  return full_text_language(definition, render_key_path(Path{steps.steps}));
}

Result<Ranking> ranking_of(const Ordering& ordering, const QueryInput& input,
                           const Object& definition, Instant now) {
  Ranking ranking;
  const ScalarPtr& whole = ordering.items.front().value;
  if (ordering.items.size() > 1) {
    return refuse(input, "ORDER BY RANK takes one expression.", ordering.items[1].value->range);
  }
  if (!is_named(*whole, fusion_name)) {
    ranking.parts.push_back(TRY(part_of(whole, input, definition, now)));
    if (ranking.parts.front().text != nullptr) return ranking;
    return refuse(input, "ORDER BY RANK takes a VectorDistance within RRF only.", whole->range);
  }
  ScalarList parts = whole->as<ScalarCall>()->arguments;
  if (!parts.empty()) ranking.weights = TRY(weights_of(parts.back(), input, now));
  if (!ranking.weights.empty()) parts.pop_back();
  const bool fit = ranking.weights.empty() || ranking.weights.size() == parts.size();
  if (parts.size() < 2 || parts.size() > limits::rank_parts_max || !fit) {
    return refuse(input,
                  fmt::format("The RRF function requires 2 to {} scores, and as many weights where "
                              "there are any.",
                              limits::rank_parts_max),
                  whole->range);
  }
  for (const ScalarPtr& part : parts) {
    ranking.parts.push_back(TRY(part_of(part, input, definition, now)));
  }
  return ranking;
}

}  // namespace mayfly::cosmos::sql
