#include "dialect/kuzzle/documents/facts.h"

#include "dialect/kuzzle/metadata.h"
#include "dialect/kuzzle/search/search.h"

namespace mayfly::kuzzle {
namespace {

ExprPtr given(std::string_view name) {
  Field field = Field::body(metadata_field);
  field.path.steps.emplace_back(std::string(name));
  return expr::field(std::move(field));
}

// The instant so many milliseconds after 1970; missing of what is no number.
ExprPtr instant_of(ExprPtr millis) {
  return expr::call("time_add", {expr::literal(Value(Instant{0})), std::move(millis),
                                 expr::literal("millisecond")});
}

}  // namespace

ExprPtr told_fact(std::string_view name) {
  ExprPtr kept = search::core_fact(name);
  if (name == "author" || name == "updater") return expr::if_missing(given(name), kept);
  if (name != "createdAt" && name != "updatedAt") return kept;
  ExprPtr said = given(name);
  return expr::call("when", {expr::call("is_null", {said}), expr::literal(nullptr),
                             expr::if_missing(instant_of(said), kept)});
}

}  // namespace mayfly::kuzzle
