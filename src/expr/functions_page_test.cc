// docs/functions.md is the library as its rows tell it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "expr/function.h"

namespace mayfly {
namespace {

// A bar would end the table's cell.
std::string in_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
  return cell;
}

std::string render_page() {
  std::string page =
      "# Functions\n\nThis page lists the functions of expressions, under the names that the "
      "filters "
      "of the native API use. The other dialects have names of their own for them. It is generated "
      "from the rows in `src/expr/functions/`; every example is a test.\n";
  for (const Family& family : function_families()) {
    page += "\n## " + std::string(family.name) +
            "\n\n| function | what it gives | example |\n| --- | --- | --- |\n";
    for (const Function& function : family.functions) {
      const Example& example = function.examples.front();
      page += "| `" + std::string(function.name) + "` | " + in_cell(function.summary) + " | `" +
              in_cell(example.arguments) + "` → `" + in_cell(example.result) + "` |\n";
    }
  }
  return page;
}

// MAYFLY_REWRITE=1 in the environment writes the page again.
TEST(FunctionsPageTest, ThePageSaysWhatTheRowsSay) {
  const std::string path = MAYFLY_SOURCE_DIR "/docs/functions.md";
  const std::string page = render_page();
  if (std::getenv("MAYFLY_REWRITE") != nullptr) std::ofstream(path) << page;
  std::stringstream written;
  written << std::ifstream(path).rdbuf();
  EXPECT_EQ(written.str(), page) << "write it again: MAYFLY_REWRITE=1 ./dev test -R FunctionsPage";
}

}  // namespace
}  // namespace mayfly
