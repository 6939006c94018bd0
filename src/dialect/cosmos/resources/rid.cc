#include "dialect/cosmos/resources/rid.h"

#include <algorithm>

#include "base/crypto/crypto.h"

namespace mayfly::cosmos {
namespace {

constexpr std::size_t database_bytes = 4;
constexpr std::size_t container_bytes = 8;
constexpr std::size_t child_bytes = 16;
constexpr std::size_t attachment_bytes = 20;
constexpr std::size_t offer_bytes = 3;
constexpr std::size_t key_bytes = 12;  // of a client encryption key, in a database
constexpr char media_store = 1;
constexpr unsigned char container_bit = 0x80;
constexpr std::uint64_t number_mask = (std::uint64_t{1} << 60) - 1;

void put_big(std::uint32_t n, Bytes& out) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(n >> shift);
}

std::uint32_t take_big(BytesView bytes) {
  std::uint32_t n = 0;
  for (const char c : bytes.substr(0, 4)) n = n << 8 | static_cast<unsigned char>(c);
  return n;
}

std::uint64_t nibble_of(ResourceKind kind) {
  switch (kind) {
    case ResourceKind::partition_range: return 5;
    case ResourceKind::user_function: return 6;
    case ResourceKind::trigger: return 7;
    case ResourceKind::stored_procedure: return 8;
    case ResourceKind::conflict: return 4;
    default: return 0;
  }
}

bool has_container_bit(BytesView rid) {
  return rid.size() >= container_bytes && rid.size() != key_bytes &&
         (static_cast<unsigned char>(rid[database_bytes]) & container_bit) != 0;
}

}  // namespace

Bytes database_rid(DatabaseId database) {
  Bytes rid;
  put_big(database, rid);
  return rid;
}

Bytes container_rid(const Collection& collection) {
  Bytes rid = database_rid(collection.database);
  put_big(collection.id | std::uint32_t{container_bit} << 24, rid);
  return rid;
}

Bytes user_rid(DatabaseId database, std::uint32_t number) {
  Bytes rid = database_rid(database);
  put_big(number & ~(std::uint32_t{container_bit} << 24), rid);
  return rid;
}

Bytes child_rid(BytesView owner, ResourceKind kind, std::uint64_t number) {
  Bytes rid(owner);
  const std::uint64_t bits = (number & number_mask) | nibble_of(kind) << 60;
  for (int shift = 0; shift < 64; shift += 8) rid += static_cast<char>(bits >> shift);
  return rid;
}

Bytes attachment_rid(BytesView document_rid, std::uint32_t number) {
  Bytes rid(document_rid);
  put_big(number, rid);
  return rid;
}

Bytes offer_rid(std::uint32_t number) {
  Bytes rid;
  for (int shift = 0; shift < 24; shift += 8) rid += static_cast<char>(number >> shift);
  return rid;
}

std::string render_rid(BytesView rid) {
  std::string text = encode_base64(rid);
  std::replace(text.begin(), text.end(), '/', '-');
  return text;
}

std::optional<Bytes> parse_rid(std::string_view text) {
  std::string plain(text);
  std::replace(plain.begin(), plain.end(), '-', '/');
  auto bytes = decode_base64(plain);
  if (!bytes) return std::nullopt;
  const std::size_t size = bytes->size();
  const bool is_known = size == database_bytes || size == container_bytes || size == child_bytes ||
                        size == attachment_bytes || size == offer_bytes || size == key_bytes;
  if (!is_known) return std::nullopt;
  return *std::move(bytes);
}

std::optional<DatabaseId> database_of(BytesView rid) {
  if (rid.size() < database_bytes) return std::nullopt;
  return take_big(rid);
}

std::optional<CollectionId> container_of(BytesView rid) {
  if (!has_container_bit(rid)) return std::nullopt;
  return take_big(rid.substr(database_bytes)) & ~(std::uint32_t{container_bit} << 24);
}

std::optional<std::uint32_t> user_of(BytesView rid) {
  if (rid.size() < container_bytes || has_container_bit(rid)) return std::nullopt;
  return take_big(rid.substr(database_bytes));
}

std::optional<std::uint64_t> number_of(BytesView rid) {
  if (rid.size() != child_bytes) return std::nullopt;
  std::uint64_t bits = 0;
  for (std::size_t i = child_bytes; i > container_bytes; --i) {
    bits = bits << 8 | static_cast<unsigned char>(rid[i - 1]);
  }
  return bits & number_mask;
}

std::optional<std::uint32_t> offer_of(BytesView rid) {
  if (rid.size() != offer_bytes) return std::nullopt;
  std::uint32_t number = 0;
  for (std::size_t i = offer_bytes; i > 0; --i) {
    number = number << 8 | static_cast<unsigned char>(rid[i - 1]);
  }
  return number;
}

std::optional<AttachmentRid> attachment_of(BytesView rid) {
  if (rid.size() != attachment_bytes || !has_container_bit(rid)) return std::nullopt;
  return AttachmentRid{Bytes(rid.substr(0, child_bytes)), take_big(rid.substr(child_bytes))};
}

std::string media_id(BytesView attachment_rid) {
  return render_rid(Bytes(attachment_rid) + media_store);
}

std::optional<Bytes> attachment_of_media(std::string_view id) {
  std::string plain(id);
  std::replace(plain.begin(), plain.end(), '-', '/');
  auto bytes = decode_base64(plain);
  if (!bytes || bytes->size() != attachment_bytes + 1 || bytes->back() != media_store) {
    return std::nullopt;
  }
  bytes->pop_back();
  return *std::move(bytes);
}

}  // namespace mayfly::cosmos
