// Places in lists as clients carry them: any text is refused or goes on exactly where it says, and
// one that was altered is refused.
#include "dialect/native/tokens.h"

#include "base/crypto.h"
#include "fuzz.h"
#include "query/bookmark.h"

namespace mayfly::fuzz {
namespace {

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
  const std::string token = native::seal_place("list 1", place);
  if (token.size() > limits::bookmark_bytes_max) return;
  CHECK(native::open_place("list 1", token).value() == place);
  CHECK(!native::open_place("list 2", token).has_value());
  std::string altered = token;
  const std::size_t at = random.below(token.size());
  altered[at] = "abcXYZ019-_=+/ "[random.below(15)];
  const auto opened = native::open_place("list 1", altered);
  CHECK(opened.has_value() == (altered == token));
  CHECK(!native::open_place("list 1", token + "A").has_value());
  CHECK(!native::open_place("list 1", token.substr(0, token.size() - 1)).has_value());
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
  if (const auto place = native::open_place("list 1", input)) {
    CHECK(native::seal_place("list 1", *place) == input);
    check_bookmark(*place);
  }
}

}  // namespace mayfly::fuzz
