// Tests of certificates: a generated one suits clients, and a supplied one is checked.
#include "base/crypto/certificate.h"

#include <gtest/gtest.h>
#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <memory>

#include "base/threads/freed.h"

namespace mayfly {
namespace {

const Instant issued_at = Instant::from_seconds(1'772'186'400);  // 2026-02-27T10:00:00Z

std::string message_of(const Result<Identity>& read) {
  return read ? "taken" : read.error().field + ": " + read.error().message;
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; ++at) ++found;
  return found;
}

class GeneratedCertificate {
 public:
  explicit GeneratedCertificate(const Identity& identity) {
    const std::unique_ptr<BIO, Freed<BIO_free_all>> text(
        BIO_new_mem_buf(identity.certificate.c_str(), -1));
    x509_.reset(PEM_read_bio_X509(text.get(), nullptr, nullptr, nullptr));
  }
  bool is_for(const char* name) const {
    return X509_check_host(x509_.get(), name, 0, 0, nullptr) == 1;
  }
  bool is_for_address(const char* address) const {
    return X509_check_ip_asc(x509_.get(), address, 0) == 1;
  }
  bool may_sign_others() const { return X509_check_ca(x509_.get()) != 0; }
  bool has_signed_itself() const {
    return X509_verify(x509_.get(), X509_get0_pubkey(x509_.get())) == 1;
  }
  bool holds_at(Instant t) const {
    std::time_t seconds = t.whole_seconds();
    return X509_cmp_time(X509_get0_notBefore(x509_.get()), &seconds) < 0 &&
           X509_cmp_time(X509_get0_notAfter(x509_.get()), &seconds) > 0;
  }

 private:
  std::unique_ptr<X509, Freed<X509_free>> x509_;
};

TEST(CertificateTest, AGeneratedOneIsValidForThisMachineOnly) {
  const GeneratedCertificate made(make_identity("box.example", issued_at));
  EXPECT_TRUE(made.is_for("localhost"));
  EXPECT_TRUE(made.is_for("box.example"));
  EXPECT_FALSE(made.is_for("other.example"));
  EXPECT_TRUE(made.is_for_address("127.0.0.1"));
  EXPECT_TRUE(made.is_for_address("::1"));
  EXPECT_FALSE(made.is_for_address("127.0.0.2"));
  EXPECT_TRUE(made.has_signed_itself());
  EXPECT_FALSE(made.may_sign_others());
}

TEST(CertificateTest, AGeneratedOneIsValidForTenYears) {
  const Identity identity = make_identity("", issued_at);
  const GeneratedCertificate made(identity);
  EXPECT_TRUE(made.holds_at(issued_at - Span::seconds(3'600)));
  EXPECT_TRUE(made.holds_at(issued_at + Span::seconds(3'649LL * 86'400)));
  EXPECT_FALSE(made.holds_at(issued_at + Span::seconds(3'651LL * 86'400)));
  EXPECT_EQ(end_of(identity), issued_at + Span::seconds(3'650LL * 86'400));
}

TEST(CertificateTest, AnInvalidHostNameIsOmitted) {
  for (const char* name : {"", "a,DNS:bank.example", "two words", "localhost", "mit\nzeile"}) {
    const GeneratedCertificate made(make_identity(name, issued_at));
    EXPECT_TRUE(made.is_for("localhost"));
    EXPECT_FALSE(made.is_for("bank.example"));
  }
  EXPECT_TRUE(
      GeneratedCertificate(make_identity(std::string(300, 'a'), issued_at)).is_for("localhost"));
}

TEST(CertificateTest, EachGeneratedOneDiffers) {
  const Identity one = make_identity("", issued_at);
  const Identity other = make_identity("", issued_at);
  EXPECT_NE(one.certificate, other.certificate);
  EXPECT_NE(one.key, other.key);
}

TEST(CertificateTest, OnlyCertificatesOfTheFirstTextAndTheKeyOfTheSecondAreKept) {
  const Identity own = make_identity("", issued_at);
  const Identity root = make_identity("root.example", issued_at);
  const auto read = read_identity("first\n" + own.key + own.certificate + root.certificate + "last",
                                  own.certificate + own.key);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->certificate, own.certificate + root.certificate);
  EXPECT_EQ(read->key, own.key);
  EXPECT_EQ(count(read->certificate, "PRIVATE"), 0U);
}

TEST(CertificateTest, TheErrorNamesWhatIsMissingOrDoesNotMatch) {
  const Identity own = make_identity("", issued_at);
  const Identity other = make_identity("", issued_at);
  const std::string none = "certificate: there is no certificate in PEM";
  EXPECT_EQ(message_of(read_identity("", own.key)), none);
  EXPECT_EQ(message_of(read_identity("nonsense", own.key)), none);
  EXPECT_EQ(message_of(read_identity(own.certificate.substr(0, 100), own.key)), none);
  EXPECT_EQ(message_of(read_identity(own.certificate, own.certificate)),
            "key: there is no key in PEM that needs no password");
  EXPECT_EQ(message_of(read_identity(own.certificate, other.key)),
            "key: the key does not belong to the certificate");
  EXPECT_EQ(message_of(read_identity(own.certificate, own.key)), "taken");
}

TEST(CertificateTest, AKeyWithAPasswordIsRefusedWithoutAPrompt) {
  const Identity own = make_identity("", issued_at);
  const std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>> key(EVP_EC_gen("P-256"));
  const std::unique_ptr<BIO, Freed<BIO_free_all>> text(BIO_new(BIO_s_mem()));
  char password[] = "open sesame";
  ASSERT_EQ(PEM_write_bio_PKCS8PrivateKey(text.get(), key.get(), EVP_aes_128_cbc(), password,
                                          sizeof password - 1, nullptr, nullptr),
            1);
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(text.get(), &bytes);
  const std::string_view locked(bytes, static_cast<std::size_t>(size));
  EXPECT_EQ(message_of(read_identity(own.certificate, locked)),
            "key: there is no key in PEM that needs no password");
}

}  // namespace
}  // namespace mayfly
