#include "delivery/webhooks/signature.h"

#include "base/crypto/crypto.h"

namespace mayfly::delivery {
namespace {

constexpr std::string_view secret_prefix = "whsec_";
constexpr std::size_t secret_bytes = 24;  // whole groups of base64, and long enough

}  // namespace

std::optional<Bytes> webhook_key(std::string_view secret) {
  if (!secret.starts_with(secret_prefix)) return Bytes(secret);
  const std::string_view text = secret.substr(secret_prefix.size());
  for (const auto decode : {decode_base64url, decode_base64}) {
    if (auto key = decode(text)) return *std::move(key);
  }
  return std::nullopt;
}

std::string new_webhook_secret() {
  // About one in three has no character in which the two alphabets differ.
  while (true) {
    const std::string text = encode_base64url(random_bytes(secret_bytes));
    if (text.find_first_of("-_") == std::string::npos) return std::string(secret_prefix) + text;
  }
}

std::string sign_delivery(const std::vector<std::string>& secrets, std::string_view id,
                          std::int64_t seconds, std::string_view body) {
  const std::string signed_text =
      std::string(id) + "." + std::to_string(seconds) + "." + std::string(body);
  std::string signatures;
  for (const std::string& secret : secrets) {
    if (!signatures.empty()) signatures += ' ';
    signatures += "v1," + encode_base64(hmac_sha256(webhook_key(secret).value_or(Bytes(secret)),
                                                    signed_text));
  }
  return signatures;
}

}  // namespace mayfly::delivery
