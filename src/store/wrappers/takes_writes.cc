#include "store/wrappers/takes_writes.h"

#include "store/store.h"

namespace mayfly::store {

Result<void> takes_writes(Store& store) {
  auto* engine = dynamic_cast<TakesWrites*>(&store);
  return engine != nullptr ? engine->takes_writes() : Result<void>{};
}

}  // namespace mayfly::store
