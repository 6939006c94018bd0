#include "dialect/kuzzle/documents/queries/stage.h"

#include "dialect/kuzzle/collections/places.h"
#include "dialect/kuzzle/collections/refreshes.h"
#include "dialect/kuzzle/errors.h"

namespace mayfly::kuzzle {
namespace {

Result<void> check_single_place(const KuzzleCall& call) {
  for (const std::string& name : {call.message.index, call.message.collection}) {
    if (name.find_first_of(",*+") == std::string::npos && name != "_all") continue;
    return problem("services.storage.no_multi_indexes",
                   "Search on multiple indexes is not available.");
  }
  return {};
}

}  // namespace

Result<Stage> set_stage(const KuzzleCall& call) {
  TRY(check_single_place(call));
  View view = TRY(view_of(call));
  auto collection = TRY(collection_to_read(call, view.catalog()));
  auto mapping = TRY(search::Mapping::parse(mapping_of(*collection)));
  const search::ReadQuery read_query = TRY(query_language_of(call));
  const auto visible_at = TRY(search_snapshot(call, view, *collection));
  return Stage{std::move(view), std::move(collection), std::move(mapping), read_query, visible_at};
}

Result<ExprPtr> required_query(const KuzzleCall& call, const Stage& stage) {
  const Object& body = *TRY(call.body());
  const Value* query = body.find("query");
  if (query == nullptr) {
    return problem("api.assert.missing_argument",
                   "The request must specify a body attribute \"query\".");
  }
  if (!query->is(Kind::object)) {
    return problem("api.assert.invalid_type",
                   "The request must specify the body attribute \"query\" of type \"object\".");
  }
  return with_search_words(search::parse_query(*query, stage.language()));
}

}  // namespace mayfly::kuzzle
