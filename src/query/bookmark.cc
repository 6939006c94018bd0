#include "query/bookmark.h"

#include "base/limits.h"
#include "value/order/sort_key.h"

namespace mayfly::query {
namespace {

constexpr std::uint8_t format = 2;
constexpr std::size_t unnests_max = 64;

void put_position(Bytes& out, const AtKey& at) {
  out.push_back('k');
  put_text(out, at.key);
}
void put_position(Bytes& out, const AtEntry& at) {
  out.push_back('e');
  put_text(out, at.position);
}
void put_position(Bytes& out, const AtSorted& at) {
  out.push_back('s');
  put_varint(out, at.keys.size());
  for (const Bytes& key : at.keys) out += key;
  put_text(out, at.key);
}
void put_position(Bytes& out, const AtGroup& at) {
  out.push_back('g');
  put_varint(out, at.keys.size());
  for (const Bytes& key : at.keys) out += key;
}
void put_position(Bytes& out, const AtListed& at) {
  out.push_back('l');
  put_varint(out, at.done);
}
void put_position(Bytes& out, const AtCount&) {
  out.push_back('n');
}

// A key or a position in an index. An empty one is malformed.
Bytes take_non_empty_text(Reader& in) {
  const BytesView text = in.text();
  if (text.empty()) in.take(std::string::npos);
  return Bytes(text);
}

// Each key takes at least a byte, so a forged count cannot create more keys than there are bytes.
std::vector<Bytes> take_sort_keys(Reader& in) {
  std::vector<Bytes> keys;
  for (std::uint64_t left = in.varint(); left > 0 && in.ok(); --left) {
    keys.emplace_back(skip_sort_key(in));
  }
  return keys;
}

// Malformed bytes make the reader fail.
Position take_position(Reader& in) {
  switch (in.u8()) {
    case 'k': return AtKey{take_non_empty_text(in)};
    case 'e': return AtEntry{take_non_empty_text(in)};
    case 's': {
      AtSorted at{take_sort_keys(in), {}};
      at.key = take_non_empty_text(in);
      return at;
    }
    case 'g': return AtGroup{take_sort_keys(in)};
    case 'l': return AtListed{in.varint()};
    case 'n': return AtCount{};
    default: in.take(std::string::npos); return AtCount{};
  }
}

}  // namespace

Bytes encode(const Bookmark& bookmark) {
  Bytes out;
  out.push_back(format);
  put_u64(out, bookmark.query);
  put_i64(out, bookmark.snapshot.micros);
  put_u32(out, bookmark.choice.index);
  out.push_back(static_cast<char>(bookmark.choice.ties));
  put_varint(out, bookmark.rows_so_far);
  put_varint(out, bookmark.sliced);
  std::visit([&](const auto& at) { put_position(out, at); }, bookmark.position);
  put_varint(out, bookmark.ordinals.size());
  for (const std::uint32_t ordinal : bookmark.ordinals) put_varint(out, ordinal);
  put_varint(out, bookmark.values.size());
  for (const std::uint64_t value : bookmark.values) put_u64(out, value);
  return out;
}

Result<Bookmark> decode_bookmark(BytesView bytes) {
  const auto broken = [] { return fail(Code::invalid, "The bookmark is malformed."); };
  if (bytes.size() > limits::bookmark_bytes_max) return broken();
  Reader in(bytes);
  Bookmark bookmark;
  if (in.u8() != format) return broken();
  bookmark.query = in.u64();
  bookmark.snapshot = Instant{in.i64()};
  bookmark.choice.index = in.u32();
  const std::uint8_t ties = in.u8();
  bookmark.rows_so_far = in.varint();
  bookmark.sliced = in.varint();
  bookmark.position = take_position(in);
  const std::uint64_t unnests = in.varint();
  if (!in.ok() || unnests > unnests_max || ties > static_cast<std::uint8_t>(Ties::descending)) {
    return broken();
  }
  bookmark.choice.ties = static_cast<Ties>(ties);
  for (std::uint64_t i = 0; i < unnests; ++i) {
    bookmark.ordinals.push_back(static_cast<std::uint32_t>(in.varint()));
  }
  const std::uint64_t values = in.varint();
  if (!in.ok() || values > remembered_values_max) return broken();
  for (std::uint64_t i = 0; i < values; ++i) bookmark.values.push_back(in.u64());
  if (!in.done()) return broken();
  return bookmark;
}

}  // namespace mayfly::query
