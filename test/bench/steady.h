// Reads at a steady rate during other work: 2,000 a second on 16 connections, each with a thread of
// its own. A late answer does not delay the schedule of later reads.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/contestant.h"

namespace mayfly::bench {

// How many documents of each prefix are read, numbered from 0. They are so few that all are in
// memory soon.
inline constexpr std::uint64_t steady_documents = 5'000;

struct SteadyReads {
  std::function<std::unique_ptr<Session>()> connect;
  std::vector<std::string> prefixes;  // prefixes of ids, each read equally often
  Instant begin;
  // Called before each read with its scheduled begin; false ends the reads of a connection.
  // Threads: any.
  std::function<bool(Instant meant_at)> goes_on;
};

struct SteadyRead {
  Instant meant_at;
  Instant sent_at;
  Instant answered_at;
  std::size_t prefix = 0;  // index in `prefixes`
  bool was_there = false;
};

std::vector<SteadyRead> read_steadily(const SteadyReads& wanted);

// Response times of the reads that were scheduled then, counted from their scheduled begin, so they
// include waiting for earlier reads.
double p99_micros(const std::vector<SteadyRead>& reads, Instant begin, Instant end);

}  // namespace mayfly::bench
