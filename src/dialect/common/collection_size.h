// How much lies in a collection: its living documents, and the bytes of their bodies.
#pragma once

#include <cstdint>

#include "db/view.h"

namespace mayfly {

struct CollectionSize {
  std::uint64_t documents = 0;
  std::uint64_t bytes = 0;
};
// Reads them all. Fails with timed_out behind that instant, on the scale of monotonic_now().
Result<CollectionSize> size_of(View& view, const Collection& collection, Instant answer_by);

}  // namespace mayfly
