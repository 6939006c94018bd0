#include "dialect/common/page_token.h"

#include "base/logging.h"
#include "db/private_table.h"
#include "dialect/common/limits.h"

namespace mayfly {
namespace {

constexpr std::string_view secrets_table = "secrets";  // REACHES DISK
constexpr std::uint8_t page_token_format = 1;
constexpr std::size_t seal_bytes = 16;
constexpr std::size_t before_place = seal_bytes + sizeof(std::int64_t);

// What page tokens are sealed with.
struct PageSecret {
  static constexpr std::size_t bytes = 32;

  Bytes key;

  static DocumentKey id() { return DocumentKey::of("page tokens"); }
  static PrivateSpec table() { return {.name = secrets_table, .database = server_database}; }
  static Result<PageSecret> decode(const Document& document) {
    const Value key = document.body.member("key");
    if (!key.is(Kind::text)) return not_as_written("key");
    Bytes decoded = TRY(decode_base64url(key.text()));
    if (decoded.size() != bytes) return not_as_written("key");
    return PageSecret{std::move(decoded)};
  }
  Result<Value> encode() const { return Value(Object{{"key", encode_base64url(key)}}); }
};

Result<Bytes> kept_page_secret(Database& database) {
  const auto table = TRY(PrivateTable<PageSecret>::ensure(database));
  PageSecret secret;
  TRY(database.transact([&](Transaction& transaction) -> Result<void> {
    if (auto kept = TRY(table.get(transaction.view(), PageSecret::id()))) {
      secret = *std::move(kept);
      return {};
    }
    secret.key = random_bytes(PageSecret::bytes);
    return table.put(transaction, PageSecret::id(), secret);
  }));
  return secret.key;
}

}  // namespace

PageTokens PageTokens::of(Database& database) {
  const auto kept = kept_page_secret(database);
  if (kept) return PageTokens(*kept);
  log(LogLevel::warn, "the secret of page tokens could not be kept: the next start makes one",
      {{"error", kept.error().message}});
  return PageTokens(random_bytes(PageSecret::bytes));
}

std::string PageTokens::seal(const PageToken& token) const {
  Bytes bytes = seal_of(token);
  put_i64(bytes, token.good_until.micros);
  bytes += token.place;
  return encode_base64url(bytes);
}

Result<Bytes> PageTokens::open(std::string_view list, std::string_view token, Instant now) const {
  const auto refused = [] {
    return fail(Code::invalid, "The page token is none that this list has given, or has ended.");
  };
  if (token.size() > limits::page_token_bytes_max) return refused();
  const auto bytes = decode_base64url(token);
  if (!bytes || bytes->size() < before_place) return refused();
  Reader in(*bytes);
  const BytesView seal = in.take(seal_bytes);
  const Instant good_until{in.i64()};
  Bytes place = bytes->substr(before_place);
  if (!constant_time_equal(seal, seal_of({list, place, good_until}))) return refused();
  if (now >= good_until) return refused();
  return place;
}

Bytes PageTokens::seal_of(const PageToken& token) const {
  Bytes text;
  text.push_back(page_token_format);
  put_text(text, token.list);
  put_i64(text, token.good_until.micros);
  text += token.place;
  return key_.sign(text).substr(0, seal_bytes);
}

}  // namespace mayfly
