// Tests of sealing: what can be opened again, and what cannot.
#include "base/crypto/sealing.h"

#include <gtest/gtest.h>

#include "base/crypto/crypto.h"

namespace mayfly {
namespace {

const SealingKey key("secret", "a test");
const Bytes nonce(SealingKey::nonce_bytes, 'n');

TEST(SealingTest, OpeningReturnsTheSealedText) {
  for (const Bytes& text : {Bytes(), Bytes("a"), Bytes("\0\xFF\n", 3), Bytes(100'000, 'x')}) {
    const Bytes sealed = key.seal(nonce, text, "about");
    EXPECT_EQ(sealed.size(), text.size() + SealingKey::tag_bytes);
    EXPECT_EQ(key.open(nonce, sealed, "about").value(), text);
    EXPECT_EQ(key.open(nonce, key.seal(nonce, text, ""), "").value(), text);
  }
}

TEST(SealingTest, HidesTheText) {
  const Bytes sealed = key.seal(nonce, "the same word, the same word", "about");
  EXPECT_EQ(sealed.find("word"), Bytes::npos);
  EXPECT_NE(sealed, key.seal(Bytes(nonce.size(), 'm'), "the same word, the same word", "about"));
}

TEST(SealingTest, AnAlteredTextDoesNotOpen) {
  const Bytes sealed = key.seal(nonce, "text", "about");
  for (std::size_t bit = 0; bit < sealed.size() * 8; ++bit) {
    Bytes altered = sealed;
    altered[bit / 8] = static_cast<char>(altered[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_FALSE(key.open(nonce, altered, "about")) << bit;
  }
  for (std::size_t size = 0; size < sealed.size(); ++size) {
    EXPECT_FALSE(key.open(nonce, sealed.substr(0, size), "about")) << size;
  }
  EXPECT_FALSE(key.open(nonce, sealed, "abouT"));
  EXPECT_FALSE(key.open(Bytes(nonce.size(), 'm'), sealed, "about"));
  EXPECT_FALSE(key.open("short", sealed, "about"));
}

TEST(SealingTest, AnotherSecretOrPurposeIsAnotherKey) {
  const Bytes sealed = key.seal(nonce, "text", "about");
  EXPECT_FALSE(SealingKey("secret", "another test").open(nonce, sealed, "about"));
  EXPECT_FALSE(SealingKey("another secret", "a test").open(nonce, sealed, "about"));
  EXPECT_FALSE(SealingKey("", "a test").open(nonce, sealed, "about"));
  EXPECT_TRUE(SealingKey("secret", "a test").open(nonce, sealed, "about"));
}

}  // namespace
}  // namespace mayfly
