// RocksDB with nothing around it: the other side of the engine's rows.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace mayfly::bench {

class RawRocks {
 public:
  explicit RawRocks(const std::string& directory);
  ~RawRocks();
  // A row of this length under the number's key, without a sync.
  void fill(std::uint64_t rows, const std::string& value);
  // Writes from so many threads, each a synced batch of a document and a queue entry: batches a
  // second.
  double synced_writes(int threads, double seconds, const std::string& value);
  // Gets of random keys below `rows`: gets a second over all threads.
  double gets(int threads, double seconds, std::uint64_t rows);
  // Rows a second of one pass over everything; `rows` is how many it met.
  double iterate(std::uint64_t& rows);

 private:
  struct Inner;
  std::unique_ptr<Inner> inner_;
};

}  // namespace mayfly::bench
