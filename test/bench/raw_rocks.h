// RocksDB alone: the other side of the engine's rows.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace mayfly::bench {

class RawRocks {
 public:
  explicit RawRocks(const std::string& directory);
  ~RawRocks();
  // A document under each number's key, without a sync; at the lowest level.
  void fill(std::uint64_t rows);
  // The same, and a queue entry for every other one, all at one instant.
  void fill_half_dying(std::uint64_t rows);
  // The same with an instant of its own for each, and without the compaction: documents a second.
  double load_dying(std::uint64_t rows);
  // Removes those with their queue entries, in batches, without reading them.
  void remove_half(std::uint64_t rows);
  // Rewrites everything to the lowest level.
  void compact();
  // Writes from so many threads, each a synced batch of a document and a queue entry: batches a
  // second.
  double synced_writes(int threads, double seconds, const std::string& value);
  // Gets of random keys below `rows`: gets a second over all threads.
  double gets(int threads, double seconds, std::uint64_t rows);
  // Rows a second of one pass over everything; `rows` is how many it met.
  double iterate(std::uint64_t& rows);

 private:
  template <class EndOf>
  void write(std::uint64_t rows, const EndOf& end_of);
  struct Inner;
  std::unique_ptr<Inner> inner_;
};

}  // namespace mayfly::bench
