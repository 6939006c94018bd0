#include "value/order/truncated_value.h"

#include <algorithm>

#include "base/check.h"

namespace mayfly {
namespace {

// What a sort key adds to a text: its tag, and the terminator of each part (sort_key.cc).
constexpr std::size_t tag_bytes = 1;
constexpr std::size_t end_bytes = 2;
constexpr std::size_t escaped_byte_max = 2;

// The longest prefix of a text that has at most `room` bytes when it is escaped.
struct EscapedPrefix {
  std::string_view text;
  std::size_t escaped_bytes = 0;
  bool is_certain = false;  // the whole text, and no longer text is cut to the same prefix
};
EscapedPrefix front_of(std::string_view text, std::size_t room) {
  EscapedPrefix front;
  std::size_t size = 0;
  for (; size < text.size(); ++size) {
    const std::size_t bytes = text[size] == '\0' ? escaped_byte_max : 1;
    if (front.escaped_bytes + bytes > room) break;
    front.escaped_bytes += bytes;
  }
  front.text = text.substr(0, size);
  front.is_certain = size == text.size() && front.escaped_bytes + escaped_byte_max <= room;
  return front;
}

TruncatedValue of_text(const std::string& text, std::size_t bytes_max) {
  const EscapedPrefix front = front_of(text, bytes_max - tag_bytes - end_bytes);
  return {Value(front.text), front.is_certain};
}

TruncatedValue of_binary(const Binary& binary, std::size_t bytes_max) {
  const EscapedPrefix front = front_of(binary.bytes, bytes_max - tag_bytes - end_bytes);
  return {Value(Binary{Bytes(front.text)}), front.is_certain};
}

// The id is kept only if the collection is complete: otherwise other collections are cut to the
// same prefix.
TruncatedValue of_reference(const Reference& reference, std::size_t bytes_max) {
  const std::size_t room = bytes_max - tag_bytes - 2 * end_bytes;
  const EscapedPrefix collection = front_of(reference.collection, room);
  if (!collection.is_certain) return {Value(Reference{std::string(collection.text), {}}), false};
  const EscapedPrefix id = front_of(reference.id, room - collection.escaped_bytes);
  return {Value(Reference{reference.collection, std::string(id.text)}), id.is_certain};
}

}  // namespace

TruncatedValue truncated_value(const Value& value, std::size_t bytes_max) {
  CHECK(bytes_max >= truncated_bytes_min);
  switch (value.kind()) {
    case Kind::text: return of_text(value.text(), bytes_max);
    case Kind::binary: return of_binary(value.binary(), bytes_max);
    case Kind::reference: return of_reference(value.reference(), bytes_max);
    case Kind::array: return {Value(Array()), false};
    case Kind::object: return {Value(Object()), false};
    default: return {value, true};
  }
}

bool is_never_truncated(Kind kind) {
  switch (kind) {
    case Kind::text:
    case Kind::binary:
    case Kind::reference:
    case Kind::array:
    case Kind::object: return false;
    default: return true;
  }
}

}  // namespace mayfly
