// Tests of key hashes, beside the vectors used to test clients (containers/keys/epk_test.cc).
#include "value/hashing/key_hash.h"

#include <gtest/gtest.h>

namespace mayfly {
namespace {

const KeyHashVersion versions[] = {KeyHashVersion::v1, KeyHashVersion::v2};

TEST(KeyHash, IsEmptyWithoutComponents) {
  for (const KeyHashVersion version : versions) EXPECT_EQ(key_hash(version, {}), "");
}

TEST(KeyHash, Version1HashesOnlyTheFirstComponent) {
  const Value two[] = {"a", "b"};
  EXPECT_EQ(key_hash(KeyHashVersion::v1, two), key_hash(KeyHashVersion::v1, std::span(two, 1)));
  EXPECT_EQ(key_hash(KeyHashVersion::v2, two),
            key_hash(KeyHashVersion::v2, std::span(two, 1)) +
                key_hash(KeyHashVersion::v2, std::span(two + 1, 1)));
}

TEST(KeyHash, KeysSpreadEvenlyOverThePositions) {
  constexpr std::uint64_t parts = 8;
  constexpr int keys = 8'000;
  for (const KeyHashVersion version : versions) {
    int counts[parts] = {};
    for (int i = 0; i < keys; ++i) {
      const Value key = "key " + std::to_string(i);
      const std::string hash = key_hash(version, std::span(&key, 1));
      for (std::uint64_t part = 0; part < parts; ++part) {
        const std::uint64_t width = key_positions / parts;
        const bool is_in = hash >= key_hash_at(version, part * width) &&
                           hash < key_hash_at(version, (part + 1) * width);
        counts[part] += is_in ? 1 : 0;
      }
    }
    int all = 0;
    for (const int count : counts) {
      EXPECT_GT(count, 800);
      EXPECT_LT(count, 1'200);
      all += count;
    }
    EXPECT_EQ(all, keys);
  }
}

}  // namespace
}  // namespace mayfly
