// Slots: the stretches of time for which the ledger counts living documents by their ends: a
// second, a minute, an hour, a day, 100 days and 10,000 days. So the number of documents that end
// at or after an instant is the sum of a few slots of each level, and of queue rows within a
// second.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/result.h"
#include "db/rows/keys.h"

namespace mayfly::ledger {

// The number of seconds in a slot of each level; each is a multiple of the one before. REACHES
// DISK: a slot's key contains its level and its number.
inline constexpr std::int64_t level_seconds[] = {1, 60, 3'600, 86'400, 8'640'000, 864'000'000};
inline constexpr std::uint8_t levels = 6;

// The second that contains an instant, as a number since 1970; …
std::int64_t second_of(Instant t);
// … and the first second that begins at that instant or later.
std::int64_t first_second_from(Instant t);

struct SlotId {
  keys::EndOrder order;
  std::uint8_t level = 0;
  std::int64_t number = 0;  // among the slots of its level; the slot that begins in 1970 is 0

  bool operator<(const SlotId& other) const;
};
SlotId slot_of(keys::EndOrder order, std::uint8_t level, std::int64_t second);
// Whether the whole slot is before the instant.
bool is_over(const SlotId& slot, Instant at);

// Consecutive slots of one level.
struct SlotRange {
  std::uint8_t level;
  std::int64_t from;
  std::optional<std::int64_t> to;  // exclusive; nothing: all slots from there on
};
// The fewest slots that cover a second and everything after it.
std::vector<SlotRange> slots_from(std::int64_t second);

// slot  := documents(varint)
Bytes encode_slot(std::int64_t documents);
// Fails with corrupt.
Result<std::int64_t> decode_slot(BytesView value);

}  // namespace mayfly::ledger
