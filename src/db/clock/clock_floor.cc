#include "db/clock/clock_floor.h"

#include <algorithm>

#include "db/clock/clock_limits.h"
#include "db/rows/format.h"
#include "db/rows/keys.h"
#include "db/rows/records.h"

namespace mayfly {
namespace {

constexpr char system_byte = 's';
constexpr char virtual_byte = 'v';
constexpr char released_byte = 'r';

constexpr std::string_view clock_remedy =
    "name another --data, or run 'mayfly clock release --data DIR' first (docs/operations.md)";

Error refused_clock(std::string_view why) {
  return {Code::invalid, std::string(why) + "; " + std::string(clock_remedy), "clock"};
}

}  // namespace

void ClockFloor::update_durable(const store::Store& store) {
  if (newest_.version != 0 && store.durable() >= newest_.version) {
    durable_through_ = newest_.through;
  }
}

void ClockFloor::wrote(Instant through, store::Version version, const store::Store& store) {
  const std::lock_guard lock(mutex_);
  update_durable(store);
  newest_ = {through, version};
  // The row holds what was written last, even if that is less.
  durable_through_ = std::min(durable_through_, through);
}

store::Version ClockFloor::covering(Instant latest, const store::Store& store) {
  if (records::to_version(latest) <= store.durable()) return 0;
  const std::lock_guard lock(mutex_);
  update_durable(store);
  if (latest <= durable_through_) return 0;
  if (latest <= newest_.through) return newest_.version;
  return records::to_version(latest);
}

Bytes encode_clock_record(std::optional<ClockKind> kind, Instant through) {
  Bytes value(1, !kind ? released_byte : *kind == ClockKind::manual ? virtual_byte : system_byte);
  put_i64(value, through.micros);
  return value;
}

Result<ClockRecord> read_clock_record(store::Store& store) {
  ClockRecord note{.floor = records::to_instant(store.applied())};
  Bytes value;
  if (TRY(store.get(keys::clock_floor(), value, nullptr)) == 0) return note;
  if (value.empty()) return note;  // rows of the first versions are empty
  Reader in(value);
  const char kind = static_cast<char>(in.u8());
  const Instant through{in.i64()};
  if (!in.ok() || (kind != system_byte && kind != virtual_byte && kind != released_byte)) {
    return fail(Code::corrupt, "the row of the clock's floor is damaged");
  }
  note.floor = std::max(note.floor, through);
  note.is_released = kind == released_byte;
  if (kind == system_byte) note.kind = ClockKind::system;
  if (kind == virtual_byte) note.kind = ClockKind::manual;
  return note;
}

Result<void> admit_clock(const ClockRecord& note, ClockKind kind, Instant machine_now) {
  if (note.is_released || note.kind == kind) return {};
  if (note.kind == ClockKind::manual) {
    return tl::unexpected(refused_clock(
        "the data directory has lived under a virtual clock; under the machine's, its time "
        "could stand still until the machine's has caught up"));
  }
  if (note.kind == ClockKind::system) {
    return tl::unexpected(refused_clock(
        "the data directory has lived under the machine's clock; a virtual one would lead "
        "its time away from the machine's"));
  }
  if (kind == ClockKind::system && note.floor - machine_now > limits::clock_ahead_unrecorded_max) {
    return tl::unexpected(refused_clock(
        "the time of the data directory is far ahead of the machine's, as a virtual clock "
        "leaves it; it would stand still until the machine's has caught up"));
  }
  return {};
}

Result<void> release_clock(store::Store& store) {
  if (TRY(read_format(store)) == Format::none) return {};
  const ClockRecord note = TRY(read_clock_record(store));
  store::CommitBatch batch{.version = store.applied() + 1,
                           .space = store::CommitBatch::Space::less};
  batch.puts.push_back({keys::clock_floor(), encode_clock_record(std::nullopt, note.floor)});
  TRY(store.commit(batch));
  store.sync(batch.version);
  return {};
}

}  // namespace mayfly
