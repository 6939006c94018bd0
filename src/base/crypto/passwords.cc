// hash := "scrypt$" base64url(salt) "$" base64url(key)
#include "base/crypto/passwords.h"

#include <openssl/evp.h>

#include "base/check.h"
#include "base/crypto/crypto.h"

namespace mayfly {
namespace {

constexpr std::string_view prefix = "scrypt$";
constexpr std::size_t salt_bytes = 16;
constexpr std::size_t key_bytes = 32;
constexpr std::size_t password_bytes_max = 1'024;  // a longer one only costs computing time
// 16 MiB and about 50 ms: too expensive for guessing many passwords, acceptable for one login.
constexpr std::uint64_t cost = 1 << 14;
constexpr std::uint64_t block = 8;
constexpr std::uint64_t parallel = 1;
constexpr std::uint64_t memory_max = 64 << 20;

Bytes key_of(std::string_view password, BytesView salt) {
  Bytes key(key_bytes, '\0');
  const int derived = EVP_PBE_scrypt(password.data(), password.size(),
                                     reinterpret_cast<const unsigned char*>(salt.data()),
                                     salt.size(), cost, block, parallel, memory_max,
                                     reinterpret_cast<unsigned char*>(key.data()), key.size());
  CHECK(derived == 1);
  return key;
}

}  // namespace

Result<std::string> hash_password(std::string_view password) {
  if (password.size() > password_bytes_max) {
    return fail(Code::invalid, "a password has at most 1024 bytes", "password");
  }
  const Bytes salt = random_bytes(salt_bytes);
  return std::string(prefix) + encode_base64url(salt) + '$' +
         encode_base64url(key_of(password, salt));
}

bool is_password(std::string_view password, std::string_view hash) {
  if (!hash.starts_with(prefix) || password.size() > password_bytes_max) return false;
  hash.remove_prefix(prefix.size());
  const auto end = hash.find('$');
  if (end == std::string_view::npos) return false;
  const auto salt = decode_base64url(hash.substr(0, end));
  const auto key = decode_base64url(hash.substr(end + 1));
  return salt && key && constant_time_equal(key_of(password, *salt), *key);
}

}  // namespace mayfly
