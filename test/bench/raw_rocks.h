// RocksDB alone, to compare the document layer with. Every member stops the program if it fails.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace mayfly::bench {

class RawRocks {
 public:
  explicit RawRocks(const std::string& directory);
  ~RawRocks();
  // Writes a document under each number's key, without a sync, and compacts to the lowest level.
  void fill(std::uint64_t rows);
  // The same, and a queue entry for every other one, all at one instant.
  void fill_half_dying(std::uint64_t rows);
  // The same with a queue entry for each, at an instant of its own, and without the compaction.
  // Returns the documents per second.
  double load_dying(std::uint64_t rows);
  // Removes the documents that have queue entries, with these, in batches and without reading them.
  void remove_half(std::uint64_t rows);
  // Rewrites everything to the lowest level.
  void compact();
  // Writes from so many threads, each a synced batch of a document and a queue entry: batches a
  // second.
  double synced_writes(int threads, double seconds, const std::string& value);
  // Gets of random keys below `rows`: gets a second over all threads.
  double gets(int threads, double seconds, std::uint64_t rows);
  // Rows per second of one pass over everything; sets `rows` to their number.
  double iterate(std::uint64_t& rows);

 private:
  template <class EndOf>
  void write(std::uint64_t rows, const EndOf& end_of);
  struct Inner;
  std::unique_ptr<Inner> inner_;
};

}  // namespace mayfly::bench
