// Indexes.
#include <fmt/format.h>

#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/places.h"
#include "dialect/kuzzle/security/rights.h"
#include "value/json.h"

namespace mayfly::kuzzle {
Result<std::string> create_index(Call& call) {
  const std::string index = TRY(call.index());
  TRY(check_index_name(index));
  const auto made = call.database().create_database(index);
  if (made) return R"({"acknowledged":true,"shards_acknowledged":true})";
  if (made.error().code != Code::exists) return tl::unexpected(made.error());
  return problem("services.storage.index_already_exists",
                 fmt::format("The index \"{}\" already exists.", index));
}

Result<std::string> delete_index(Call& call) {
  const auto index = TRY(find_index(call, *call.database().catalog()));
  TRY(call.database().drop_database(index->id));
  return R"({"acknowledged":true})";
}

Result<std::string> delete_indexes(Call& call) {
  const Array& names = *TRY(call.body_array("indexes"));
  Array deleted;
  for (const Value& name : names) {
    if (!name.is(Kind::text)) return wrong_type("indexes", "array of strings");
    const auto index = call.database().catalog()->find_database(name.text());
    if (!index || !is_told_of(*index)) continue;
    Message there = call.message;
    there.index = index->name;
    TRY(authorize(call.database(), call.principal, there));
    TRY(call.database().drop_database(index->id));
    deleted.push_back(name);
  }
  return render_json(Object{{"deleted", deleted}});
}

Result<std::string> index_exists(Call& call) {
  const std::string index = TRY(call.index());
  return call.database().catalog()->find_database(index) ? "true" : "false";
}

Result<std::string> list_indexes(Call& call) {
  Array names;
  for (const auto& index : call.database().catalog()->databases()) {
    if (is_told_of(*index)) names.emplace_back(index->name);
  }
  return render_json(Object{{"indexes", names}});
}

Result<std::string> refresh_index(Call& call) {
  TRY(find_index(call, *call.database().catalog()));
  return R"({"_shards":{"total":1,"successful":1,"failed":0}})";
}

}  // namespace mayfly::kuzzle
