// How much lies in a collection: its living documents, and the bytes of their bodies.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "db/read/view.h"

namespace mayfly {

struct CollectionSize {
  std::uint64_t documents = 0;
  std::uint64_t bytes = 0;
};
// Reads them all. Fails with timed_out behind that instant, on the scale of monotonic_now().
Result<CollectionSize> size_of(View& view, const Collection& collection, Instant answer_by);
// The same, part by part: `part_of` says which one of so many parts a document is in.
Result<std::vector<CollectionSize>> sizes_of_parts(
    View& view, const Collection& collection, Instant answer_by, std::size_t parts,
    const std::function<std::size_t(const Document&)>& part_of);

}  // namespace mayfly
