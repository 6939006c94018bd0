// Slots: the stretches of time in which the ledger counts living documents, by their ends. A slot
// of the first level is a minute and also says how many there are in each hundredth of a second of
// it; those of the other levels are an hour, a day, 100 days and 10,000 days. So the documents that
// end at or after an instant are the sum of a few rows of each level, and of queue rows within a
// hundredth of a second.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/result.h"
#include "db/rows/keys.h"

namespace mayfly::ledger {

// REACHES DISK, each in one way or another. Hundredths of a second in a slot of each level.
inline constexpr std::int64_t tick_micros = 10'000;
inline constexpr std::int64_t level_ticks[] = {6'000, 360'000, 8'640'000, 864'000'000,
                                               86'400'000'000};
inline constexpr std::uint8_t levels = 5;

// The tick in which an instant lies; the first tick that begins at it or later.
std::int64_t tick_of(Instant t);
std::int64_t first_tick_from(Instant t);

struct SlotId {
  keys::EndOrder order;
  std::uint8_t level = 0;
  std::int64_t number = 0;  // of the slot among those of its level; the one with tick 0 is 0

  bool operator<(const SlotId& other) const;
};
// Whether all of the slot lies before the instant.
bool is_over(const SlotId& slot, Instant at);
SlotId slot_of(keys::EndOrder order, std::uint8_t level, std::int64_t tick);

// Slots of one level, in a row.
struct SlotRange {
  std::uint8_t level;
  std::int64_t from;
  std::optional<std::int64_t> to;  // not included; nothing: all that follow
};
// A tick and everything behind it: first the rest of its minute in ticks, then whole slots.
struct FromTick {
  std::int64_t first_tick;  // of the slot `minute`, where the tick does not begin one
  std::optional<std::int64_t> minute;
  std::vector<SlotRange> whole;
};
FromTick split_from(std::int64_t tick);

// How many documents a slot holds; of a minute, also in which of its ticks.
struct SlotCount {
  std::int64_t documents = 0;
  std::map<std::int64_t, std::int64_t> ticks = {};  // by tick within the minute

  std::int64_t from(std::int64_t tick_within) const;
};
// slot  := documents(varint) (gap(varint) documents(varint))*    of a minute: its ticks in order
Bytes encode(const SlotCount& slot);
// Fails with corrupt.
Result<SlotCount> decode_slot(BytesView value);
// Just how many there are.
Result<std::int64_t> decode_slot_documents(BytesView value);

}  // namespace mayfly::ledger
