#include "dialect/common/collections/new_indexes.h"

#include "base/service/logging.h"

namespace mayfly {

NewIndexes::~NewIndexes() {
  for (const Created& created : created_) {
    if (!stands(created)) continue;
    const auto dropped = database_.drop_index(collection_, created.name);
    if (dropped) continue;
    log(LogLevel::warn, "an index of a refused request could not be dropped",
        {{"index", created.name}, {"error", dropped.error().message}});
  }
}

bool NewIndexes::stands(const Created& created) const {
  const CollectionPtr collection = database_.catalog()->collection(collection_);
  const Index* found = collection ? collection->find_index(created.name) : nullptr;
  return found != nullptr && found->id == created.id && !found->is_of_definition;
}

Result<CollectionPtr> NewIndexes::create(const IndexSpec& spec) {
  IndexSpec own = spec;
  own.is_of_definition = false;
  CollectionPtr collection = TRY(database_.create_index(collection_, own));
  if (const Index* made = collection->find_index(spec.name)) {
    created_.push_back({spec.name, made->id});
  }
  return collection;
}

Result<void> check_content(const Collection& collection, const std::vector<IndexSpec>& needed) {
  for (const IndexSpec& spec : needed) {
    const Index* found = collection.find_index(spec.name);
    if (found == nullptr || has_content(*found, spec)) continue;
    return fail(Code::exists, "the definition needs an index '" + spec.name +
                                  "', and there is another of that name: drop it first");
  }
  return {};
}

}  // namespace mayfly
