#include "base/crypto/crypto.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>

#include <array>
#include <cstdint>
#include <cstring>

#include "base/check.h"

namespace mayfly {
namespace {

using Digits = std::array<std::int16_t, 256>;  // the value of each byte as a digit; -1: no digit

constexpr std::size_t digest_bytes = 32;
constexpr std::string_view hex_digits = "0123456789abcdef";
constexpr std::string_view plain_digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view url_digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

constexpr Digits digit_values(std::string_view digits) {
  Digits worth{};
  for (auto& w : worth) w = -1;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    worth[static_cast<unsigned char>(digits[i])] = static_cast<std::int16_t>(i);
  }
  return worth;
}

const unsigned char* start_of(BytesView bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

// Without padding.
std::string encode_64(BytesView bytes, std::string_view digits) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  std::uint32_t buffer = 0;
  int bits = 0;
  for (const char c : bytes) {
    buffer = (buffer << 8) | static_cast<unsigned char>(c);
    for (bits += 8; bits >= 6; bits -= 6) text.push_back(digits[(buffer >> (bits - 6)) & 63]);
  }
  if (bits > 0) text.push_back(digits[(buffer << (6 - bits)) & 63]);
  return text;
}

// Takes text without padding. Refuses leftover bits that are not 0, which would be a second
// spelling of the same bytes.
Result<Bytes> decode_64(std::string_view text, const Digits& worth) {
  if (text.size() % 4 == 1) return fail(Code::invalid, "base64 of an impossible length");
  Bytes bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t buffer = 0;
  int bits = 0;
  for (const char c : text) {
    const int digit = worth[static_cast<unsigned char>(c)];
    if (digit < 0) return fail(Code::invalid, "base64 with a character that is none of its digits");
    buffer = (buffer << 6) | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes.push_back(static_cast<char>((buffer >> bits) & 0xFF));
    }
  }
  if ((buffer & ((1U << bits) - 1)) != 0)
    return fail(Code::invalid, "base64 with stray bits at its end");
  return bytes;
}

}  // namespace

Bytes sha1(BytesView text) {
  unsigned char out[20];
  CHECK(EVP_Digest(text.data(), text.size(), out, nullptr, EVP_sha1(), nullptr) == 1);
  return {reinterpret_cast<const char*>(out), sizeof out};
}

Bytes sha256(BytesView text) {
  Bytes digest(digest_bytes, '\0');
  auto* out = reinterpret_cast<unsigned char*>(digest.data());
  CHECK(EVP_Digest(text.data(), text.size(), out, nullptr, EVP_sha256(), nullptr) == 1);
  return digest;
}

struct HmacKey::State {
  explicit State(BytesView key) {
    static EVP_MAC* const hmac = EVP_MAC_fetch(nullptr, OSSL_MAC_NAME_HMAC, nullptr);
    CHECK(hmac != nullptr);
    prepared = EVP_MAC_CTX_new(hmac);
    std::string digest = "SHA256";
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest.data(), 0),
        OSSL_PARAM_construct_end()};
    // OpenSSL takes a null key for "the one used before": an empty one still needs an address.
    const unsigned char nothing = 0;
    const unsigned char* const start = key.empty() ? &nothing : start_of(key);
    CHECK(prepared != nullptr && EVP_MAC_init(prepared, start, key.size(), parameters) == 1);
  }
  ~State() { EVP_MAC_CTX_free(prepared); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  EVP_MAC_CTX* prepared = nullptr;
};

HmacKey::HmacKey(BytesView key) : state_(std::make_unique<State>(key)) {}
HmacKey::~HmacKey() = default;
HmacKey::HmacKey(HmacKey&&) noexcept = default;
HmacKey& HmacKey::operator=(HmacKey&&) noexcept = default;

Bytes HmacKey::sign(BytesView text) const {
  EVP_MAC_CTX* const copy = EVP_MAC_CTX_dup(state_->prepared);
  Bytes digest(digest_bytes, '\0');
  std::size_t size = 0;
  const bool is_signed =
      copy != nullptr && EVP_MAC_update(copy, start_of(text), text.size()) == 1 &&
      EVP_MAC_final(copy, reinterpret_cast<unsigned char*>(digest.data()), &size, digest_bytes) ==
          1;
  EVP_MAC_CTX_free(copy);
  CHECK(is_signed && size == digest_bytes);
  return digest;
}

bool HmacKey::has_signed(BytesView text, BytesView signature) const {
  return signature.size() == digest_bytes &&
         CRYPTO_memcmp(sign(text).data(), signature.data(), digest_bytes) == 0;
}

Bytes hmac_sha256(BytesView key, BytesView text) {
  return HmacKey(key).sign(text);
}

Bytes random_bytes(std::size_t n) {
  Bytes bytes(n, '\0');
  CHECK(RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(n)) == 1);
  return bytes;
}

bool constant_time_equal(BytesView a, BytesView b) {
  // All digests have the same length.
  return CRYPTO_memcmp(sha256(a).data(), sha256(b).data(), digest_bytes) == 0;
}

std::string encode_hex(BytesView bytes) {
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    text.push_back(hex_digits[static_cast<unsigned char>(c) >> 4]);
    text.push_back(hex_digits[static_cast<unsigned char>(c) & 15]);
  }
  return text;
}

std::string encode_hex(std::uint64_t number) {
  static constexpr auto of_byte = [] {
    std::array<char, 512> digits = {};
    for (std::size_t byte = 0; byte < 256; ++byte) {
      digits[2 * byte] = hex_digits[byte >> 4];
      digits[2 * byte + 1] = hex_digits[byte & 15];
    }
    return digits;
  }();
  std::array<char, 16> text;
  for (std::size_t i = text.size(); i != 0; i -= 2, number >>= 8) {
    std::memcpy(&text[i - 2], &of_byte[2 * (number & 255)], 2);
  }
  return {text.data(), text.size()};
}

std::string encode_base64(BytesView bytes) {
  std::string text = encode_64(bytes, plain_digits);
  while (text.size() % 4 != 0) text.push_back('=');
  return text;
}

std::string encode_base64url(BytesView bytes) {
  return encode_64(bytes, url_digits);
}

Result<Bytes> decode_hex(std::string_view text) {
  static constexpr Digits lower = digit_values(hex_digits);
  static constexpr Digits upper = digit_values("0123456789ABCDEF");
  if (text.size() % 2 != 0) return fail(Code::invalid, "hex of an odd length");
  Bytes bytes;
  bytes.reserve(text.size() / 2);
  int buffer = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const int digit = lower[c] >= 0 ? lower[c] : upper[c];
    if (digit < 0) return fail(Code::invalid, "hex with a character that is none of its digits");
    buffer = (buffer << 4 | digit) & 0xFF;
    if (i % 2 == 1) bytes.push_back(static_cast<char>(buffer));
  }
  return bytes;
}

Result<Bytes> decode_base64(std::string_view text) {
  static constexpr Digits worth = digit_values(plain_digits);
  if (text.size() % 4 != 0) return fail(Code::invalid, "base64 without its padding");
  // A third '=' remains and is refused, as it is no digit.
  for (int i = 0; i < 2 && !text.empty() && text.back() == '='; ++i) text.remove_suffix(1);
  return decode_64(text, worth);
}

Result<Bytes> decode_base64url(std::string_view text) {
  static constexpr Digits worth = digit_values(url_digits);
  return decode_64(text, worth);
}

}  // namespace mayfly
