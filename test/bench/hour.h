// P20: a database in this process while millions of documents are loaded, read, and expire.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"
#include "bench/engine.h"

namespace mayfly::bench {

// One row of measurements. There is one after each three-hundredth of the whole time.
struct Look {
  double at = 0;  // seconds since the load began
  std::uint64_t living = 0;
  double expired_per_second = 0;
  double read_p99_micros = 0;   // of the point reads since the last look
  double event_p99_millis = 0;  // from the expiration until a reader has its event, likewise
  double memory_mib = 0;
  double disk_mib = 0;
};

// Each document lives for a time of its own, between a sixtieth of the whole time and all of it.
// Threads of this object read documents, follow the feed, measure, and run the jobs. They stop the
// program if a read or a count is wrong, or the feed has a gap.
//
// Threads: one.
class Hour {
 public:
  Hour(const std::string& directory, Span whole, std::uint64_t documents);
  ~Hour();

  // Writes all documents as fast as possible. Returns the documents per second.
  double load();
  // Returns once all documents have expired and their events have been read.
  void wait();
  // The measurements so far.
  std::vector<Look> looks() const;

  static double disk_mib(const std::string& directory);

 private:
  Instant end_of(std::uint64_t n) const;
  void read();
  void follow();
  void look();
  void run_main_jobs();
  void look_once(Instant began, Look& before, bool counts_all);
  void check_count(Instant now, std::uint64_t living) const;

  const std::string directory_;
  const Span whole_;
  const std::uint64_t documents_;
  const SystemClock clock_;
  Engine engine_;
  std::vector<std::atomic<std::int64_t>> written_at_;  // of each thousand, in microseconds
  std::atomic<std::uint64_t> loaded_ = 0;
  std::atomic<std::uint64_t> events_ = 0;
  std::atomic<bool> is_over_ = false;
  mutable std::mutex mutex_;  // guards the next three
  std::vector<std::int64_t> read_micros_;
  std::vector<std::int64_t> event_micros_;
  std::vector<Look> looks_;
  std::vector<std::thread> threads_;
};

}  // namespace mayfly::bench
