// The rows of the benchmark, by what they measure.
#pragma once

#include <string>
#include <vector>

#include "bench/report.h"

namespace mayfly::bench {

struct Options {
  int repetitions = 5;
  double seconds = 1.5;               // one repetition of one side
  std::uint64_t documents = 200'000;  // in the engine's rows
  std::string only;                   // ids with commas between them; empty: all
  std::string directory;              // for data; emptied afterwards

  bool wants(const std::string& id) const;
};

void add_http_rows(const Options& options, std::vector<Row>& rows);    // P1, P2
void add_engine_rows(const Options& options, std::vector<Row>& rows);  // P2 to P5
void add_start_rows(const Options& options, std::vector<Row>& rows);   // P12

// A document of about so many bytes.
std::string sample_json(std::size_t bytes, std::uint64_t n);

}  // namespace mayfly::bench
