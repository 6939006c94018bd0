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
  // Greater than every number given out before, also by an earlier process.
  std::uint64_t next(Instant now);

 private:
  std::atomic<std::uint64_t> last_ = 0;
};

// The least number of what is created at that instant, and about when a number was given.
std::uint64_t first_number_at(Instant t);
Instant created_about(std::uint64_t number);

// What this dialect keeps beside a document: its number.
Bytes facet_of(std::uint64_t number);
// Of a document that another dialect has created, a number made of when and of its id.
std::uint64_t number_of(const Document& document);

}  // namespace mayfly::cosmos
