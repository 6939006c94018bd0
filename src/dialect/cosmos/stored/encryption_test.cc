// Keys and policies of client encryption, as the server stores and checks them.
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/testing.h"

namespace mayfly::cosmos::testing {
namespace {

const std::string encryption_keys = "/dbs/d/clientencryptionkeys";

std::string key_body(const std::string& id, const std::string& wrapped = "AAEC",
                     const std::string& algorithm = "AEAD_AES_256_CBC_HMAC_SHA256") {
  return R"({"id":")" + id + R"(","encryptionAlgorithm":")" + algorithm +
         R"(","wrappedDataEncryptionKey":")" + wrapped +
         R"(","keyWrapMetadata":{"type":"vault","name":"k","value":"url","algorithm":"RSA-OAEP"}})";
}

TEST(CosmosEncryption, KeysAreCreatedReadListedAskedForAndReplaced) {
  auto account = Account::with_container();
  const Answer made = account->send("POST", encryption_keys, key_body("k1"));
  EXPECT_EQ(made.status, 201) << made.response.body;
  EXPECT_EQ(account->send("POST", encryption_keys, key_body("k1")).status, 409);
  EXPECT_EQ(account->send("POST", encryption_keys, key_body("k2")).status, 201);
  const Answer read = account->send("GET", encryption_keys + "/k1");
  EXPECT_EQ(read.body.member("wrappedDataEncryptionKey").text(), "AAEC");
  EXPECT_EQ(read.header("etag"), made.header("etag"));
  const std::string self = made.body.member("_self").text();
  EXPECT_EQ(account->send("GET", "/" + self.substr(0, self.size() - 1)).body.member("id").text(),
            "k1");
  EXPECT_EQ(
      account->send("GET", encryption_keys).body.member("ClientEncryptionKeys").array().size(), 2U);
  const Answer found = account->send(
      "POST", encryption_keys, R"({"query":"SELECT * FROM c WHERE c.id = 'k2'"})",
      {{"x-ms-documentdb-isquery", "True"}, {"content-type", "application/query+json"}});
  EXPECT_EQ(found.body.member("_count").integer(), 1);
  const Answer changed = account->send("PUT", encryption_keys + "/k1", key_body("k1", "AwQF"),
                                       {{"if-match", made.header("etag")}});
  EXPECT_EQ(changed.body.member("wrappedDataEncryptionKey").text(), "AwQF");
  EXPECT_EQ(changed.body.member("_rid").text(), made.body.member("_rid").text());
  EXPECT_EQ(account
                ->send("PUT", encryption_keys + "/k1", key_body("k1"),
                       {{"if-match", made.header("etag")}})
                .status,
            412);
  EXPECT_EQ(account->send("PUT", encryption_keys + "/none", key_body("none")).status, 404);
  EXPECT_EQ(account->send("GET", encryption_keys + "/none").status, 404);
}

TEST(CosmosEncryption, KeysThatNoClientCouldUnwrapAreRefused) {
  auto account = Account::with_container();
  EXPECT_EQ(account->send("POST", encryption_keys, key_body("k", "?")).status, 400);
  EXPECT_EQ(account->send("POST", encryption_keys, key_body("k", "AAEC", "ROT13")).status, 400);
  const std::string without_metadata =
      R"({"id":"k","encryptionAlgorithm":"AEAD_AES_256_CBC_HMAC_SHA256","wrappedDataEncryptionKey":"AAEC"})";
  EXPECT_EQ(account->send("POST", encryption_keys, without_metadata).status, 400);
  const std::string large(limits::encryption_key_bytes_max, 'A');
  EXPECT_EQ(account->send("POST", encryption_keys, key_body("k", large)).status, 400);
  EXPECT_EQ(account->send("GET", encryption_keys).body.member("_count").integer(), 0);
  const std::string half = large.substr(0, large.size() / 2);
  EXPECT_EQ(account->send("POST", encryption_keys, key_body("k", half)).status, 201);
}

TEST(CosmosEncryption, KeysThatNoAddressReachesAreRefused) {
  auto account = Account::with_container();
  for (const char* id : {"", ".", "..", "a/b", "a?", "a "}) {
    EXPECT_EQ(account->send("POST", encryption_keys, key_body(id)).status, 400) << id;
  }
  for (const char* id : {"...", ".a", "a."}) {
    EXPECT_EQ(account->send("POST", encryption_keys, key_body(id)).status, 201) << id;
    EXPECT_EQ(account->send("GET", encryption_keys + "/" + id).status, 200) << id;
  }
}

TEST(CosmosEncryption, PoliciesAreCheckedAndStay) {
  auto account = std::make_unique<Account>();
  account->send("POST", "/dbs", R"({"id":"d"})");
  const auto row = [](const std::string& path, const std::string& type,
                      const std::string& algorithm = "AEAD_AES_256_CBC_HMAC_SHA256") {
    return R"({"path":")" + path + R"(","clientEncryptionKeyId":"k","encryptionType":")" + type +
           R"(","encryptionAlgorithm":")" + algorithm + "\"}";
  };
  const auto policy = [](int version, const std::string& rows) {
    return R"("clientEncryptionPolicy":{"policyFormatVersion":)" + std::to_string(version) +
           R"(,"includedPaths":[)" + rows + "]}";
  };
  const auto status = [&](int version, const std::string& rows) {
    return account->send("POST", containers, Account::definition(policy(version, rows))).status;
  };
  EXPECT_EQ(status(1, row("/id", "Deterministic")), 400);
  EXPECT_EQ(status(1, row("/pk", "Deterministic")), 400);
  EXPECT_EQ(status(2, row("/pk", "Randomized")), 400);
  EXPECT_EQ(status(3, row("/a", "Randomized")), 400);
  EXPECT_EQ(status(1, row("/a", "Plain")), 400);
  EXPECT_EQ(status(1, row("/a", "Randomized", "ROT13")), 400);
  EXPECT_EQ(status(1, row("/a/b", "Randomized")), 400);
  EXPECT_EQ(status(1, row("a", "Randomized")), 400);
  EXPECT_EQ(status(1, row("/a", "Randomized") + "," + row("/a", "Deterministic")), 400);
  const std::string good = row("/pk", "Deterministic") + "," + row("/id", "Deterministic") + "," +
                           row("/a", "Randomized");
  const Answer unknown = account->send("POST", containers, Account::definition(policy(2, good)));
  EXPECT_EQ(unknown.status, 400);
  EXPECT_NE(unknown.message().find("ClientEncryptionKey with id '[k]' does not exist."),
            std::string::npos)
      << unknown.message();
  EXPECT_EQ(account->send("GET", container).status, 404);
  EXPECT_EQ(account->send("POST", encryption_keys, key_body("k")).status, 201);
  EXPECT_EQ(status(2, good), 201);
  const Value kept = account->send("GET", container).body.member("clientEncryptionPolicy");
  EXPECT_EQ(kept.member("includedPaths").array().size(), 3U);
  EXPECT_EQ(account->send("PUT", container, Account::definition(policy(2, good))).status, 200);
  EXPECT_EQ(account->send("PUT", container, Account::definition()).status, 400);
}

}  // namespace
}  // namespace mayfly::cosmos::testing
