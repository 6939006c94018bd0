#include "store/rocks/log/log_contents.h"

#include <gtest/gtest.h>

namespace mayfly::store {
namespace {

std::string end_of(Version base, const std::vector<LogContents::Commit>& commits) {
  const LogContents::End end = LogContents{commits}.end_from(base);
  return std::to_string(end.version) +
         (end.log_number ? " log " + std::to_string(end.log_number) : "");
}

TEST(LogContentsTest, TheyEndAtTheLastCommitBeforeAGap) {
  EXPECT_EQ(end_of(0, {}), "0");
  EXPECT_EQ(end_of(9, {}), "9");
  EXPECT_EQ(end_of(0, {{{3, 0, 0}, 4}, {{5, 3, 0}, 4}, {{6, 5, 5}, 7}}), "6");
  // One is missing between others, or before the first.
  EXPECT_EQ(end_of(0, {{{3, 0, 0}, 4}, {{6, 5, 3}, 7}, {{8, 6, 3}, 7}}), "3 log 7");
  EXPECT_EQ(end_of(2, {{{6, 5, 3}, 7}}), "2 log 7");
  // The logs repeat commits that the store already has.
  EXPECT_EQ(end_of(5, {{{3, 0, 0}, 4}, {{5, 3, 0}, 4}, {{6, 5, 5}, 7}}), "6");
  EXPECT_EQ(end_of(8, {{{3, 0, 0}, 4}, {{5, 3, 0}, 4}}), "8");
  // A failed commit that is in the log is not followed by the next one.
  EXPECT_EQ(end_of(2, {{{3, 2, 0}, 4}, {{5, 3, 0}, 4}, {{6, 3, 3}, 7}}), "6");
}

TEST(LogContentsTest, TheDurableVersionIsTheGreatestOfAllCommits) {
  EXPECT_EQ(LogContents{}.durable(), 0u);
  EXPECT_EQ((LogContents{{{{3, 0, 0}, 4}, {{6, 5, 5}, 7}, {{8, 6, 3}, 7}}}).durable(), 5u);
}

TEST(VersionRowTest, AnEncodedRowIsDecodedAndOthersAreRefused) {
  const auto bytes = encode_version_row({9, 7, 5});
  const auto row = decode_version_row({bytes.data(), bytes.size()});
  ASSERT_TRUE(row);
  EXPECT_EQ(row->version, 9u);
  EXPECT_EQ(row->previous, 7u);
  EXPECT_EQ(row->durable, 5u);
  EXPECT_EQ(decode_row({bytes.data(), bytes.size()})->version, 9u);
  for (const VersionRow& wrong : {VersionRow{0, 0, 0}, VersionRow{9, 9, 0}, VersionRow{9, 8, 9}}) {
    const auto encoded = encode_version_row(wrong);
    EXPECT_FALSE(decode_version_row({encoded.data(), encoded.size()}));
  }
  EXPECT_FALSE(decode_version_row({bytes.data(), version_bytes}));
}

}  // namespace
}  // namespace mayfly::store
