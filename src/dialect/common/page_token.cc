#include "dialect/common/page_token.h"

#include "base/service/logging.h"
#include "db/private_table.h"

namespace mayfly {
namespace {

constexpr std::string_view secrets_table = "secrets";  // REACHES DISK
constexpr std::uint8_t page_token_format = 2;

// The list for which a token is valid.
Bytes about_list(std::string_view list) {
  Bytes about;
  about.push_back(page_token_format);
  put_text(about, list);
  return about;
}

// The stored secret that page tokens are sealed with.
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

PageTokens::PageTokens(BytesView secret)
    : key_(secret, "page tokens"), nonces_(hmac_sha256(secret, "nonces of page tokens")) {}

std::string PageTokens::seal(const PageToken& token) const {
  const Bytes about = about_list(token.list);
  Bytes text;
  put_i64(text, token.good_until.micros);
  text += token.place;
  Bytes bytes = nonces_.sign(about + text).substr(0, SealingKey::nonce_bytes);
  bytes += key_.seal(bytes, text, about);
  return encode_base64url(bytes);
}

Result<Bytes> PageTokens::open(std::string_view list, std::string_view token, Instant now,
                               std::size_t bytes_max) const {
  const auto refused = [] {
    return fail(Code::invalid, "The page token is none that this list has given, or has ended.");
  };
  if (token.size() > bytes_max) return refused();
  const auto bytes = decode_base64url(token);
  if (!bytes || bytes->size() < SealingKey::nonce_bytes) return refused();
  Reader in(*bytes);
  const BytesView nonce = in.take(SealingKey::nonce_bytes);
  const auto text = key_.open(nonce, in.rest(), about_list(list));
  if (!text) return refused();
  Reader held(*text);
  const Instant good_until{held.i64()};
  if (!held.ok() || now >= good_until) return refused();
  return Bytes(held.rest());
}

}  // namespace mayfly
