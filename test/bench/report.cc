#include "bench/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "value/json/json.h"

namespace mayfly::bench {
namespace {

std::string number(double n) {
  if (n >= 100) return fmt::format("{:.0f}", n);
  return fmt::format("{:.3g}", n);
}

std::string spread(const Samples& samples) {
  const auto [least, most] = std::minmax_element(samples.begin(), samples.end());
  return fmt::format("{} ({}-{})", number(median(samples)), number(*least), number(*most));
}

Value list(const Samples& samples) {
  Array all;
  for (const double sample : samples) all.push_back(Value(sample));
  return all;
}

}  // namespace

double median(Samples samples) {
  if (samples.empty()) return 0;
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

void alternate(int repetitions, ReportRow& row, const std::function<double()>& ours,
               const std::function<double()>& theirs) {
  for (int i = 0; i < repetitions; ++i) {
    row.theirs.push_back(theirs());
    row.ours.push_back(ours());
  }
}

void repeat(int repetitions, ReportRow& row, const std::function<double()>& ours) {
  for (int i = 0; i < repetitions; ++i) row.ours.push_back(ours());
}

std::string render_table(const std::vector<ReportRow>& rows) {
  std::string table =
      "| id | what | ours | against | ratio | goal | met |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const ReportRow& row : rows) {
    const double ours = median(row.ours), theirs = median(row.theirs);
    const bool has_other = !row.theirs.empty();
    table +=
        fmt::format("| {} | {} | {} {} | {} | {} | {} | {} |\n", row.id, row.what, spread(row.ours),
                    row.unit, has_other ? row.against + " " + spread(row.theirs) : "-",
                    has_other ? fmt::format("{:.2f}", ours / theirs) : "-", row.goal,
                    !row.is_met                ? "-"
                    : row.is_met(ours, theirs) ? "yes"
                                               : "no");
  }
  return table;
}

std::string render_report_json(const std::vector<ReportRow>& rows) {
  Array all;
  for (const ReportRow& row : rows) {
    const double ours = median(row.ours), theirs = median(row.theirs);
    Object o{{"id", row.id},     {"what", row.what},       {"unit", row.unit},
             {"goal", row.goal}, {"ours", list(row.ours)}, {"ours_median", ours}};
    if (!row.theirs.empty()) {
      o.set("against", row.against);
      o.set("theirs", list(row.theirs));
      o.set("theirs_median", theirs);
      o.set("ratio", ours / theirs);
    }
    if (row.is_met) o.set("met", row.is_met(ours, theirs));
    all.push_back(std::move(o));
  }
  return render_json(Object{{"rows", std::move(all)}});
}

}  // namespace mayfly::bench
