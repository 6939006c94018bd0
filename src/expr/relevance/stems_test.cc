#include "expr/relevance/stems.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "expr/limits.h"
#include "expr/relevance/bm25.h"

namespace mayfly::relevance {
namespace {

using testing::ElementsAre;

TEST(StemsTest, WordsEndAtUnicodeBoundariesAndAreStemmed) {
  EXPECT_THAT(stems_of("The QUICK foxes' jumping, can't", "english"),
              ElementsAre("the", "quick", "fox", "jump", "can't"));
  EXPECT_THAT(stems_of("Die Häuser", "german"), ElementsAre("die", "haus"));
  EXPECT_THAT(stems_of("corriendo rápidamente", "spanish"), ElementsAre("corr", "rapid"));
  EXPECT_THAT(stems_of("日本語", "english"), testing::Not(testing::IsEmpty()));
  EXPECT_THAT(stems_of("… !", "english"), ElementsAre());
}

TEST(StemsTest, AThreadSwitchesBetweenLanguages) {
  EXPECT_THAT(stems_of("chevaux", "french"), ElementsAre("cheval"));
  EXPECT_THAT(stems_of("chevaux", "english"), ElementsAre("chevaux"));
  EXPECT_THAT(stems_of("chevaux", "french"), ElementsAre("cheval"));
  EXPECT_TRUE(is_language("french"));
  EXPECT_FALSE(is_language("klingon"));
}

TEST(StemsTest, AWordBeyondTheBoundIsNotStemmed) {
  const std::string ending = "running";
  const std::string longest(limits::stemmed_word_bytes_max - ending.size(), 'a');
  EXPECT_THAT(stems_of(longest + ending, "english"), ElementsAre(longest + "run"));
  EXPECT_THAT(stems_of("a" + longest + ending, "english"), ElementsAre("a" + longest + ending));
}

TEST(Bm25Test, ARareWordScoresHigherAndALongTextLower) {
  const TextStatistics texts{100, 1000};
  EXPECT_GT(bm25(1, 10, 1, texts), bm25(1, 10, 50, texts));
  EXPECT_GT(bm25(2, 10, 1, texts), bm25(1, 10, 1, texts));
  EXPECT_GT(bm25(1, 10, 1, texts), bm25(1, 100, 1, texts));
  EXPECT_EQ(bm25(0, 10, 1, texts), 0);
}

TEST(Bm25Test, WordsOfAPhraseOccurSideBySide) {
  const std::vector<std::string> words{"a", "b", "a", "bc"};
  EXPECT_EQ(occurrences({"a", "b"}, false, words), 1);
  EXPECT_EQ(occurrences({"a", "b"}, true, words), 2);
  EXPECT_EQ(occurrences({}, true, words), 0);
}

// The number of occurrences, by a comparison at each position.
std::uint32_t compared(const std::vector<std::string>& phrase, bool ends_in_prefix,
                       const std::vector<std::string>& words) {
  std::uint32_t found = 0;
  for (std::size_t at = 0; at + phrase.size() <= words.size(); ++at) {
    bool fits = true;
    for (std::size_t i = 0; i < phrase.size(); ++i) {
      const bool is_last = ends_in_prefix && i + 1 == phrase.size();
      fits = fits && (is_last ? words[at + i].starts_with(phrase[i]) : words[at + i] == phrase[i]);
    }
    found += fits ? 1 : 0;
  }
  return found;
}

TEST(Bm25Test, OverlappingOccurrencesOfAPhraseAreFound) {
  // All texts of six of these words, against all phrases of up to four.
  const std::string alphabet[] = {"a", "b", "ab"};
  const auto spell = [&](std::size_t length, std::size_t number) {
    std::vector<std::string> words;
    for (; words.size() < length; number /= 3) words.push_back(alphabet[number % 3]);
    return words;
  };
  const std::size_t powers[] = {1, 3, 9, 27, 81, 243, 729};
  for (std::size_t length = 1; length <= 4; ++length) {
    for (std::size_t number = 0; number < powers[length]; ++number) {
      const std::vector<std::string> phrase = spell(length, number);
      for (std::size_t text = 0; text < powers[6]; ++text) {
        const std::vector<std::string> words = spell(6, text);
        for (const bool is_prefix : {false, true}) {
          ASSERT_EQ(occurrences(phrase, is_prefix, words), compared(phrase, is_prefix, words))
              << length << ' ' << number << ' ' << text << ' ' << is_prefix;
        }
      }
    }
  }
}

}  // namespace
}  // namespace mayfly::relevance
