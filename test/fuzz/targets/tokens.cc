// Positions in lists, which clients send back: any text is refused, or read as exactly the position
// that was written. A token that was altered, has expired, or belongs to another list or key is
// refused.
#include "dialect/common/page_token.h"

#include "dialect/common/limits.h"
#include "fuzz.h"
#include "query/bookmark.h"

namespace mayfly::fuzz {
namespace {

constexpr Instant token_opened_at = Instant::from_seconds(1'800'000'000);

const PageTokens& sealed_by() {
  static const PageTokens tokens("secret");
  return tokens;
}

Result<Bytes> opened(std::string_view list, std::string_view token) {
  return sealed_by().open(list, token, token_opened_at);
}

void check_bookmark(BytesView bytes) {
  const auto bookmark = query::decode_bookmark(bytes);
  if (!bookmark) {
    CHECK(bookmark.error().code == Code::invalid);
    return;
  }
  const auto again = query::decode_bookmark(query::encode(*bookmark));
  CHECK(again.has_value() && *again == *bookmark);
}

// As a client may alter it: one character for another, one too many, one too few.
void check_sealed(BytesView place, Random& random) {
  const std::string token = sealed_by().seal({"list 1", place});
  if (token.size() > limits::page_token_bytes_max) return;
  CHECK(opened("list 1", token).value() == place);
  CHECK(!opened("list 2", token).has_value());
  CHECK(!PageTokens("another").open("list 1", token, token_opened_at).has_value());
  const std::string ended = sealed_by().seal({"list 1", place, token_opened_at});
  CHECK(!opened("list 1", ended).has_value());
  std::string altered = token;
  const std::size_t at = random.below(token.size());
  altered[at] = "abcXYZ019-_=+/ "[random.below(15)];
  CHECK(opened("list 1", altered).has_value() == (altered == token));
  CHECK(!opened("list 1", token + "A").has_value());
  CHECK(!opened("list 1", token.substr(0, token.size() - 1)).has_value());
}

// Each text that is decoded is the only one that stands for its bytes.
void check_text_forms(BytesView input) {
  if (const auto bytes = decode_base64(input)) CHECK(encode_base64(*bytes) == input);
  if (const auto bytes = decode_base64url(input)) CHECK(encode_base64url(*bytes) == input);
  if (const auto bytes = decode_hex(input)) {
    std::string lower(input);
    for (char& c : lower) c = c >= 'A' && c <= 'F' ? static_cast<char>(c | 0x20) : c;
    CHECK(encode_hex(*bytes) == lower);
  }
  CHECK(decode_base64(encode_base64(input)).value() == input);
  CHECK(decode_base64url(encode_base64url(input)).value() == input);
  CHECK(decode_hex(encode_hex(input)).value() == input);
}

}  // namespace

void run(BytesView input) {
  check_bookmark(input);
  check_text_forms(input);
  Random random(seed_of(input));
  check_sealed(input, random);
  CHECK(!opened("list 1", input).has_value());
}

}  // namespace mayfly::fuzz
