// The rows of the benchmark, by what they measure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/report.h"

namespace mayfly::bench {

struct Options {
  int repetitions = 5;
  double seconds = 1.5;                    // one repetition of one side
  std::optional<std::uint64_t> documents;  // unset: the row's default
  std::optional<std::uint64_t> deaths;     // likewise, of one storm, purge or trashcans
  std::string only;                        // ids with commas between them; empty: all
  std::string directory;                   // for data; emptied afterwards
  bool with_peers = false;
  double hours = 1;    // of P20
  std::string curves;  // of P20: the CSV file for its measurements; empty: none

  bool wants(const std::string& id) const;
  std::uint64_t documents_or(std::uint64_t usual) const { return documents.value_or(usual); }
  std::uint64_t deaths_or(std::uint64_t usual) const { return deaths.value_or(usual); }
  // A storm takes long, so three repetitions are enough.
  int storms() const { return std::min(repetitions, 3); }
};

void add_http_rows(const Options& options, std::vector<ReportRow>& rows);           // P1, P2
void add_engine_rows(const Options& options, std::vector<ReportRow>& rows);         // P2 to P5
void add_lag_rows(const Options& options, std::vector<ReportRow>& rows);            // P6
void add_storm_rows(const Options& options, std::vector<ReportRow>& rows);          // P7
void add_purge_rows(const Options& options, std::vector<ReportRow>& rows);          // P8, P9
void add_growth_rows(const Options& options, std::vector<ReportRow>& rows);         // P10, P11
void add_build_rows(const Options& options, std::vector<ReportRow>& rows);          // P19, if named
void add_hour_rows(const Options& options, std::vector<ReportRow>& rows);           // P20, if named
void add_idle_rows(const Options& options, std::vector<ReportRow>& rows);           // P21
void add_count_rows(const Options& options, std::vector<ReportRow>& rows);          // P22
void add_start_rows(const Options& options, std::vector<ReportRow>& rows);          // P12
void add_cosmos_rows(const Options& options, std::vector<ReportRow>& rows);         // P13
void add_peer_rows(const Options& options, std::vector<ReportRow>& rows);           // P14
void add_fauna_rows(const Options& options, std::vector<ReportRow>& rows);          // P15
void add_fanout_rows(const Options& options, std::vector<ReportRow>& rows);         // P16
void add_paging_rows(const Options& options, std::vector<ReportRow>& rows);         // P17
void add_delivery_rows(const Options& options, std::vector<ReportRow>& rows);       // P18
void add_vector_rows(const Options& options, std::vector<ReportRow>& rows);         // V1
void add_kuzzle_rows(const Options& options, std::vector<ReportRow>& rows);         // K1 to K3
void add_kuzzle_fanout_rows(const Options& options, std::vector<ReportRow>& rows);  // K4
void add_kuzzle_collector_rows(const Options& options, std::vector<ReportRow>& rows);  // K5
void add_kuzzle_memory_rows(const Options& options,
                            std::vector<ReportRow>& rows);  // K6, with peers

// A document of about this many bytes.
std::string sample_json(std::size_t bytes, std::uint64_t n);

}  // namespace mayfly::bench
