// KeptResults: a cache of what an operator has computed from all its input. The later pages of a
// query use it, so that all pages together cost one pass over the input.
//
// It never changes a result. An entry is used only for the same work on the same definition of the
// collection, as long as no commit has written there since (db/rows/commit_number.h), and before
// any document that it counted expires. For documents it keeps only sort positions: each page reads
// its documents again, through its own view.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <typeindex>

#include "base/clock.h"
#include "db/read/view.h"
#include "query/kept/limits.h"
#include "query/plan.h"

namespace mayfly::query {

// How much is kept (kept/limits.h).
struct KeptBounds {
  std::size_t rows_min = limits::kept_rows_min;
  std::size_t result_bytes_max = limits::kept_result_bytes_max;
  std::size_t bytes_max = limits::kept_results_bytes_max;
  std::size_t results_max = limits::kept_results_max;
};

// Threads: any.
class KeptResults {
 public:
  explicit KeptResults(const KeptBounds& bounds = {}) : bounds_(bounds) {}
  const KeptBounds& bounds() const { return bounds_; }

  struct Source {
    std::string work;  // identity() of the operator's node
    CollectionPtr collection;
  };
  // When a result is valid: a view of `made_at` computed it.
  struct Validity {
    Instant made_at;
    Instant until = Instant::never();  // excluded
  };

  // Null is not an error: the caller computes the result again.
  template <class T>
  std::shared_ptr<const T> find(const Source& source, Instant now) {
    return std::static_pointer_cast<const T>(find(source, now, typeid(T)));
  }
  // A result that is too large is not kept.
  template <class T>
  void keep(Source source, const Validity& validity, std::size_t bytes,
            std::shared_ptr<const T> result) {
    keep(std::move(source), {validity, typeid(T), std::move(result), bytes, validity.made_at});
  }

 private:
  struct Entry {
    Validity validity;
    std::type_index type;
    std::shared_ptr<const void> result;
    std::size_t bytes;
    Instant used_at;
    CollectionPtr collection = nullptr;
  };
  using Entries = std::map<std::string, Entry, std::less<>>;

  std::shared_ptr<const void> find(const Source& source, Instant now, std::type_index type);
  void keep(Source source, Entry entry);
  void drop(Entries::iterator entry);
  void drop_unused(Instant now);

  const KeptBounds bounds_;
  std::mutex mutex_;
  Entries entries_;
  std::size_t bytes_ = 0;
};

// The cache key of this node's work. Empty if its result must not be kept: it reads anything but
// the newest documents of one collection, or depends on more than these.
std::optional<KeptResults::Source> source_of(const PlanTree& node, const View& view);

}  // namespace mayfly::query
