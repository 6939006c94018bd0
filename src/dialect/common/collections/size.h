// The size of a collection: its living documents, and the bytes of their bodies.
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
// Reads all documents; for their number alone query::count reads none. Fails with timed_out after
// `answer_by`, on the scale of monotonic_now().
Result<CollectionSize> size_of(View& view, const Collection& collection, Instant answer_by);
// The same for each of `parts` parts; `part_of` gives the part of a document.
Result<std::vector<CollectionSize>> sizes_of_parts(
    View& view, const Collection& collection, Instant answer_by, std::size_t parts,
    const std::function<std::size_t(const Document&)>& part_of);

}  // namespace mayfly
