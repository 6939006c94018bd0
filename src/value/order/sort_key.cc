// Sort keys.
//
//   key       := tag payload                    descending: every byte inverted
//   number    := double rest?
//   double    := 8 bytes, ordered: the greatest double that is not above the number
//   rest      := u16: what the number is above it, where doubles are wider apart than integers
//   text      := escaped                        binary the same
//   reference := escaped escaped
//   time      := i64
//   date      := u32, sign flipped
//   boolean   := 00 | 01                        missing, null, greatest null: nothing
//   array     := key* 00
//   object    := (01 escaped key)* 00           members by name
#include "value/order/sort_key.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "base/limits.h"
#include "value/order/order.h"

namespace mayfly {
namespace {

constexpr double two_to_53 = 9007199254740992.0;
constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
constexpr std::uint64_t nan_key = 0;  // below the key of -Infinity

// The terminator of a list; below every tag.
constexpr std::uint8_t list_end = 0;
constexpr std::uint8_t member_start = 1;
// Above the tag of every kind; not used within lists.
constexpr std::uint8_t greatest_null_tag = 0xE0;

// Whether there are whole numbers between this double and the next; then a rest follows.
bool has_rest(double d) {
  return (d >= two_to_53 && d < two_to_63) || (d <= -two_to_53 && d >= -two_to_63);
}

std::uint64_t ordered_bits(double d) {
  if (std::isnan(d)) return nan_key;
  if (d == 0) d = 0;  // not -0
  const auto bits = std::bit_cast<std::uint64_t>(d);
  return bits & sign_bit ? ~bits : bits | sign_bit;
}

double from_ordered_bits(std::uint64_t key) {
  if (key == nan_key) return std::numeric_limits<double>::quiet_NaN();
  return std::bit_cast<double>(key & sign_bit ? key ^ sign_bit : ~key);
}

// The greatest double that is not greater than n.
double floor_double(std::int64_t n) {
  const double near = static_cast<double>(n);
  return order_numbers(n, near) < 0 ? std::nextafter(near, -two_to_63 * 2) : near;
}

void put_number(Bytes& out, const Value& number) {
  const bool is_real = number.is(Kind::real);
  const double d = is_real ? number.real() : floor_double(number.integer());
  put_u64(out, ordered_bits(d));
  if (!has_rest(d)) return;
  const std::int64_t rest = is_real ? 0 : number.integer() - static_cast<std::int64_t>(d);
  out.push_back(static_cast<char>(rest >> 8));
  out.push_back(static_cast<char>(rest));
}

// Appends ascending keys; stops early if one becomes too long, which also bounds the recursion.
class KeyWriter {
 public:
  explicit KeyWriter(Bytes& out) : out_(out), start_(out.size()) {}

  bool put(const Value& value) {
    if (!fits()) return false;
    put_byte(sort_tag(value.kind()));
    switch (value.kind()) {
      case Kind::missing:
      case Kind::null: break;
      case Kind::boolean: put_byte(value.boolean() ? 1 : 0); break;
      case Kind::integer:
      case Kind::real: put_number(out_, value); break;
      case Kind::text: return put_text(value.text());
      case Kind::time: put_i64(out_, value.time().micros); break;
      case Kind::date:
        put_u32(out_, static_cast<std::uint32_t>(value.date().days) ^ (1U << 31));
        break;
      case Kind::binary: return put_text(value.binary().bytes);
      case Kind::reference:
        return put_text(value.reference().collection) && put_text(value.reference().id);
      case Kind::array: return put_items(value.array());
      case Kind::object: return put_members(value.object());
    }
    return fits();
  }

 private:
  bool fits() const { return out_.size() - start_ <= limits::indexed_bytes_max; }
  void put_byte(std::uint8_t byte) { out_.push_back(static_cast<char>(byte)); }

  bool put_text(std::string_view text) {
    if (text.size() > limits::indexed_bytes_max) return false;
    put_escaped(out_, text);
    return fits();
  }

  bool put_items(const Array& items) {
    if (++depth_ > limits::document_depth_max) return false;
    for (const Value& item : items) {
      if (!put(item)) return false;
    }
    --depth_;
    put_byte(list_end);
    return fits();
  }

  bool put_members(const Object& members) {
    if (++depth_ > limits::document_depth_max) return false;
    for (const Object::Member* member : members_by_name(members)) {
      put_byte(member_start);
      if (!put_text(member->first) || !put(member->second)) return false;
    }
    --depth_;
    put_byte(list_end);
    return fits();
  }

  Bytes& out_;
  std::size_t start_;
  std::size_t depth_ = 0;
};

// Walks over a key and validates it; every byte was XORed with `mask`.
class KeySkipper {
 public:
  KeySkipper(BytesView bytes, std::uint8_t mask) : bytes_(bytes), mask_(mask) {}

  std::size_t size() const { return at_; }

  bool skip() {
    const int tag = byte();
    if (tag < 0) return false;
    if (tag == sort_tag(Kind::missing) || tag == sort_tag(Kind::null)) return true;
    if (tag == greatest_null_tag) return depth_ == 0;
    if (tag == sort_tag(Kind::boolean)) return static_cast<unsigned>(byte()) <= 1;
    if (tag == sort_tag(Kind::integer)) return skip_number();
    if (tag == sort_tag(Kind::text) || tag == sort_tag(Kind::binary)) return skip_escaped();
    if (tag == sort_tag(Kind::time)) return skip_bytes(8);
    if (tag == sort_tag(Kind::date)) return skip_bytes(4);
    if (tag == sort_tag(Kind::reference)) return skip_escaped() && skip_escaped();
    if (tag == sort_tag(Kind::array) || tag == sort_tag(Kind::object)) {
      return skip_list(tag == sort_tag(Kind::object));
    }
    return false;
  }

 private:
  // The next byte, or -1 at the end.
  int byte() { return at_ < bytes_.size() ? static_cast<std::uint8_t>(bytes_[at_++]) ^ mask_ : -1; }
  bool skip_bytes(std::size_t n) {
    if (n > bytes_.size() - at_) return false;
    at_ += n;
    return true;
  }

  bool skip_number() {
    std::uint64_t key = 0;
    if (bytes_.size() - at_ < 8) return false;
    for (int i = 0; i < 8; ++i) key = key << 8 | static_cast<std::uint64_t>(byte());
    return !has_rest(from_ordered_bits(key)) || skip_bytes(2);
  }

  bool skip_escaped() {
    for (int c = byte(); c >= 0; c = byte()) {
      if (c != 0) continue;
      c = byte();
      if (c == 1) return true;
      if (c != 0xFF) return false;
    }
    return false;
  }

  bool skip_list(bool has_names) {
    if (++depth_ > limits::document_depth_max) return false;
    while (at_ < bytes_.size()) {
      if ((static_cast<std::uint8_t>(bytes_[at_]) ^ mask_) == list_end) {
        ++at_;
        --depth_;
        return true;
      }
      if (has_names && (byte() != member_start || !skip_escaped())) return false;
      if (!skip()) return false;
    }
    return false;
  }

  BytesView bytes_;
  std::uint8_t mask_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

Value read_number_key(Reader& in) {
  const double d = from_ordered_bits(in.u64());
  if (has_rest(d)) {
    const std::int64_t high = in.u8();
    const std::int64_t rest = high << 8 | in.u8();
    const __int128 whole = static_cast<__int128>(static_cast<std::int64_t>(d)) + rest;
    return static_cast<std::int64_t>(whole);
  }
  const bool is_whole = d == std::trunc(d) && std::fabs(d) < two_to_53;
  return is_whole ? Value(static_cast<std::int64_t>(d)) : Value(d);
}

// Decodes a key that a KeySkipper has validated.
Value read_key(Reader& in) {
  const std::uint8_t tag = in.u8();
  if (tag == sort_tag(Kind::null) || tag == greatest_null_tag) return Null();
  if (tag == sort_tag(Kind::boolean)) return in.u8() != 0;
  if (tag == sort_tag(Kind::integer)) return read_number_key(in);
  if (tag == sort_tag(Kind::text)) return in.escaped();
  if (tag == sort_tag(Kind::time)) return Instant{in.i64()};
  if (tag == sort_tag(Kind::date)) return Date{static_cast<std::int32_t>(in.u32() ^ (1U << 31))};
  if (tag == sort_tag(Kind::binary)) return Binary{in.escaped()};
  if (tag == sort_tag(Kind::reference)) {
    std::string collection = in.escaped();
    return Reference{std::move(collection), in.escaped()};
  }
  const auto ended = [&in] {
    return in.rest().empty() || static_cast<std::uint8_t>(in.rest()[0]) == list_end;
  };
  if (tag == sort_tag(Kind::array)) {
    Array items;
    while (!ended()) items.push_back(read_key(in));
    in.u8();
    return items;
  }
  if (tag == sort_tag(Kind::object)) {
    Object members;
    while (!ended()) {
      in.u8();
      std::string name = in.escaped();
      members.append(std::move(name), read_key(in));
    }
    in.u8();
    return members;
  }
  return Missing();
}

void invert(Bytes& bytes, std::size_t from) {
  for (std::size_t i = from; i < bytes.size(); ++i) bytes[i] = static_cast<char>(~bytes[i]);
}

}  // namespace

std::uint8_t sort_tag(Kind kind) {
  // Steps of eight leave room for new kinds; real shares its tag with integer.
  const int rank = static_cast<int>(kind == Kind::real ? Kind::integer : kind);
  return static_cast<std::uint8_t>(0x10 + rank * 8);
}

Result<void> put_sort_key(Bytes& out, const Value& value, bool descending) {
  const std::size_t start = out.size();
  if (!KeyWriter(out).put(value)) {
    out.resize(start);
    return fail(Code::too_large, fmt::format("a value that takes more than {} bytes in an index",
                                             limits::indexed_bytes_max));
  }
  if (descending) invert(out, start);
  return {};
}

void put_greatest_null(Bytes& out, bool descending) {
  out.push_back(static_cast<char>(descending ? ~greatest_null_tag : greatest_null_tag));
}

BytesView skip_sort_key(Reader& in, bool descending) {
  KeySkipper key(in.rest(), descending ? 0xFF : 0);
  if (key.skip()) return in.take(key.size());
  in.take(in.rest().size() + 1);
  return {};
}

Result<Value> take_sort_key(Reader& in, bool descending) {
  Bytes key(skip_sort_key(in, descending));
  if (key.empty()) return fail(Code::corrupt, "a malformed sort key");
  if (descending) invert(key, 0);
  Reader reader(key);
  return read_key(reader);
}

}  // namespace mayfly
