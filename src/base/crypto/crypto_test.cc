// Tests of crypto.h against the examples of the standards, and of every input that must be refused.
#include "base/crypto/crypto.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "base/limits.h"

namespace mayfly {
namespace {

constexpr std::string_view claims = R"({"sub":"a","exp":1})";

TEST(DigestTest, DigestsMatchTheExamplesOfTheStandards) {
  EXPECT_EQ(encode_hex(sha256("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(encode_hex(std::uint64_t{0x01ab}), "00000000000001ab");
  EXPECT_EQ(encode_hex(sha256("")),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  // RFC 4231, test case 2.
  EXPECT_EQ(encode_hex(hmac_sha256("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(encode_hex(hmac_sha256({}, {})),
            "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

TEST(HmacKeyTest, AKeySignsManyTextsAndVerifiesItsSignatures) {
  const HmacKey key("Jefe");
  for (const char* text : {"what do ya want for nothing?", "", "another"}) {
    const Bytes signature = key.sign(text);
    EXPECT_EQ(encode_hex(signature), encode_hex(hmac_sha256("Jefe", text)));
    EXPECT_TRUE(key.has_signed(text, signature));
    EXPECT_FALSE(key.has_signed("what else", signature));
    EXPECT_FALSE(key.has_signed(text, signature.substr(1)));
    EXPECT_FALSE(HmacKey("jefe").has_signed(text, signature));
  }
  EXPECT_FALSE(key.has_signed("", ""));
}

TEST(EqualTest, OnlyTheSameBytesAreEqual) {
  EXPECT_TRUE(constant_time_equal("", ""));
  EXPECT_TRUE(constant_time_equal("key", "key"));
  EXPECT_FALSE(constant_time_equal("key", "kez"));
  EXPECT_FALSE(constant_time_equal("key", "key1"));
  EXPECT_FALSE(constant_time_equal("key", ""));
  EXPECT_FALSE(constant_time_equal(BytesView("a\0", 2), "a"));
}

TEST(RandomBytesTest, TheyHaveTheRequestedLengthAndDiffer) {
  EXPECT_EQ(random_bytes(0), "");
  EXPECT_EQ(random_bytes(33).size(), 33U);
  EXPECT_NE(random_bytes(16), random_bytes(16));
}

TEST(Base64Test, TheExamplesOfTheRfcHold) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
      {"\xFB\xFF", "+/8="},
  };
  for (const auto& [bytes, text] : rows) {
    EXPECT_EQ(encode_base64(bytes), text);
    EXPECT_EQ(decode_base64(text), bytes);
  }
  EXPECT_EQ(encode_base64url("\xFB\xFF"), "-_8");
  EXPECT_EQ(decode_base64url("-_8"), "\xFB\xFF");
}

TEST(Base64Test, EverySecondSpellingIsRefused) {
  for (const char* text : {"Zg", "Zg=", "Zh==", "Zm9=", "Z===", "====", "=", "Zg==Zg==", "Zm9v\n",
                           " Zm9v", "Zm-_", "Zg==="}) {
    ASSERT_FALSE(decode_base64(text)) << text;
    EXPECT_EQ(decode_base64(text).error().code, Code::invalid);
  }
  for (const char* text : {"Zg==", "Zh", "Z", "Zm9vY", "Zm+/", "Zm9v "}) {
    EXPECT_FALSE(decode_base64url(text)) << text;
  }
}

TEST(HexTest, EitherCaseIsReadAndNothingElse) {
  EXPECT_EQ(encode_hex(""), "");
  EXPECT_EQ(encode_hex(BytesView("\x00\xAB", 2)), "00ab");
  EXPECT_EQ(decode_hex("AbcD"), "\xAB\xCD");
  EXPECT_FALSE(decode_hex("abc"));
  EXPECT_FALSE(decode_hex("0g"));
}

RC_GTEST_PROP(TextFormsPropertyTest, DecodingUndoesEncoding, (const std::string& bytes)) {
  RC_ASSERT(decode_hex(encode_hex(bytes)) == bytes);
  RC_ASSERT(decode_base64(encode_base64(bytes)) == bytes);
  RC_ASSERT(decode_base64url(encode_base64url(bytes)) == bytes);
}

RC_GTEST_PROP(TextFormsPropertyTest, EncodingUndoesDecoding, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::element('A', 'Q', 'w', '=', '/'));
  const Result<Bytes> bytes = decode_base64(text);
  if (bytes) RC_ASSERT(encode_base64(*bytes) == text);
}

// A token with this header, correctly signed.
std::string token_with_header(std::string_view header) {
  const std::string head = encode_base64url(header) + "." + encode_base64url(claims);
  return head + "." + encode_base64url(hmac_sha256("key", head));
}

TEST(JwtTest, TheTokenOfAnotherImplementationIsVerified) {
  // Made with Python's hmac and base64.
  const std::string token =
      "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhIiwiZXhwIjoxfQ.2Qsuy4_"
      "R0RPymwFCcMda5coy2cxJCt-3VqRhPbAPQ8U";
  EXPECT_EQ(sign_jwt(claims, "key"), token);
  EXPECT_EQ(verify_jwt(token, "key"), std::string(claims));
}

TEST(JwtTest, HeadersOfHs256AreAcceptedInAnySpelling) {
  for (const char* header : {R"({"alg":"HS256"})", R"({"typ":"JWT","alg":"HS256"})",
                             R"( { "alg" : "HS256" , "kid" : "k-1", "x": 1.5e3, "b": true } )"}) {
    EXPECT_TRUE(verify_jwt(token_with_header(header), "key")) << header;
  }
}

TEST(JwtTest, OtherHeadersAreRefused) {
  for (const char* header : {R"({"alg":"none"})",
                             R"({"alg":"HS512"})",
                             R"({"alg":"hs256"})",
                             R"({})",
                             "",
                             "[]",
                             "null",
                             R"({"typ":"JWT"})",
                             R"({"alg":"HS256","alg":"HS256"})",
                             R"({"alg":"none","alg":"HS256"})",
                             R"({"alg":"HS256","crit":"x"})",
                             R"({"alg":"HS256","crit":["x"]})",
                             R"({"alg":"HS256","jwk":{"a":1}})",
                             R"({"alg":HS256})",
                             R"({"alg":"HS256"}x)",
                             R"({"alg":"HS256")",
                             R"({"alg":"HS256",})",
                             R"({"\u0061lg":"HS256"})",
                             R"({"alg":"HS\u003256"})",
                             "{\"alg\":\"HS256\",\"a\":\"\x01\"}",
                             "{\"alg\":\"HS256\",\"a\":\"\xFF\"}",
                             R"({"alg":"HS256","a":nil})",
                             R"({"alg":"HS256","a":1.2.3})",
                             R"({"alg":"HS256","a":01})",
                             R"({"alg":"HS256","a":1.})",
                             R"({"alg":"HS256","a":-})",
                             R"({"alg":"HS256","a":1e})"}) {
    const auto verified = verify_jwt(token_with_header(header), "key");
    ASSERT_FALSE(verified) << header;
    EXPECT_EQ(verified.error().code, Code::unauthenticated) << header;
  }
}

TEST(JwtTest, ATokenThatIsNotSignedWithTheKeyIsRefused) {
  const std::string token = sign_jwt(claims, "key").value();
  const std::string unsigned_part = token.substr(0, token.rfind('.') + 1);
  std::vector<std::string> wrong = {
      "",
      ".",
      "..",
      "...",
      "a.b",
      token + ".",
      "." + token,
      token + "A",
      " " + token,
      unsigned_part,
      token.substr(0, token.size() - 1),
      unsigned_part + encode_base64url("x"),
      encode_base64url(R"({"alg":"none"})") + "." + encode_base64url(claims) + "."};
  for (std::size_t i = 0; i < token.size(); ++i) {
    wrong.push_back(token);
    wrong.back()[i] = token[i] == 'B' ? 'C' : 'B';
  }
  for (const std::string& text : wrong) {
    const auto verified = verify_jwt(text, "key");
    ASSERT_FALSE(verified) << text;
    EXPECT_EQ(verified.error().code, Code::unauthenticated);
  }
  EXPECT_FALSE(verify_jwt(token, "other key"));
}

TEST(JwtTest, AnEmptyKeyNeitherSignsNorVerifies) {
  EXPECT_EQ(sign_jwt(claims, "").error().code, Code::invalid);
  EXPECT_EQ(verify_jwt("a.b.c", "").error().code, Code::invalid);
}

TEST(JwtTest, ATokenHasABound) {
  const std::string large(limits::token_bytes_max, 'x');
  EXPECT_EQ(sign_jwt(large, "key").error().code, Code::too_large);
  const auto verified = verify_jwt(large + "x", "key");
  EXPECT_EQ(verified.error().code, Code::unauthenticated);
  EXPECT_NE(verified.error().message.find("token_bytes_max"), std::string::npos);
}

}  // namespace
}  // namespace mayfly
