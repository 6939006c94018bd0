// Page tokens: which ones continue a list, and which are refused.
#include "dialect/common/page_token.h"

#include "db/private_table.h"
#include "db/rows/malformed.h"
#include "db/testing.h"
#include "dialect/common/limits.h"
#include "store/open.h"
#include "store/testing.h"
#include "store/wrappers/faulty.h"

namespace mayfly::testing {
namespace {

const PageTokens tokens("secret");

bool opens(const PageTokens& by, std::string_view list, std::string_view token) {
  return by.open(list, token, second(1'000)).has_value();
}

TEST(PageTokenTest, GivesThePositionThatItWasSealedWith) {
  for (const Bytes& place : {Bytes(), Bytes("a"), Bytes("\0\xFF\n", 3), Bytes(9 << 10, 'x')}) {
    const std::string token = tokens.seal({"list 1", place});
    EXPECT_EQ(must(tokens.open("list 1", token, second(1'000))), place);
    EXPECT_EQ(token.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                      "0123456789-_"),
              std::string::npos);
  }
}

TEST(PageTokenTest, OfAnotherListOrServerIsRefused) {
  const std::string token = tokens.seal({"list 1", "place"});
  EXPECT_TRUE(opens(tokens, "list 1", token));
  for (const std::string_view list : {"", "list", "list 11", "list 2", "LIST 1"}) {
    EXPECT_FALSE(opens(tokens, list, token)) << list;
  }
  EXPECT_FALSE(opens(PageTokens("another secret"), "list 1", token));
  EXPECT_FALSE(opens(PageTokens(""), "list 1", token));
  // The end of a list's name cannot be mistaken for the beginning of a position.
  EXPECT_FALSE(opens(tokens, "list 1p", tokens.seal({"list 1", "place"})));
}

TEST(PageTokenTest, ThatIsAlteredInASingleBitIsRefused) {
  const std::string token =
      tokens.seal({.list = "list 1", .place = "place", .good_until = second(2'000)});
  const Bytes bytes = must(decode_base64url(token));
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    Bytes altered = bytes;
    altered[bit / 8] = static_cast<char>(altered[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_FALSE(opens(tokens, "list 1", encode_base64url(altered))) << bit;
  }
  for (std::size_t size = 0; size < token.size(); ++size) {
    EXPECT_FALSE(opens(tokens, "list 1", token.substr(0, size))) << size;
  }
  for (const char* more : {"A", "AA", "=", " ", "\n"}) {
    EXPECT_FALSE(opens(tokens, "list 1", token + more)) << more;
  }
}

// A forged token, made by a client that knows the format but not the secret.
TEST(PageTokenTest, ThatIsForgedIsRefused) {
  Bytes about("\2", 1);
  put_text(about, "list 1");
  Bytes text;
  put_i64(text, Instant::never().micros);
  text += "place";
  const auto token_of = [&](const SealingKey& key, const Bytes& nonce) {
    return encode_base64url(nonce + key.seal(nonce, text, about));
  };
  const Bytes nonce(SealingKey::nonce_bytes, 'n');
  for (const char* guessed : {"", "guessed", "Secret"}) {
    EXPECT_FALSE(opens(tokens, "list 1", token_of({guessed, "page tokens"}, nonce)));
  }
  EXPECT_FALSE(opens(tokens, "list 1", token_of({"secret", ""}, nonce)));
  EXPECT_FALSE(opens(tokens, "list 1", encode_base64url(nonce + text + Bytes(16, '\0'))));
  EXPECT_TRUE(opens(tokens, "list 1", token_of({"secret", "page tokens"}, nonce)));
}

// Tokens of earlier versions were signed, and clients could read them.
TEST(PageTokenTest, OfBeforeIsRefused) {
  Bytes rest;
  put_i64(rest, Instant::never().micros);
  rest += "place";
  Bytes signed_text("\1", 1);
  put_text(signed_text, "list 1");
  const Bytes seal = hmac_sha256("secret", signed_text + rest).substr(0, 16);
  EXPECT_FALSE(opens(tokens, "list 1", encode_base64url(seal + rest)));
}

TEST(PageTokenTest, HidesItsPosition) {
  const Bytes place = "a place that nobody else should know";
  const std::string token = tokens.seal({"list 1", place});
  const Bytes bytes = must(decode_base64url(token));
  for (const char* word : {"place", "nobody", "list 1"}) {
    EXPECT_EQ(bytes.find(word), Bytes::npos) << word;
  }
  EXPECT_NE(tokens.seal({"list 2", place}), token);
  EXPECT_EQ(tokens.seal({"list 1", place}), token);
}

TEST(PageTokenTest, ExpiresAtItsInstant) {
  const std::string token =
      tokens.seal({.list = "list 1", .place = "place", .good_until = second(2'000)});
  EXPECT_TRUE(tokens.open("list 1", token, just_before(second(2'000))));
  const auto late = tokens.open("list 1", token, second(2'000));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, Code::invalid);
  const std::string endless = tokens.seal({"list 1", "place"});
  EXPECT_TRUE(tokens.open("list 1", endless, limits::instant_max));
}

TEST(PageTokenTest, ThatIsTooLargeIsRefused) {
  const std::string large = tokens.seal({"list 1", Bytes(limits::page_token_bytes_max, 'x')});
  EXPECT_FALSE(opens(tokens, "list 1", large));
  EXPECT_TRUE(tokens.open("list 1", large, second(1'000), 2 * limits::page_token_bytes_max));
}

TEST(PageTokenTest, ALargestBookmarkFits) {
  const std::string token = tokens.seal({"list 1", Bytes(limits::bookmark_bytes_max, 'x')});
  EXPECT_TRUE(opens(tokens, "list 1", token));
}

// --- the secret ---

TEST(PageSecretTest, StaysTheSameAfterARestart) {
  const store::testing::Directory directory;
  ManualClock clock(second(1'000));
  const auto start = [&] {
    auto store = must(store::open({.data = directory.text(), .free_disk_bytes_min = 0}));
    return must(Database::open(std::move(store), clock));
  };
  auto database = start();
  const std::string token = PageTokens::of(*database).seal({"list 1", "place"});
  EXPECT_TRUE(opens(PageTokens::of(*database), "list 1", token));
  must(database->persist_clock());
  database->store().sync(database->store().applied());
  database.reset();
  database = start();
  EXPECT_TRUE(opens(PageTokens::of(*database), "list 1", token));
}

TEST(PageSecretTest, IsAnotherOfEachDatabaseAndHidden) {
  World one, other;
  const std::string token = PageTokens::of(*one.database).seal({"list 1", "place"});
  EXPECT_FALSE(opens(PageTokens::of(*other.database), "list 1", token));
  const CatalogPtr catalog = one.database->catalog();
  EXPECT_EQ(catalog->find_database(std::string(server_database)), nullptr);
  EXPECT_EQ(catalog->databases().size(), 1U);
  const auto server = catalog->find_internal_database(std::string(server_database));
  ASSERT_NE(server, nullptr);
  EXPECT_EQ(catalog->database(server->id), nullptr);
}

TEST(PageSecretTest, ThatIsDamagedIsMadeAgain) {
  World w;
  const std::string token = PageTokens::of(*w.database).seal({"list 1", "place"});
  const auto server = w.database->catalog()->find_internal_database(std::string(server_database));
  const auto secrets = w.database->catalog()->find_internal(server->id, "secrets");
  must(w.put(secrets, "page tokens", R"({"key":"c2hvcnQ"})"));
  const std::uint64_t before = malformed_rows();
  const std::string next = PageTokens::of(*w.database).seal({"list 1", "place"});
  EXPECT_EQ(malformed_rows(), before + 1);
  EXPECT_TRUE(opens(PageTokens::of(*w.database), "list 1", next));
  EXPECT_FALSE(opens(PageTokens::of(*w.database), "list 1", token));
}

TEST(PageSecretTest, ThatCannotBeKeptIsGoodForTheProcess) {
  auto owned = std::make_unique<store::FaultyStore>(store::open_memory());
  store::FaultyStore& faulty = *owned;
  World w(std::move(owned));
  for (const store::StoreOperation kind :
       {store::StoreOperation::commit, store::StoreOperation::read}) {
    faulty.fail_all(kind, Code::no_space);
    const PageTokens unkept = PageTokens::of(*w.database);
    const std::string token = unkept.seal({"list 1", "place"});
    EXPECT_TRUE(opens(unkept, "list 1", token));
    faulty.clear();
    EXPECT_FALSE(opens(PageTokens::of(*w.database), "list 1", token));
  }
}

}  // namespace
}  // namespace mayfly::testing
