// docs/functions.md matches the rows of the library.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

#include "expr/function.h"

namespace mayfly {
namespace {

// A bar would end the table's cell.
std::string in_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
  return cell;
}

// The arguments as a filter writes them; `is_for_filters` becomes false if a filter cannot express
// them.
std::string in_filters(std::string_view arguments, bool& is_for_filters) {
  const std::pair<std::string_view, std::string_view> words[] = {{"missing", "missing()"},
                                                                 {"date(", "parse_date("}};
  std::string text;
  bool is_quoted = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const char c = arguments[i];
    const std::string_view rest = arguments.substr(i);
    if (c == '"') is_quoted = !is_quoted;
    const auto* const word = std::ranges::find_if(
        words, [&](const auto& row) { return !is_quoted && rest.starts_with(row.first); });
    if (word != std::end(words)) {
      text += word->second;
      i += word->first.size() - 1;
      continue;
    }
    const bool is_binary = rest.starts_with("binary(") || rest.starts_with("reference(");
    if (!is_quoted && (c == '{' || is_binary || rest.starts_with("infinity"))) {
      is_for_filters = false;
    }
    text += c;
    if (is_quoted && c == '\\') text += arguments[++i];
  }
  return text;
}

std::string render_example(const Function& function) {
  const Example& example = function.examples.front();
  bool is_for_filters = true;
  const std::string arguments = in_filters(example.arguments, is_for_filters);
  const bool is_word = function.name == "in" || function.name == "contains";
  const std::string call =
      is_word ? std::string(arguments).replace(arguments.find(", "), 2,
                                               " " + std::string(function.name) + " ")
              : std::string(function.name) + "(" + arguments + ")";
  return "`" + in_cell(call) + "` → `" + in_cell(example.result) + "`" +
         (is_for_filters ? "" : " (not in filters)");
}

std::string render_page() {
  std::string page =
      "# Functions\n\nThis page lists the functions of expressions, under the names that the "
      "filters of the native API use. The other APIs have names of their own for them. It is "
      "generated from the rows in `src/expr/functions/`; every example is a test.\n\n"
      "A filter can contain each call as it is printed, with fields in the place of values. "
      "\"Not in filters\" marks a call whose arguments a filter cannot write, because it has no "
      "objects, binary values and references. `missing()` stands for a field that a document does "
      "not have.\n";
  for (const Family& family : function_families()) {
    page += "\n## " + std::string(family.name) +
            "\n\n| function | what it gives | example |\n| --- | --- | --- |\n";
    for (const Function& function : family.functions) {
      page += "| `" + std::string(function.name) + "` | " + in_cell(function.summary) + " | " +
              render_example(function) + " |\n";
    }
  }
  return page;
}

// MAYFLY_REWRITE=1 in the environment rewrites the page.
TEST(FunctionsPageTest, ThePageMatchesTheRows) {
  const std::string path = MAYFLY_SOURCE_DIR "/docs/functions.md";
  const std::string page = render_page();
  if (std::getenv("MAYFLY_REWRITE") != nullptr) std::ofstream(path) << page;
  std::stringstream written;
  written << std::ifstream(path).rdbuf();
  EXPECT_EQ(written.str(), page) << "write it again: MAYFLY_REWRITE=1 ./dev test -R FunctionsPage";
}

}  // namespace
}  // namespace mayfly
