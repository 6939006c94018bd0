// Reads at a steady rate beside something else, whatever comes back how late: 2,000 a second on 16
// connections.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/contestant.h"

namespace mayfly::bench {

// Of each prefix so many are read, from 0 on: all of them are in memory soon.
inline constexpr std::uint64_t steady_documents = 5'000;

struct SteadyReads {
  std::function<std::unique_ptr<Session>()> connect;
  std::vector<std::string> prefixes;  // of ids, each read as often
  Instant begin;
  // Asked before each read with when it is meant to begin. Threads: any.
  std::function<bool(Instant meant_at)> goes_on;
};

struct SteadyRead {
  Instant meant_at;
  Instant sent_at;
  Instant answered_at;
  std::size_t prefix = 0;  // its place among the prefixes
  bool was_there = false;
};

std::vector<SteadyRead> read_steadily(const SteadyReads& wanted);

// Of those meant to begin then, from when they were meant to: a read that has to wait for those
// before it counts its waiting.
double p99_micros(const std::vector<SteadyRead>& reads, Instant begin, Instant end);

}  // namespace mayfly::bench
