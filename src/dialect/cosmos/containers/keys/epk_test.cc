// Partition keys and their EPKs, by the vectors that clients are tested with.
#include "dialect/cosmos/containers/keys/epk.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "dialect/cosmos/containers/keys/key_path.h"
#include "value/hashing/murmur3.h"
#include "value/json/json.h"

namespace mayfly::cosmos {
namespace {

struct Vector {
  Value key;
  std::string v1;
  std::string v2;
};

const std::vector<Vector>& vectors() {
  static const std::vector<Vector> rows = {
      {{}, "05C1D529E345DC00", "11622DAA78F835834610ABE56EFF5CB5"},
      {nullptr, "05C1ED45D7475601", "378867E4430E67857ACE5C908374FE16"},
      {true, "05C1D7C5A903D803", "0E711127C5B5A8E4726AC6DD306A3E59"},
      {false, "05C1DB857D857C02", "2FE1BE91E90A3439635E0E9E37361EF2"},
      {"", "05C1CF33970FF80800", "32E9366E637A71B4E710384B2F4970A0"},
      {"a", "05C1D78593652C086200", "3A5381E1114EB8D3FCC90795045B49B7"},
      {"asdf", "05C1E7035DAF84086274656700", "208BF1D598F5B63AD5520F04FE58C5E8"},
      {"redmond", "05C1EFE313830C087366656E706F6500", "22E342F38A486A088463DFF7838A5963"},
      {0, "05C1BF6DA115600580", "155B95BEDAC4B1E9EC1CDC9BB0DDDE58"},
      {1, "05C1ED172B6B2605BFF0", "20CD98B339BA78A5D0CF6953B87070B0"},
      {-1, "05C1D1A5BDDF9C054010", "19938E7A936C1C5B9E3AE842BBC16839"},
      {1.5, "05C1E9694167A805BFF8", "35C5DDEB6C795D16A9963C73C54E97BC"},
  };
  return rows;
}

TEST(PartitionKey, IsHashedAsClientsHashIt) {
  for (const Vector& row : vectors()) {
    EXPECT_EQ(epk_of({row.key}, KeyHash::v1), row.v1) << render_json(row.key);
    EXPECT_EQ(epk_of({row.key}, KeyHash::v2), row.v2) << render_json(row.key);
    EXPECT_EQ(epk_of({row.key, row.key}, KeyHash::multi), row.v2 + row.v2);
  }
}

TEST(PartitionKey, UsesAHundredCharactersInVersion1) {
  const std::string hundred(100, 'x');
  const auto v1 = [](const std::string& text) { return epk_of({text}, KeyHash::v1); };
  EXPECT_EQ(v1(hundred + "ab"), v1(hundred + "ac"));
  EXPECT_NE(v1(hundred + "a"), v1(hundred));
  EXPECT_EQ(v1(hundred + "a").size(), v1(hundred).size());  // the last byte of it, or the end
  EXPECT_NE(epk_of({hundred + "ab"}, KeyHash::v2), epk_of({hundred + "ac"}, KeyHash::v2));
}

TEST(PartitionKey, OfAWholeNumberIsThatOfTheSameReal) {
  EXPECT_EQ(epk_of({Value(1.0)}, KeyHash::v2), epk_of({Value(1)}, KeyHash::v2));
  EXPECT_EQ(epk_of({Value(1.0)}, KeyHash::v1), epk_of({Value(1)}, KeyHash::v1));
}

TEST(PartitionKey, CoversAPointAPrefixOrEverything) {
  const PartitionValues key = {"a", 1};
  const std::string epk = epk_of(key, KeyHash::multi);
  EXPECT_EQ(epk_range_of(key, KeyHash::multi, 2), (EpkRange{epk, epk, true}));
  const EpkRange prefix = epk_range_of({"a"}, KeyHash::multi, 2);
  EXPECT_EQ(prefix, (EpkRange{epk.substr(0, 32), epk.substr(0, 32) + "FF", false}));
  EXPECT_TRUE(prefix.contains(epk));
  EXPECT_FALSE(prefix.contains(epk_of({"b", 1}, KeyHash::multi)));
  EXPECT_EQ(epk_range_of({}, KeyHash::v2, 1), (EpkRange{"", "FF", false}));
  EXPECT_TRUE(epk_range_of({"a"}, KeyHash::v2, 1).contains(epk_of({"a"}, KeyHash::v2)));
}

TEST(PartitionKey, IsReadFromAHeader) {
  EXPECT_EQ(parse_partition_values("[]")->size(), 0);
  const auto key = parse_partition_values(R"(["a", 1.5, true, null, {}])");
  ASSERT_FALSE(key.has_value());
  EXPECT_EQ(key.error().code, Code::invalid);
  const auto three = parse_partition_values(R"([ "a", null, {} ])").value();
  ASSERT_EQ(three.size(), 3);
  EXPECT_EQ(three[0].text(), "a");
  EXPECT_TRUE(three[1].is_null());
  EXPECT_TRUE(three[2].is_missing());
  for (const char* wrong : {"", "a", "{}", "\"a\"", "[", "[[]]", "[{\"a\":1}]", "[1,]", "null"}) {
    const auto refused = parse_partition_values(wrong);
    ASSERT_FALSE(refused.has_value()) << wrong;
    EXPECT_EQ(refused.error().code, Code::invalid);
  }
}

TEST(PartitionKey, IsTakenFromADocument) {
  const Value document = parse_json(R"({"a":{"b c":"x"},"n":1,"o":{},"l":[1]})").value();
  PartitionKey definition;
  for (const char* path : {R"(/a/"b c")", "/n", "/o", "/l", "/none", "/a/b"}) {
    definition.paths.push_back(parse_key_path(path).value());
  }
  const PartitionValues key = values_in(definition, document);
  EXPECT_EQ(render_json(Array(key)), R"(["x",1,null,null,null,null])");
  EXPECT_TRUE(key[2].is_missing() && key[3].is_missing() && key[4].is_missing());
}

TEST(PartitionKey, HasInvalidPathsThatAreRefusedWithTheMessageOfTheService) {
  const auto refused = [](const char* path) { return parse_key_path(path).error().message; };
  EXPECT_EQ(refused("id"),
            "The partition key component definition path 'id' could not be accepted, failed near "
            "position '0'.");
  EXPECT_EQ(refused("/\"a\"b"),
            "The partition key component definition path '/\"a\"b' could not be accepted, failed "
            "near position '4'.");
  EXPECT_EQ(refused("/\"a"),
            "The partition key component definition path '/\"a' could not be accepted, failed near "
            "position '1'.");
  for (const char* path : {"/", "/a/", "/a/*", "/a/?", "/a[]", "//a"}) {
    EXPECT_EQ(refused(path),
              "Partition key paths must contain only valid characters and not contain a trailing "
              "slash or wildcard character.")
        << path;
  }
  EXPECT_NE(refused(""), "");
}

TEST(Murmur3, HashesEveryLengthOfTail) {
  EXPECT_EQ(murmur3_32(""), 0U);
  EXPECT_EQ(murmur3_32("hello"), 0x248BFA47U);
  EXPECT_EQ(murmur3_32("hello, world"), 0x149BBB7FU);
  EXPECT_EQ(murmur3_128(""), (std::pair<std::uint64_t, std::uint64_t>(0, 0)));
  EXPECT_EQ(murmur3_128("hello"),
            (std::pair<std::uint64_t, std::uint64_t>(0xCBD8A7B341BD9B02U, 0x5B1E906A48AE1D19U)));
  EXPECT_EQ(murmur3_128("The quick brown fox jumps over the lazy dog."),
            (std::pair<std::uint64_t, std::uint64_t>(0xCD99481F9EE902C9U, 0x695DA1A38987B6E7U)));
}

}  // namespace
}  // namespace mayfly::cosmos
