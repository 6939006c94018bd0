#include "dialect/common/new_indexes.h"

#include "base/logging.h"

namespace mayfly {

NewIndexes::~NewIndexes() {
  for (const std::string& name : created_) {
    const auto dropped = database_.drop_index(collection_, name);
    // Another request may have dropped it, or the collection.
    if (dropped || dropped.error().code == Code::not_found) continue;
    log(LogLevel::warn, "an index of a refused request could not be dropped",
        {{"index", name}, {"error", dropped.error().message}});
  }
}

Result<CollectionPtr> NewIndexes::create(const IndexSpec& spec) {
  CollectionPtr collection = TRY(database_.create_index(collection_, spec));
  created_.push_back(spec.name);
  return collection;
}

}  // namespace mayfly
