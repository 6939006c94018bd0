// Sort keys: their order is that of the values, they show where they end, and they read back. Any
// bytes are refused, or read as a key.
#include "value/order/sort_key.h"

#include "base/limits.h"
#include "fuzz.h"
#include "value/order/order.h"
#include "values.h"

namespace mayfly::fuzz {
namespace {

int sign(std::strong_ordering order) {
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}
int sign(int order) {
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

// Nothing where it would be too long.
std::optional<Bytes> key_of(const Value& value, bool is_descending) {
  Bytes key = "before";
  const auto put = put_sort_key(key, value, is_descending);
  CHECK(key.starts_with("before"));
  key.erase(0, 6);
  CHECK(put.has_value() ? key.size() <= limits::indexed_bytes_max + 9 : key.empty());
  if (!put) CHECK(put.error().code == Code::too_large);
  return put ? std::optional(key) : std::nullopt;
}

void check_read_back(const Bytes& key, const Value& value, bool is_descending) {
  const Bytes followed = key + key;
  Reader in(followed);
  CHECK(skip_sort_key(in, is_descending) == key);
  const auto again = take_sort_key(in, is_descending);
  CHECK(again.has_value() && same(*again, value) && in.done());
}

// a and then b, as two fields of an index.
void check_pairs(const Value& a, const Value& b, bool is_descending) {
  const auto key_a = key_of(a, false), key_b = key_of(b, false);
  const auto second_a = key_of(a, is_descending), second_b = key_of(b, is_descending);
  if (!key_a || !key_b || !second_a || !second_b) return;
  check_read_back(*key_a, a, false);
  check_read_back(*second_b, b, is_descending);
  const int expected = sign(order(a, b));
  CHECK(sign(order(b, a)) == -expected);
  CHECK(sign(key_a->compare(*key_b)) == expected);
  CHECK(sign(second_a->compare(*second_b)) == (is_descending ? -expected : expected));
  CHECK(sign((*key_a + *second_b).compare(*key_b + *second_a)) == expected);
  CHECK(sign((*key_a + *second_a).compare(*key_a + *second_b)) ==
        (is_descending ? -expected : expected));
  CHECK(static_cast<std::uint8_t>((*key_a)[0]) == sort_tag(a.kind()));
  Bytes null;
  put_greatest_null(null, is_descending);
  CHECK(is_descending ? null < *second_a : null > *second_a);
}

// A value that is read from arbitrary bytes has a key, and can be decoded from it.
void check_any_bytes(BytesView bytes, bool is_descending) {
  Reader skipped(bytes), taken(bytes);
  const BytesView key = skip_sort_key(skipped, is_descending);
  const auto value = take_sort_key(taken, is_descending);
  CHECK(value.has_value() == !key.empty() && value.has_value() == skipped.ok());
  CHECK(taken.rest().size() == skipped.rest().size());
  if (!value) {
    CHECK(value.error().code == Code::corrupt);
    return;
  }
  if (const auto again = key_of(*value, is_descending))
    check_read_back(*again, *value, is_descending);
}

}  // namespace

void run(BytesView input) {
  Reader in(input);
  const bool is_descending = in.u8() % 2 == 1;
  check_any_bytes(in.rest(), is_descending);
  const Value a = take_value(in), b = take_value(in), c = take_value(in);
  check_pairs(a, b, is_descending);
  check_pairs(b, c, is_descending);
  check_pairs(a, a, is_descending);
  if (order(a, b) <= 0 && order(b, c) <= 0) CHECK(order(a, c) <= 0);
}

}  // namespace mayfly::fuzz
