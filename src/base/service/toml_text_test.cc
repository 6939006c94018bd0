// Tests of toml_text.h: where a character outside ASCII may be in a file of settings.
#include "base/service/toml_text.h"

#include <gtest/gtest.h>

#include <string>

namespace mayfly {
namespace {

// The line that the message names; "" if the text is accepted.
std::string line_of_fault(std::string_view text) {
  const Result<void> checked = check_toml_text(text, "f.toml");
  if (checked) return "";
  const std::string expected_end =
      ": a character outside ASCII may only be in a comment or within quotes, and not behind a "
      "backslash there";
  const std::string& message = checked.error().message;
  EXPECT_EQ(checked.error().code, Code::invalid);
  EXPECT_EQ(checked.error().field, "config");
  EXPECT_TRUE(message.starts_with("f.toml:") && message.ends_with(expected_end)) << message;
  return message.substr(7, message.find(": ") - 7);
}

TEST(TomlTextTest, CommentsAndStringsMayContainAnyCharacter) {
  const std::string_view accepted[] = {
      "",
      "a = 1",
      "# é\na = 'é' # é",
      "#é",
      "a = \"é\"\nb = [\"é\",'é', {\"é\" = 'é'}]\r\n[\"é\"]\r\n'é' = 1",
      "a = \"\\\"é\\\\\" # é",
      "a = '\\' # é",
      "a = '' # é",
      "a1='é'#é\n[b]#é\nb={c=['é','é']}",
      "a = \"\" # é",
      "a = '\"' # é\nb = \"'\" # é",
      "a = '# é'",
      "a = \"\"\"é\né\"\"\"",
      "a = '''é\né\\'''",
      "a = \"\"\"é\"é\"\"é\\\"\"\"é\"\"\" # é",
      "a = '''é'é''é''' # é",
      "a = \"\"\"é\"\"\"\" # é",
      "a = \"\"\"é\"\"\"\"\" # é",
      "a = '''é'''' # é",
      "a = '''é''''' # é",
      "a = \"\"\"\"\"\" # é",
      "a = \"\"\"\\\n \t\r\n bé\\n é\"\"\"",
      "\xEF\xBB\xBF# é",
      "\xEF\xBB\xBF'é' = 'é'",
  };
  for (const std::string_view text : accepted) EXPECT_EQ(line_of_fault(text), "") << text;
}

TEST(TomlTextTest, OtherPlacesAreRefusedWithTheLine) {
  struct Row {
    std::string_view text;
    std::string_view line;
  };
  const Row rows[] = {
      {"é = 1", "1"},
      {"a\né", "2"},
      {"caf\xC3\xA9 = 1", "1"},
      {"a = é", "1"},
      {"a = 1é", "1"},
      {"a = 1\n\n\u00A0b = 2", "3"},
      {"a = 'é' é", "1"},
      {"a = ''é", "1"},
      {"[é]", "1"},
      {"a = [ 'é', é ]", "1"},
      {"a = \"\"\"\nx\n\"\"\"é", "3"},
      {"a = \"\"\"x\"\"\"\" é", "1"},
      {"a = \"\"\"x\"\"\"\"\" é", "1"},
      {"a = '''x'''' é", "1"},
      {"a = '''x''''' é", "1"},
      {"a = '''x'''\né", "2"},
      {"a = '\\' é", "1"},
      {"a = \"\\\\\" é", "1"},
      {"a = \xFF", "1"},
      {"a = 1\n\xEF\xBB\xBF"
       "b = 2",
       "2"},
  };
  for (const Row& row : rows) EXPECT_EQ(line_of_fault(row.text), row.line) << row.text;
}

// The library searches for white space within these strings.
TEST(TomlTextTest, PlacesWithinStringsThatAreReadOutsideOfThemAreRefused) {
  const std::string_view refused[] = {
      "a = \"\\é\"",
      "a = \"\"\"\\é\"\"\"",
      "a = \"\"\"\\\né\"\"\"",
      "a = \"\"\"b\\ \t\r\n\n  é\"\"\"",
      "a = 1\"é\"",
      "a = 1.\"é\"",
      "a = +'é'",
      "a = 1='é'",
      "a = -''a='é'",
      "a = +1.a='''é'''",
      "a = [1['é']]",
      "a.'é' = 1",
      "a = 2020-01-01 1'é'",
  };
  for (const std::string_view text : refused) EXPECT_NE(line_of_fault(text), "") << text;
}

// The library says what is wrong with them.
TEST(TomlTextTest, AStringWithoutAnEndIsLeftToTheLibrary) {
  const std::string_view left[] = {
      "a = 'b\né = 1",      "a = \"b\né = 1", "a = \"\\\né = 1", "a = '''b\né",
      "a = \"\"\"b\né\"\"", "a = \"\\",       "a = \"\"\"\\",
  };
  for (const std::string_view text : left) EXPECT_EQ(line_of_fault(text), "") << text;
}

TEST(TomlTextTest, ANameHasABoundedNumberOfParts) {
  const auto text = [](std::size_t parts) {
    std::string name = "a";
    for (std::size_t i = 1; i < parts; ++i) name += ".a";
    return name + " = 1";
  };
  EXPECT_TRUE(check_toml_text(text(64), "f.toml"));
  EXPECT_EQ(check_toml_text(text(65), "f.toml").error().message,
            "f.toml: a name has too many parts");
}

}  // namespace
}  // namespace mayfly
