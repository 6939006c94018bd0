// Inspection: measures what takes too long to be measured while metrics are read. The main thread
// measures once a second, for a bounded time; a reader of metrics gets the latest values.
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

  // Measures for a bounded time; the next call continues where this one has stopped. Threads: one.
  void look();

  // Threads: any.
  // The number of documents in the store for each database, including expired ones that are not
  // erased yet. Counted up to limits::counted_documents_max in a collection, estimated beyond.
  std::map<std::string, std::uint64_t> documents() const;
  std::uint64_t heap_bytes() const;  // allocated by the program

 private:
  void count_some(const Catalog& catalog, Instant ends_at);
  Result<void> count(CollectionId id, Instant ends_at);
  void publish(const Catalog& catalog);

  Database& database_;
  const Span look_time_max_;
  std::int64_t looks_ = 0;
  CollectionId next_ = 0;          // the next collection to count
  std::size_t left_ = 0;           // collections that are still to be counted in this round
  store::Version counted_at_ = 0;  // the store's version when the round began
  std::map<CollectionId, std::uint64_t> counted_;
  mutable std::mutex mutex_;  // guards the published values below
  std::map<std::string, std::uint64_t> documents_;
  std::uint64_t heap_bytes_ = 0;
};

}  // namespace mayfly::app
