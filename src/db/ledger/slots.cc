#include "db/ledger/slots.h"

#include <tuple>

namespace mayfly::ledger {
namespace {

std::int64_t floor_divide(std::int64_t n, std::int64_t by) {
  return n / by - (n % by < 0 ? 1 : 0);
}
std::int64_t ceil_divide(std::int64_t n, std::int64_t by) {
  return n / by + (n % by > 0 ? 1 : 0);
}

constexpr std::int64_t second_micros = 1'000'000;

}  // namespace

std::int64_t second_of(Instant t) {
  return floor_divide(t.micros, second_micros);
}

std::int64_t first_second_from(Instant t) {
  return ceil_divide(t.micros, second_micros);
}

bool SlotId::operator<(const SlotId& other) const {
  return std::tie(order, level, number) < std::tie(other.order, other.level, other.number);
}

SlotId slot_of(keys::EndOrder order, std::uint8_t level, std::int64_t second) {
  return {order, level, floor_divide(second, level_seconds[level])};
}

bool is_over(const SlotId& slot, Instant at) {
  if (slot.order == keys::EndOrder::never) return false;
  return slot.number < floor_divide(second_of(at), level_seconds[slot.level]);
}

std::vector<SlotRange> slots_from(std::int64_t second) {
  std::vector<SlotRange> ranges;
  std::int64_t from = second;
  for (std::uint8_t level = 0; level + 1 < levels; ++level) {
    const std::int64_t per_next = level_seconds[level + 1] / level_seconds[level];
    const std::int64_t next = ceil_divide(from, per_next);
    if (from < next * per_next) ranges.push_back({level, from, next * per_next});
    from = next;
  }
  ranges.push_back({levels - 1, from, std::nullopt});
  return ranges;
}

Bytes encode_slot(std::int64_t documents) {
  Bytes value;
  put_varint(value, static_cast<std::uint64_t>(documents));
  return value;
}

Result<std::int64_t> decode_slot(BytesView value) {
  Reader in(value);
  const auto documents = static_cast<std::int64_t>(in.varint());
  if (!in.done()) return fail(Code::corrupt, "a slot of a ledger of ends is damaged");
  return documents;
}

}  // namespace mayfly::ledger
