#include "expr/relevance/passages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "expr/functions/texts/words.h"

namespace mayfly::relevance {
namespace {

using testing::ElementsAre;

std::vector<FoundTerm> places_of(std::string_view word, std::string_view text) {
  std::vector<FoundTerm> found;
  for (const FoundWord& at : find_words(text)) {
    if (at.word != word) continue;
    found.push_back({static_cast<std::uint32_t>(at.begin), static_cast<std::uint32_t>(at.end), 0});
  }
  return found;
}

std::vector<std::string> passages_around(std::string_view word, std::string_view text,
                                         std::size_t characters_max) {
  std::vector<std::string> shown;
  for (const Passage& passage : passages_of(text, places_of(word, text), characters_max)) {
    shown.emplace_back(text.substr(passage.begin, passage.end - passage.begin));
  }
  return shown;
}

TEST(PassagesTest, APassageIsASentence) {
  constexpr std::string_view text = "A fox ran. The dog slept! Did the fox see a fox? Été, fox.";
  EXPECT_THAT(passages_around("fox", text, 100),
              ElementsAre("A fox ran. ", "Did the fox see a fox? ", "Été, fox."));
  EXPECT_THAT(passages_around("été", text, 0), ElementsAre("Été, fox."));
  EXPECT_THAT(passages_around("cat", text, 100), ElementsAre());
  EXPECT_THAT(passages_around("fox", "", 100), ElementsAre());
}

TEST(PassagesTest, ALongSentenceIsCutBetweenWords) {
  constexpr std::string_view text = "one two three four five six seven eight nine ten eleven";
  EXPECT_THAT(passages_around("six", text, 12), ElementsAre("three four five six"));
  EXPECT_THAT(passages_around("one", text, 12), ElementsAre("one two three"));
  EXPECT_THAT(passages_around("eleven", text, 12), ElementsAre("eight nine ten eleven"));
  EXPECT_THAT(passages_around("six", text, 1), ElementsAre(" six"));
  EXPECT_THAT(passages_around("six", text, 0), ElementsAre(text));
  EXPECT_THAT(passages_around("größe", "äöü äöü größe äöü äöü", 9), ElementsAre("äöü äöü größe"));
}

TEST(PassagesTest, PassagesDoNotOverlap) {
  EXPECT_THAT(passages_around("a", "a a a a a a", 4), ElementsAre("a a a", " a a ", "a"));
  EXPECT_THAT(passages_around("a", "a b c d a b c d a", 3), ElementsAre("a b ", " d a ", " d a"));
}

TEST(PassagesTest, APassageWithMoreAndRarerWordsScoresHigher) {
  const std::vector<FoundTerm> found{{0, 1, 0}, {30, 31, 1}, {60, 61, 1}, {62, 63, 0}};
  const std::vector<std::uint32_t> often{20, 2};
  const auto worth = [&](std::size_t first, std::size_t count, std::size_t begin) {
    return passage_score({begin, begin + 30, first, count}, found, {begin, 90}, often);
  };
  EXPECT_GT(worth(1, 1, 30), worth(0, 1, 0)) << "a rarer word";
  EXPECT_GT(worth(2, 2, 60), worth(1, 1, 30)) << "two words";
  EXPECT_GT(worth(1, 1, 0), worth(1, 1, 60)) << "an earlier place";
}

TEST(PassagesTest, ABeginningEndsAfterAWord) {
  EXPECT_EQ(beginning_of("The quick fox", 5), "The quick");
  EXPECT_EQ(beginning_of("The quick fox", 13), "The quick fox");
  EXPECT_EQ(beginning_of("größe größe", 2), "größe");
  EXPECT_EQ(beginning_of("", 5), "");
}

}  // namespace
}  // namespace mayfly::relevance
