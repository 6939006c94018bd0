#include "expr/relevance/stems.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expr/limits.h"
#include "expr/relevance/bm25.h"

namespace mayfly::relevance {
namespace {

using testing::ElementsAre;

TEST(StemsTest, WordsEndAtTheBoundariesOfUnicodeAndLoseTheEndingsOfTheirLanguage) {
  EXPECT_THAT(stems_of("The QUICK foxes' jumping, can't", "english"),
              ElementsAre("the", "quick", "fox", "jump", "can't"));
  EXPECT_THAT(stems_of("Die Häuser", "german"), ElementsAre("die", "haus"));
  EXPECT_THAT(stems_of("corriendo rápidamente", "spanish"), ElementsAre("corr", "rapid"));
  EXPECT_THAT(stems_of("日本語", "english"), testing::Not(testing::IsEmpty()));
  EXPECT_THAT(stems_of("… !", "english"), ElementsAre());
}

TEST(StemsTest, AThreadGoesFromOneLanguageToAnother) {
  EXPECT_THAT(stems_of("chevaux", "french"), ElementsAre("cheval"));
  EXPECT_THAT(stems_of("chevaux", "english"), ElementsAre("chevaux"));
  EXPECT_THAT(stems_of("chevaux", "french"), ElementsAre("cheval"));
  EXPECT_TRUE(is_language("french"));
  EXPECT_FALSE(is_language("klingon"));
}

TEST(StemsTest, AWordBeyondTheBoundIsItsOwnStem) {
  const std::string ending = "running";
  const std::string longest(limits::stemmed_word_bytes_max - ending.size(), 'a');
  EXPECT_THAT(stems_of(longest + ending, "english"), ElementsAre(longest + "run"));
  EXPECT_THAT(stems_of("a" + longest + ending, "english"), ElementsAre("a" + longest + ending));
}

TEST(Bm25Test, ARareWordIsWorthMoreAndALongTextLess) {
  const Texts texts{100, 1000};
  EXPECT_GT(bm25(1, 10, 1, texts), bm25(1, 10, 50, texts));
  EXPECT_GT(bm25(2, 10, 1, texts), bm25(1, 10, 1, texts));
  EXPECT_GT(bm25(1, 10, 1, texts), bm25(1, 100, 1, texts));
  EXPECT_EQ(bm25(0, 10, 1, texts), 0);
}

TEST(Bm25Test, OccurrencesOfAPhraseStandSideBySide) {
  const std::vector<std::string> words{"a", "b", "a", "bc"};
  EXPECT_EQ(occurrences({"a", "b"}, false, words), 1);
  EXPECT_EQ(occurrences({"a", "b"}, true, words), 2);
  EXPECT_EQ(occurrences({}, true, words), 0);
}

}  // namespace
}  // namespace mayfly::relevance
