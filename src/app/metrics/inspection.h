// Inspection: what takes too long to be measured while metrics are read. The main thread looks once
// a second, for a bounded time, and whoever reads metrics gets what was seen last.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "app/limits.h"
#include "db/database.h"

namespace mayfly::app {

class Inspection {
 public:
  explicit Inspection(Database& database, Span look_time_max = limits::look_time_max)
      : database_(database), look_time_max_(look_time_max) {}

  // One look; the next goes on where this one has stopped. Threads: one.
  void look();

  // Threads: any.
  // Documents of each database as they lie in the store: with those that have expired and are not
  // erased yet. Counted up to limits::counted_documents_max in a collection, estimated beyond.
  std::map<std::string, std::uint64_t> documents() const;
  std::uint64_t heap_bytes() const;  // that the program has allocated

 private:
  void count_some(const Catalog& catalog, Instant ends_at);
  Result<void> count(CollectionId id, Instant ends_at);
  void publish(const Catalog& catalog);

  Database& database_;
  const Span look_time_max_;
  std::int64_t looks_ = 0;
  CollectionId next_ = 0;          // the collection to be counted next
  std::size_t left_ = 0;           // collections that this round has still to count
  store::Version counted_at_ = 0;  // where the store was when the round began
  std::map<CollectionId, std::uint64_t> counted_;
  mutable std::mutex mutex_;  // guards what is published
  std::map<std::string, std::uint64_t> documents_;
  std::uint64_t heap_bytes_ = 0;
};

}  // namespace mayfly::app
