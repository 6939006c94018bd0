// Tests of the table of metrics and of the page that is generated from it.
#include "app/metrics/table.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace mayfly::app {
namespace {

// MAYFLY_REWRITE=1 in the environment generates the page again.
TEST(MetricsTableTest, ThePageSaysWhatTheTableSays) {
  const std::string path = MAYFLY_SOURCE_DIR "/docs/metrics.md";
  const std::string page = render_metrics_markdown(metrics_table());
  if (std::getenv("MAYFLY_REWRITE") != nullptr) std::ofstream(path) << page;
  std::stringstream written;
  written << std::ifstream(path).rdbuf();
  EXPECT_EQ(written.str(), page) << "write it again: MAYFLY_REWRITE=1 ./dev test -R MetricsTable";
}

TEST(MetricsTableTest, TheTableIsWellFormed) {
  const Metrics metrics(metrics_table());
  EXPECT_EQ(metrics.rows().size(), metrics_table().size());
}

}  // namespace
}  // namespace mayfly::app
