// The opened data directory, and the clock that the server uses.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "base/service/settings.h"
#include "db/database.h"

namespace mayfly::app {

// A requested virtual clock; without one the system clock is used.
struct VirtualClock {
  // nullopt: the last instant of the store, or now for a new store. If the last instant is later
  // than `start`, the clock starts there.
  std::optional<Instant> start;
};
Result<std::optional<VirtualClock>> parse_clock(std::string_view text);

struct Data {
  SystemClock system;
  std::optional<ManualClock> manual;  // nullopt: the system clock is used
  std::unique_ptr<Database> database;

  const Clock& used() const { return manual ? static_cast<const Clock&>(*manual) : system; }
};

// Opens the store and the database, and checks that the kind of clock matches. If earlier versions
// stored data of dialects under names that users can choose, this data gets internal names. Created
// files can be read by this user only. Fails with invalid if the directory was used with another
// kind of clock, and as opening the store does.
Result<std::unique_ptr<Data>> open_data(const Settings& settings,
                                        const std::optional<VirtualClock>& clock);

// From now on files that this process creates can be read by this user only.
void keep_files_private();

}  // namespace mayfly::app
