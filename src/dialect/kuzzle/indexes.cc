// Indexes.
#include <fmt/format.h>

#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/places.h"
#include "dialect/kuzzle/refreshes.h"
#include "dialect/kuzzle/security/rights.h"
#include "value/json.h"

namespace mayfly::kuzzle {
namespace {

// Of the living documents of a collection: how many, and what their bodies take.
struct Size {
  std::int64_t documents = 0;
  std::int64_t bytes = 0;
};

Result<Size> size_of(const Call& call, View& view, const Collection& collection) {
  Size size;
  DocumentRange range;
  for (bool more = true; more;) {
    if (monotonic_now() >= call.answer_by) {
      return fail(Code::timed_out, "there is too much to be counted in the time of a request");
    }
    const DocumentPage page = TRY(view.scan(collection, range, view.live()));
    size.documents += static_cast<std::int64_t>(page.documents.size());
    for (const Document& document : page.documents) {
      size.bytes += static_cast<std::int64_t>(document.body.bytes().size());
    }
    more = page.next.has_value();
    if (more) range.from = *page.next;
  }
  return size;
}

}  // namespace

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
  const CatalogPtr catalog = call.database().catalog();
  Array names;
  Object counts;
  for (const auto& index : catalog->databases()) {
    if (!is_told_of(*index)) continue;
    names.emplace_back(index->name);
    counts.append(index->name, static_cast<std::int64_t>(catalog->collections(index->id).size()));
  }
  Object answer{{"indexes", std::move(names)}};
  if (TRY(call.flag("countCollection"))) answer.append("collections", std::move(counts));
  return render_json(answer);
}

Result<std::string> index_statistics(Call& call) {
  View view = call.database().view();
  Array indexes;
  Size all;
  for (const auto& index : view.catalog().databases()) {
    if (!is_told_of(*index)) continue;
    Array collections;
    Size of_index;
    for (const auto& collection : view.catalog().collections(index->id)) {
      const Size size = TRY(size_of(call, view, *collection));
      of_index.bytes += size.bytes;
      collections.push_back(Object{
          {"name", collection->name}, {"documentCount", size.documents}, {"size", size.bytes}});
    }
    all.bytes += of_index.bytes;
    indexes.push_back(Object{
        {"name", index->name}, {"collections", std::move(collections)}, {"size", of_index.bytes}});
  }
  return render_json(Object{{"indexes", std::move(indexes)}, {"size", all.bytes}});
}

Result<std::string> refresh_index(Call& call) {
  const CatalogPtr catalog = call.database().catalog();
  const auto index = TRY(find_index(call, *catalog));
  for (const auto& collection : catalog->collections(index->id)) {
    call.shared.refreshes.refresh(collection->id, call.database().now());
  }
  return R"({"_shards":{"total":1,"successful":1,"failed":0}})";
}

Result<std::string> get_auto_refresh(Call& call) {
  const auto index = TRY(find_index(call, *call.database().catalog()));
  return std::string(TRY(refreshes_itself(call.database(), *index)) ? "true" : "false");
}

Result<std::string> set_auto_refresh(Call& call) {
  const auto index = TRY(find_index(call, *call.database().catalog()));
  const Value* asked = TRY(call.body())->find("autoRefresh");
  if (asked == nullptr) return missing_argument("body attribute \"autoRefresh\"");
  if (!asked->is(Kind::boolean)) return wrong_type("autoRefresh", "boolean");
  TRY(set_refreshes_itself(call.database(), *index, asked->boolean()));
  return render_json(Object{{"response", asked->boolean()}});
}

// Users and rights are found at once.
Result<std::string> refresh_internal(Call&) {
  return R"({"acknowledged":true})";
}

}  // namespace mayfly::kuzzle
