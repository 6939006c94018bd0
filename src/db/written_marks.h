// WrittenMarks: when documents of a collection were last written, so that what has been derived
// from them need not be read again. It may be unsure; it never says "unwritten" wrongly. A document
// that expires is not written. It would know nothing of commits by other servers.
#pragma once

#include <array>
#include <atomic>

#include "db/catalog.h"

namespace mayfly {

// Threads: note() under the commit mutex, before the commit can be seen; unwritten_since() any.
class WrittenMarks {
 public:
  void note(CollectionId collection, Instant at) {
    marks_[slot_of(collection)].store(at.micros, std::memory_order_release);
  }
  // Whether a view that is open by now has the same documents as one whose now was `since`, but for
  // those that have expired.
  bool unwritten_since(CollectionId collection, Instant since) const {
    return marks_[slot_of(collection)].load(std::memory_order_acquire) <= since.micros;
  }

 private:
  // Collections may share a mark: then one is unsure because the other was written.
  static constexpr std::size_t slots = 4'096;
  static std::size_t slot_of(CollectionId collection) { return collection % slots; }

  std::array<std::atomic<std::int64_t>, slots> marks_{};
};

}  // namespace mayfly
