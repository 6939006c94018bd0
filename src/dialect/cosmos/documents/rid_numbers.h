// The numbers in the rids of documents that this dialect creates: they grow with the order of
// creation, so that rids sort as documents were created. A number contains its instant in
// microseconds.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/clock.h"
#include "db/rows/document.h"

namespace mayfly::cosmos {

// Threads: any.
class RidNumbers {
 public:
  // A number greater than every earlier one, also those of an earlier process.
  std::uint64_t next(Instant now);

 private:
  std::atomic<std::uint64_t> last_ = 0;
};

// The least number that a document created at that instant can have; and the instant that a number
// contains, which is shortly before the creation.
std::uint64_t first_number_at(Instant t);
Instant created_about(std::uint64_t number);

// The facet of a document that this dialect has created: its number.
Bytes facet_of(std::uint64_t number);
// The number of the document. If another dialect has created it, the number is derived from its
// instant of creation and its id.
std::uint64_t number_of(const Document& document);

}  // namespace mayfly::cosmos
