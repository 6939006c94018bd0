#include "dialect/kuzzle/documents/queries/facts.h"

#include "dialect/kuzzle/documents/metadata.h"
#include "dialect/kuzzle/search/search.h"

namespace mayfly::kuzzle {
namespace {

ExprPtr stored_value(std::string_view name) {
  Field field = Field::body(metadata_field);
  field.path.steps.emplace_back(std::string(name));
  return expr::field(std::move(field));
}

// The instant so many milliseconds after 1970; missing if it is not a number.
ExprPtr instant_of(ExprPtr millis) {
  return expr::call("time_add", {expr::literal(Value(Instant{0})), std::move(millis),
                                 expr::literal("millisecond")});
}

}  // namespace

// A bulk write without metadata has stored null: nothing is below that.
ExprPtr shown_fact(std::string_view name) {
  ExprPtr core_value = search::core_fact(name);
  if (name == "active" || name == "deletedAt") return core_value;
  ExprPtr said = stored_value(name);
  const bool is_time = name == "createdAt" || name == "updatedAt";
  ExprPtr shown = is_time ? instant_of(said) : said;
  const ExprPtr info = expr::field(Field::body(metadata_field));
  const ExprPtr is_stored =
      expr::any_of({expr::call("is_object", {info}),
                    expr::if_missing(expr::call("is_null", {info}), expr::literal(false))});
  const ExprPtr none = expr::call("is_null", {expr::if_missing(said, expr::literal(nullptr))});
  return expr::call(
      "when", {is_stored, expr::call("when", {none, expr::literal(nullptr), std::move(shown)}),
               std::move(core_value)});
}

}  // namespace mayfly::kuzzle
