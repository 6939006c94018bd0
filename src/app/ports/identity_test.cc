// Tests of where the server's certificate comes from.
#include "app/ports/identity.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/settings/table.h"
#include "store/testing.h"

namespace mayfly::app {
namespace {

namespace fs = std::filesystem;

const Instant noon = Instant::from_seconds(1'772'186'400);  // 2026-02-27T10:00:00Z

class IdentityTest : public ::testing::Test {
 protected:
  IdentityTest() { fs::create_directories(directory.path()); }

  std::string path_of(const std::string& name) const { return (directory.path() / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_of(name)) << text;
    return path_of(name);
  }
  std::string read(const std::string& name) const {
    std::stringstream text;
    text << std::ifstream(path_of(name)).rdbuf();
    return text.str();
  }
  Identity own(Instant now) const { return own_identity(directory.text(), now); }

  // The result of these settings: the certificate, "none", or the error.
  static std::string configured(const std::string& certificate, const std::string& key) {
    const auto settings = Settings::resolve(
        settings_table(), {.flags = {{"tls.certificate", certificate}, {"tls.key", key}}});
    const auto identity = configured_identity(*settings);
    if (!identity) return identity.error().message;
    return *identity ? (*identity)->certificate : "none";
  }

  store::testing::Directory directory;
};

TEST_F(IdentityTest, TheServersOwnCertificateIsCreatedOnceAndKept) {
  const Identity first = own(noon);
  EXPECT_EQ(own(noon + Span::seconds(86'400)).certificate, first.certificate);
  EXPECT_EQ(own(noon).key, first.key);
  EXPECT_EQ(read("tls/certificate.pem"), first.certificate);
  EXPECT_EQ(read("tls/key.pem"), first.key);
}

TEST_F(IdentityTest, OnlyTheOwnerMayReadTheKey) {
  own(noon);
  struct stat file{};
  ASSERT_EQ(stat(path_of("tls/key.pem").c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777U, 0600U);
}

TEST_F(IdentityTest, AnExpiredCertificateIsReplaced) {
  const Identity first = own(noon);
  const Instant end = end_of(first);
  EXPECT_EQ(own(end - Span::seconds(1)).certificate, first.certificate);
  const Identity second = own(end);
  EXPECT_NE(second.certificate, first.certificate);
  EXPECT_EQ(own(end + Span::seconds(86'400)).certificate, second.certificate);
}

TEST_F(IdentityTest, ADamagedOrIncompleteCertificateIsReplaced) {
  const std::string first = own(noon).certificate;
  write("tls/certificate.pem", first.substr(0, first.size() / 2));
  const std::string second = own(noon).certificate;
  EXPECT_NE(second, first);
  fs::remove(path_of("tls/key.pem"));
  const std::string third = own(noon).certificate;
  EXPECT_NE(third, second);
  write("tls/key.pem", make_identity("", noon).key);
  const std::string fourth = own(noon).certificate;
  EXPECT_NE(fourth, third);
  EXPECT_EQ(own(noon).certificate, fourth);
}

TEST_F(IdentityTest, WithoutAWritableFolderThereIsACertificateAllTheSame) {
  write("tls", "a file where the folder should be");
  EXPECT_NE(own(noon).certificate, own(noon).certificate);
  EXPECT_NE(own_identity(":memory:", noon).certificate, "");
  EXPECT_FALSE(fs::exists(":memory:"));
}

TEST_F(IdentityTest, ConfiguredFilesAreUsed) {
  const Identity own = make_identity("", noon);
  EXPECT_EQ(configured("", ""), "none");
  EXPECT_EQ(configured(write("c.pem", own.certificate), write("k.pem", own.key)), own.certificate);
  const std::string both = write("both.pem", own.key + own.certificate);
  EXPECT_EQ(configured(both, both), own.certificate);
}

TEST_F(IdentityTest, UnusableFilesAreNamedInTheError) {
  const Identity own = make_identity("", noon);
  const std::string certificate = write("c.pem", own.certificate);
  const std::string key = write("k.pem", own.key);
  const std::string other = write("other.pem", make_identity("", noon).key);
  const std::string none = path_of("none.pem");
  EXPECT_EQ(configured(certificate, ""), "tls.certificate and tls.key go together: set tls.key");
  EXPECT_EQ(configured("", key), "tls.certificate and tls.key go together: set tls.certificate");
  EXPECT_EQ(configured(none, key),
            "tls.certificate: " + none + " cannot be read: No such file or directory");
  EXPECT_EQ(configured(certificate, directory.text()),
            "tls.key: " + directory.text() + " cannot be read: it is no file");
  EXPECT_EQ(configured(certificate, other),
            "tls.key, " + other + ": the key does not belong to the certificate");
  EXPECT_EQ(configured(key, key), "tls.certificate, " + key + ": there is no certificate in PEM");
}

}  // namespace
}  // namespace mayfly::app
