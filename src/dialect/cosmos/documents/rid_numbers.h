// The numbers in the rids of documents: they grow with the order of creation, so that rids sort as
// documents were created.
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

// The least number of documents created at that instant, and the approximate instant of a number.
std::uint64_t first_number_at(Instant t);
Instant created_about(std::uint64_t number);

// The facet of this dialect: the document's number.
Bytes facet_of(std::uint64_t number);
// The number of the document. If another dialect has created it, the number is derived from its
// instant of creation and its id.
std::uint64_t number_of(const Document& document);

}  // namespace mayfly::cosmos
