#include "dialect/kuzzle/generations/generation.h"

#include <gtest/gtest.h>

#include "dialect/kuzzle/generations/renderer.h"

namespace mayfly::kuzzle {
namespace {

TEST(KuzzleGenerationTest, EachIsFoundByItsName) {
  EXPECT_EQ(generation_of_version("1"), &generations::v1);
  EXPECT_EQ(generation_of_version("1.12"), &generations::v1_late);
  EXPECT_EQ(generation_of_version("2"), &generations::v2);
  EXPECT_EQ(generation_of_version("3"), nullptr);
}

TEST(KuzzleGenerationTest, AnyMessageTakesTheNamesThatItsErrorHas) {
  struct Message {
    std::string_view Words::* words;
    int names;
  };
  constexpr Message messages[] = {{&Words::reserved_index, 1},
                                  {&Words::no_document, 1},
                                  {&Words::no_cache_database, 1},
                                  {&Words::violation_of_document, 1},
                                  {&Words::violation_of_field, 2},
                                  {&Words::missing_reference, 3},
                                  {&Words::still_in_use, 3},
                                  {&Words::login_required, 0},
                                  {&Words::no_body, 0},
                                  {&Words::no_id, 0}};
  for (const Words* words : {&words_of_v1, &words_of_v1_late, &words_of_v2}) {
    for (const auto& [message, names] : messages) {
      const std::string_view text = words->*message;
      EXPECT_FALSE(text.empty());
      int holes = 0;
      for (std::size_t i = text.find("{}"); i != text.npos; i = text.find("{}", i + 1)) ++holes;
      EXPECT_LE(holes, names) << text;
    }
  }
}

std::string checked(const Generation& generation) {
  std::string out;
  JsonWriter json(out);
  generation.renderer().valid_token({"ann", 5}, json);
  return out;
}

TEST(KuzzleGenerationTest, OneOutcomeIsWrittenAsEachGenerationDoes) {
  EXPECT_EQ(checked(generations::v1), R"({"valid":true,"expiresAt":5})");
  EXPECT_EQ(checked(generations::v1_late), R"({"valid":true,"expiresAt":5})");
  EXPECT_EQ(checked(generations::v2), R"({"valid":true,"expiresAt":5,"kuid":"ann"})");
}

}  // namespace
}  // namespace mayfly::kuzzle
