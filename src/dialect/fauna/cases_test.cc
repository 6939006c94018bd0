// The tables of src/dialect/fauna/cases: queries and their expected results.
//
// A line is `QUERY → RESULT` in the form of CaseStep (testing.h); without a result the query must
// succeed. A line that begins with `|` continues the line before it; `#` begins a comment. `==
// title` begins a group, which is a separate test in a new database, with its administrator's
// secret. $DB is the name of the database.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "dialect/fauna/testing.h"

namespace mayfly::fauna::testing {
namespace {

struct CaseGroup {
  std::string name;  // name of the test
  std::vector<CaseStep> lines = {};
};

std::string test_name(std::string text) {
  for (char& c : text) {
    const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!fits) c = '_';
  }
  return text;
}

CaseStep case_line(const std::string& label, const std::string& text) {
  constexpr std::string_view arrow = " → ";
  const std::size_t at = text.find(arrow);
  CaseStep line{.label = label, .query = text.substr(0, at)};
  if (at != text.npos) line.expected = text.substr(at + arrow.size());
  return line;
}

void read_cases(const std::filesystem::path& path, std::vector<CaseGroup>& groups) {
  std::ifstream file(path);
  std::string line;
  std::string pending;
  std::string label;
  const auto flush = [&] {
    if (!pending.empty()) groups.back().lines.push_back(case_line(label, pending));
    pending.clear();
  };
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.starts_with("|")) {
      pending += "\n" + line.substr(line.starts_with("| ") ? 2 : 1);
      continue;
    }
    flush();
    if (line.starts_with("== ")) {
      groups.push_back({test_name(path.stem().string() + "_" + line.substr(3))});
    } else if (!line.empty() && !line.starts_with("#")) {
      pending = line;
      label = path.filename().string() + ":" + std::to_string(number);
    }
  }
  flush();
}

std::vector<CaseGroup> all_cases() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(MAYFLY_SOURCE_DIR "/src/dialect/fauna/cases")) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<CaseGroup> groups;
  for (const auto& file : files) read_cases(file, groups);
  return groups;
}

class CasesTest : public FaunaTest, public ::testing::WithParamInterface<CaseGroup> {};

TEST_P(CasesTest, IsAnswered) {
  saved["DB"] = "d";
  run_steps({{"setup", "Database.create({name: \"d\"}).name", "\"d\""}});
  secret = "secret:d:admin";
  run_steps(GetParam().lines);
}

INSTANTIATE_TEST_SUITE_P(Tables, CasesTest, ::testing::ValuesIn(all_cases()),
                         [](const auto& row) { return row.param.name; });

TEST(CasesTablesTest, AreFoundAndHaveExpectations) {
  const std::vector<CaseGroup> groups = all_cases();
  EXPECT_GE(groups.size(), 30U);
  for (const CaseGroup& group : groups) {
    const bool expects = std::any_of(group.lines.begin(), group.lines.end(),
                                     [](const CaseStep& line) { return line.expected != "…"; });
    EXPECT_TRUE(expects) << group.name;
  }
}

}  // namespace
}  // namespace mayfly::fauna::testing
