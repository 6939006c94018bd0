// The data directory, opened to be served from, and the clock that it is served under.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "base/service/settings.h"
#include "db/database.h"

namespace mayfly::app {

// The clock that is asked for: none is the system's.
struct VirtualClock {
  std::optional<Instant> start;  // none: where the store has been, or else now
};
Result<std::optional<VirtualClock>> parse_clock(std::string_view asked);

struct Data {
  SystemClock system;
  std::optional<ManualClock> manual;  // none: the system's is used
  std::unique_ptr<Database> database;

  const Clock& used() const { return manual ? static_cast<const Clock&>(*manual) : system; }
};

// Opens the store, sees to it that its kind of clock fits, and once lets each dialect make its own
// data internal. Only this user can read what is made. Fails with invalid where the directory
// has lived under another kind of clock, and as opening the store does.
Result<std::unique_ptr<Data>> open_data(const Settings& settings,
                                        const std::optional<VirtualClock>& clock);

// From now on only this user can read what this process makes.
void keep_files_private();

}  // namespace mayfly::app
