#include "base/crypto/passwords.h"

#include <gtest/gtest.h>

namespace mayfly {
namespace {

TEST(PasswordsTest, OnlyTheSamePasswordMatchesItsHash) {
  const std::string hash = *hash_password("a secret");
  EXPECT_TRUE(is_password("a secret", hash));
  EXPECT_FALSE(is_password("a secret ", hash));
  EXPECT_FALSE(is_password("", hash));
  EXPECT_EQ(hash.find("secret"), std::string::npos);
}

TEST(PasswordsTest, EqualPasswordsHaveHashesOfTheirOwn) {
  EXPECT_NE(*hash_password("a"), *hash_password("a"));
}

TEST(PasswordsTest, AMalformedHashMatchesNothing) {
  for (const char* hash :
       {"", "scrypt$", "scrypt$AA", "plain$AA$AA", "scrypt$AA$!", "scrypt$AA$AA"}) {
    EXPECT_FALSE(is_password("", hash)) << hash;
  }
  EXPECT_EQ(hash_password(std::string(1'025, 'x')).error().code, Code::invalid);
}

}  // namespace
}  // namespace mayfly
