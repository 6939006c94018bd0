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

tl::unexpected<Error> damaged() {
  return fail(Code::corrupt, "a row of the ledger of ends is damaged");
}

}  // namespace

std::int64_t tick_of(Instant t) {
  return floor_divide(t.micros, tick_micros);
}

std::int64_t first_tick_from(Instant t) {
  return ceil_divide(t.micros, tick_micros);
}

bool SlotId::operator<(const SlotId& other) const {
  return std::tie(order, level, number) < std::tie(other.order, other.level, other.number);
}

bool is_over(const SlotId& slot, Instant at) {
  if (slot.order == keys::EndOrder::never) return false;
  return slot.number < floor_divide(tick_of(at), level_ticks[slot.level]);
}

SlotId slot_of(keys::EndOrder order, std::uint8_t level, std::int64_t tick) {
  return {order, level, floor_divide(tick, level_ticks[level])};
}

FromTick split_from(std::int64_t tick) {
  FromTick split{};
  const std::int64_t minute = floor_divide(tick, level_ticks[0]);
  split.first_tick = tick - minute * level_ticks[0];
  if (split.first_tick != 0) split.minute = minute;
  std::int64_t from = split.first_tick == 0 ? minute : minute + 1;
  for (std::uint8_t level = 0; level + 1 < levels; ++level) {
    const std::int64_t per_next = level_ticks[level + 1] / level_ticks[level];
    const std::int64_t next = ceil_divide(from, per_next);
    if (from < next * per_next) split.whole.push_back({level, from, next * per_next});
    from = next;
  }
  split.whole.push_back({levels - 1, from, std::nullopt});
  return split;
}

std::int64_t SlotCount::from(std::int64_t tick_within) const {
  std::int64_t sum = 0;
  for (auto it = ticks.lower_bound(tick_within); it != ticks.end(); ++it) sum += it->second;
  return sum;
}

Bytes encode(const SlotCount& slot) {
  Bytes value;
  put_varint(value, static_cast<std::uint64_t>(slot.documents));
  std::int64_t before = 0;
  for (const auto& [tick, documents] : slot.ticks) {
    put_varint(value, static_cast<std::uint64_t>(tick - before));
    put_varint(value, static_cast<std::uint64_t>(documents));
    before = tick;
  }
  return value;
}

Result<SlotCount> decode_slot(BytesView value) {
  Reader in(value);
  SlotCount slot{.documents = static_cast<std::int64_t>(in.varint())};
  std::int64_t tick = 0;
  while (in.ok() && !in.done()) {
    tick += static_cast<std::int64_t>(in.varint());
    const auto documents = static_cast<std::int64_t>(in.varint());
    slot.ticks.emplace_hint(slot.ticks.end(), tick, documents);
  }
  if (!in.ok()) return damaged();
  return slot;
}

Result<std::int64_t> decode_slot_documents(BytesView value) {
  Reader in(value);
  const auto documents = static_cast<std::int64_t>(in.varint());
  if (!in.ok()) return damaged();
  return documents;
}

}  // namespace mayfly::ledger
