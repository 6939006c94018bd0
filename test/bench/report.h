// The report of the benchmark: rows of ratios, both sides measured in one run, as a table and as
// JSON.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace mayfly::bench {

// One measured side: one number a repetition.
using Samples = std::vector<double>;

struct ReportRow {
  std::string id;  // of the goal: "P1"
  std::string what;
  std::string unit;  // of both sides: "requests/s"
  Samples ours;
  std::string against;  // the other side; empty: there is none, and the goal is absolute
  Samples theirs;
  std::string goal;  // the goal as text
  // Whether the medians meet the goal; null: there is none.
  std::function<bool(double ours, double theirs)> is_met;
};

double median(Samples samples);
// Runs both sides alternately, so that other load on the machine slows both.
void alternate(int repetitions, ReportRow& row, const std::function<double()>& ours,
               const std::function<double()>& theirs);
void repeat(int repetitions, ReportRow& row, const std::function<double()>& ours);

std::string render_table(const std::vector<ReportRow>& rows);
std::string render_report_json(const std::vector<ReportRow>& rows);

}  // namespace mayfly::bench
