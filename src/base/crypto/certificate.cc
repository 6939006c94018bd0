#include "base/crypto/certificate.h"

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <ctime>
#include <memory>

#include "base/check.h"
#include "base/threads/freed.h"

namespace mayfly {
namespace {

// The clock of a client may be behind, and would take a new certificate for one not valid yet.
constexpr Span begins_before = Span::seconds(86'400);
constexpr Span valid_for = Span::seconds(3'650LL * 86'400);
constexpr int serial_bits = 127;  // positive, and within the 20 bytes that RFC 5280 allows
constexpr std::size_t host_name_bytes_max = 253;  // RFC 1035

using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509_free>>;
using Text = std::unique_ptr<BIO, Freed<BIO_free_all>>;
using Number = std::unique_ptr<BIGNUM, Freed<BN_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Freed<X509_EXTENSION_free>>;

Text text_to_write() {
  Text text(BIO_new(BIO_s_mem()));
  CHECK(text != nullptr);
  return text;
}

Text text_to_read(std::string_view from) {
  Text text(BIO_new_mem_buf(from.data(), static_cast<int>(from.size())));
  CHECK(text != nullptr);
  return text;
}

std::string written(const Text& text) {
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(text.get(), &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

std::string render(X509& certificate) {
  const Text text = text_to_write();
  CHECK(PEM_write_bio_X509(text.get(), &certificate) == 1);
  return written(text);
}

std::string render(EVP_PKEY& key) {
  const Text text = text_to_write();
  CHECK(PEM_write_bio_PKCS8PrivateKey(text.get(), &key, nullptr, nullptr, 0, nullptr, nullptr) ==
        1);
  return written(text);
}

// Never prompts for a password: the process may have no terminal, or share one.
int no_password(char*, int, int, void*) {
  return -1;
}

Certificate next_certificate(const Text& text) {
  return Certificate(PEM_read_bio_X509(text.get(), nullptr, no_password, nullptr));
}

bool is_host_name(std::string_view name) {
  return !name.empty() && name.size() <= host_name_bytes_max &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '-' || c == '.';
         });
}

void extend(X509& certificate, int what, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, &certificate, &certificate, nullptr, nullptr, 0);
  const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, what, value.c_str()));
  CHECK(extension != nullptr);
  CHECK(X509_add_ext(&certificate, extension.get(), -1) == 1);
}

void describe(X509& certificate, std::string_view host_name) {
  std::string names = "DNS:localhost,IP:127.0.0.1,IP:::1";
  if (is_host_name(host_name) && host_name != "localhost")
    names += ",DNS:" + std::string(host_name);
  extend(certificate, NID_subject_alt_name, names);
  extend(certificate, NID_basic_constraints, "critical,CA:FALSE");
  extend(certificate, NID_ext_key_usage, "serverAuth");
  extend(certificate, NID_subject_key_identifier, "hash");
  extend(certificate, NID_authority_key_identifier, "keyid:always");
}

void set_localhost_name(X509& certificate) {
  X509_NAME* name = X509_get_subject_name(&certificate);
  const auto* common = reinterpret_cast<const unsigned char*>("localhost");
  CHECK(X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, common, -1, -1, 0) == 1);
  CHECK(X509_set_issuer_name(&certificate, name) == 1);
}

std::time_t seconds_of(Instant t) {
  return static_cast<std::time_t>(t.whole_seconds());
}

}  // namespace

Identity make_identity(std::string_view host_name, Instant now) {
  const Key key(EVP_EC_gen("P-256"));
  const Certificate certificate(X509_new());
  const Number serial(BN_new());
  CHECK(key != nullptr && certificate != nullptr && serial != nullptr);
  X509& x509 = *certificate;
  CHECK(X509_set_version(&x509, X509_VERSION_3) == 1);
  CHECK(BN_rand(serial.get(), serial_bits, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1);
  CHECK(BN_to_ASN1_INTEGER(serial.get(), X509_get_serialNumber(&x509)) != nullptr);
  CHECK(ASN1_TIME_set(X509_getm_notBefore(&x509), seconds_of(now - begins_before)) != nullptr);
  CHECK(ASN1_TIME_set(X509_getm_notAfter(&x509), seconds_of(now + valid_for)) != nullptr);
  CHECK(X509_set_pubkey(&x509, key.get()) == 1);
  set_localhost_name(x509);
  describe(x509, host_name);
  CHECK(X509_sign(&x509, key.get(), EVP_sha256()) > 0);
  return {render(x509), render(*key)};
}

Result<Identity> read_identity(std::string_view certificate, std::string_view key) {
  const Text certificates = text_to_read(certificate);
  const Certificate own = next_certificate(certificates);
  Identity identity;
  if (own != nullptr) identity.certificate = render(*own);
  for (Certificate other; own != nullptr && (other = next_certificate(certificates)) != nullptr;) {
    identity.certificate += render(*other);
  }
  const Text keys = text_to_read(key);
  const Key read(PEM_read_bio_PrivateKey(keys.get(), nullptr, no_password, nullptr));
  const bool belongs =
      own != nullptr && read != nullptr && X509_check_private_key(own.get(), read.get()) == 1;
  ERR_clear_error();  // reaching the end of the text sets an error
  if (own == nullptr) return fail(Code::invalid, "there is no certificate in PEM", "certificate");
  if (read == nullptr) {
    return fail(Code::invalid, "there is no key in PEM that needs no password", "key");
  }
  if (!belongs) return fail(Code::invalid, "the key does not belong to the certificate", "key");
  identity.key = render(*read);
  return identity;
}

Instant end_of(const Identity& identity) {
  const Certificate own = next_certificate(text_to_read(identity.certificate));
  CHECK(own != nullptr);
  std::tm end{};
  CHECK(ASN1_TIME_to_tm(X509_get0_notAfter(own.get()), &end) == 1);
  return Instant::from_seconds(timegm(&end));
}

}  // namespace mayfly
