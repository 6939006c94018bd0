#include "dialect/native/tokens.h"

#include "base/crypto.h"
#include "base/limits.h"

namespace mayfly::native {
namespace {

constexpr std::size_t check_bytes = 8;

Bytes check_of(std::string_view list, BytesView place) {
  Bytes both;
  put_text(both, list);
  both += place;
  return sha256(both).substr(0, check_bytes);
}

}  // namespace

std::string seal_place(std::string_view list, BytesView place) {
  return encode_base64url(check_of(list, place) + Bytes(place));
}

Result<Bytes> open_place(std::string_view list, std::string_view token) {
  const auto wrong = [] {
    return fail(Code::invalid, "\"page\" is not a 'next' that this list has given", "page");
  };
  if (token.size() > limits::bookmark_bytes_max) return wrong();
  const auto bytes = decode_base64url(token);
  if (!bytes || bytes->size() < check_bytes) return wrong();
  Bytes place = bytes->substr(check_bytes);
  if (bytes->substr(0, check_bytes) != check_of(list, place)) return wrong();
  return place;
}

}  // namespace mayfly::native
