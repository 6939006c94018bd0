// docs/dialects/fql-library.md is generated from the rows of the library.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>
#include <vector>

#include "dialect/fauna/library/method.h"

namespace mayfly::fauna {
namespace {

// A bar would end the cell of the table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string title_of(std::string_view of) {
  const std::pair<std::string_view, const char*> titles[] = {
      {"", "Global functions"},
      {"Any", "All values but null"},
      {"UserCollection", "Collections"},
      {"NamedCollection", "Built-in collections of documents with names"},
      {"SystemCollection", "Other built-in collections"},
  };
  const auto* const title =
      std::ranges::find(titles, of, [](const auto& row) { return row.first; });
  return title == std::end(titles) ? std::string(of) : title->second;
}

std::string example_of(const Method& method) {
  return "`" + cell(method.example) + "` → `" + cell(method.example_value) + "`";
}

std::string row_of(const Method& method) {
  const bool is_of_module = method.is_static && !method.of.ends_with("Collection");
  const std::string name = is_of_module ? std::string(method.of) + "." : std::string();
  const std::string colon = is_field(method) ? ": " : "";
  return "| `" + name + std::string(method.name) + colon + cell(method.signature) + "` | " +
         cell(method.description) + " | " + example_of(method) + " |\n";
}

std::string library_page() {
  std::string page =
      "# The library of FQL\n\nThis page lists the functions of FQL version 10 that the Fauna API "
      "offers. It is generated from the rows in `src/dialect/fauna/library/`; every example is a "
      "test.\n\n"
      "A parameter with `?` can be left out; `...` stands for any number of arguments. What has no "
      "parentheses is read as a field. Before an example that names it there are a collection "
      "`Customer` with the documents `{ id: 1, name: \"Ann\" }` and `{ id: 2, name: \"Bob\" }`, "
      "and a "
      "function `double` that doubles a number.\n";
  std::vector<std::string_view> types;
  for (const Method& method : all_methods()) {
    if (std::ranges::find(types, method.of) == types.end()) types.push_back(method.of);
  }
  for (const std::string_view type : types) {
    page += "\n## " + title_of(type) +
            "\n\n| function | what it gives | example |\n| --- | --- | --- |\n";
    for (const Method& method : all_methods()) {
      if (method.of == type) page += row_of(method);
    }
  }
  return page;
}

// MAYFLY_REWRITE=1 in the environment rewrites the page.
TEST(FqlLibraryPageTest, ThePageMatchesTheRows) {
  const std::string path = MAYFLY_SOURCE_DIR "/docs/dialects/fql-library.md";
  const std::string page = library_page();
  if (std::getenv("MAYFLY_REWRITE") != nullptr) std::ofstream(path) << page;
  std::stringstream written;
  written << std::ifstream(path).rdbuf();
  EXPECT_EQ(written.str(), page) << "write it again: MAYFLY_REWRITE=1 ./dev test -R FqlLibraryPage";
}

}  // namespace
}  // namespace mayfly::fauna
