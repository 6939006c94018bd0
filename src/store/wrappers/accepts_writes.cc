#include "store/wrappers/accepts_writes.h"

#include "store/store.h"

namespace mayfly::store {

Result<void> accepts_writes(Store& store) {
  auto* engine = dynamic_cast<AcceptsWrites*>(&store);
  return engine != nullptr ? engine->accepts_writes() : Result<void>{};
}

}  // namespace mayfly::store
