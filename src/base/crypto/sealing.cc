#include "base/crypto/sealing.h"

#include <openssl/evp.h>

#include <memory>

#include "base/check.h"
#include "base/crypto/crypto.h"

namespace mayfly {
namespace {

struct FreeCipher {
  void operator()(EVP_CIPHER_CTX* cipher) const { EVP_CIPHER_CTX_free(cipher); }
};
using CipherPtr = std::unique_ptr<EVP_CIPHER_CTX, FreeCipher>;

const unsigned char* octets(BytesView bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}
unsigned char* octets(Bytes& bytes) {
  return reinterpret_cast<unsigned char*>(bytes.data());
}

// A cipher initialized with the key, the nonce and `about`.
CipherPtr initialized_cipher(bool is_sealing, BytesView key, BytesView nonce, BytesView about) {
  CHECK(key.size() == SealingKey::bytes && nonce.size() == SealingKey::nonce_bytes);
  CipherPtr cipher(EVP_CIPHER_CTX_new());
  CHECK(cipher != nullptr);
  CHECK(EVP_CipherInit_ex2(cipher.get(), EVP_aes_256_gcm(), octets(key), octets(nonce),
                           is_sealing ? 1 : 0, nullptr) == 1);
  int taken = 0;
  CHECK(about.empty() || EVP_CipherUpdate(cipher.get(), nullptr, &taken, octets(about),
                                          static_cast<int>(about.size())) == 1);
  return cipher;
}

// GCM produces as many bytes as it reads.
Bytes run_cipher(EVP_CIPHER_CTX* cipher, BytesView text) {
  Bytes out(text.size(), '\0');
  int written = 0;
  CHECK(text.empty() || EVP_CipherUpdate(cipher, octets(out), &written, octets(text),
                                         static_cast<int>(text.size())) == 1);
  CHECK(static_cast<std::size_t>(written) == text.size());
  return out;
}

}  // namespace

SealingKey::SealingKey(BytesView secret, std::string_view purpose)
    : key_(hmac_sha256(secret, purpose)) {}

Bytes SealingKey::seal(BytesView nonce, BytesView text, BytesView about) const {
  const CipherPtr cipher = initialized_cipher(true, key_, nonce, about);
  Bytes sealed = run_cipher(cipher.get(), text);
  Bytes tag(tag_bytes, '\0');
  int written = 0;
  CHECK(EVP_CipherFinal_ex(cipher.get(), octets(tag), &written) == 1 && written == 0);
  CHECK(EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_AEAD_GET_TAG, tag_bytes, tag.data()) == 1);
  return sealed += tag;
}

Result<Bytes> SealingKey::open(BytesView nonce, BytesView sealed, BytesView about) const {
  const auto refused = [] { return fail(Code::invalid, "what is sealed has been altered"); };
  if (nonce.size() != nonce_bytes || sealed.size() < tag_bytes) return refused();
  Bytes tag(sealed.substr(sealed.size() - tag_bytes));
  const CipherPtr cipher = initialized_cipher(false, key_, nonce, about);
  CHECK(EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_AEAD_SET_TAG, tag_bytes, tag.data()) == 1);
  Bytes text = run_cipher(cipher.get(), sealed.substr(0, sealed.size() - tag_bytes));
  unsigned char nothing[tag_bytes];
  int written = 0;
  if (EVP_CipherFinal_ex(cipher.get(), nothing, &written) != 1) return refused();
  return text;
}

}  // namespace mayfly
