#include "app/server/data.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>

#include "app/dialects.h"
#include "base/service/logging.h"
#include "db/clock/clock_floor.h"
#include "db/clock/clock_limits.h"
#include "db/clock/database_clock.h"
#include "store/open.h"
#include "value/rfc3339.h"

namespace mayfly::app {

Result<std::optional<VirtualClock>> parse_clock(std::string_view text) {
  constexpr std::string_view with_time = "virtual:";
  if (text == "system") return std::nullopt;
  if (text == "virtual") return VirtualClock{};
  if (text.starts_with(with_time)) {
    auto time = parse_rfc3339(text.substr(with_time.size()));
    if (!time) return fail(Code::invalid, "clock: " + time.error().message, "clock");
    return VirtualClock{*time};
  }
  return fail(Code::invalid,
              "clock is system, virtual or virtual:TIME, not '" + std::string(text) + "'", "clock");
}

void keep_files_private() {
  umask(S_IRWXG | S_IRWXO);
}

namespace {

constexpr std::string_view in_memory = ":memory:";

// A directory that an earlier version created may be open to other users. It is left unchanged if
// this user may not change it.
void close_to_others(const std::string& data) {
  if (data == in_memory) return;
  std::error_code error;
  std::filesystem::permissions(data, std::filesystem::perms::owner_all, error);
}

// After a crash the floor may be slightly ahead of the machine's clock: waiting is better than a
// time that stands still. If it is far ahead, the machine's clock was set back.
void wait_for_floor(const Clock& machine, Instant floor) {
  const Span ahead = floor - machine.now();
  if (ahead <= Span{0} || ahead > limits::clock_floor_ahead) return;
  std::this_thread::sleep_for(std::chrono::microseconds(ahead.micros));
}

// Makes internal what earlier versions stored under names that users can choose.
Result<void> make_own_data_internal(Database& database) {
  std::vector<NameFromBefore> names;
  for (const DialectRow& row : dialects()) {
    names.insert(names.end(), row.names_from_before.begin(), row.names_from_before.end());
  }
  return database.move_names_from_before(names);
}

}  // namespace

Result<std::unique_ptr<Data>> open_data(const Settings& settings,
                                        const std::optional<VirtualClock>& clock) {
  keep_files_private();
  auto store = TRY(store::open(
      {.data = settings.text("data"),
       .cache_bytes_max = static_cast<std::size_t>(settings.integer("cache_mib")) << 20}));
  close_to_others(settings.text("data"));
  const ClockRecord note = TRY(read_clock_record(*store));
  auto data = std::make_unique<Data>();
  const ClockKind kind = clock ? ClockKind::manual : ClockKind::system;
  TRY(admit_clock(note, kind, data->system.now()));
  if (!clock) wait_for_floor(data->system, note.floor);
  // A virtual clock continues from the store's last instant, if that is later than its configured
  // start.
  if (clock) {
    // A whole second, so that the commits of a test, a microsecond apart, appear within one
    // millisecond.
    const Instant now = data->system.now().floor_second();
    if (clock->start && *clock->start < note.floor) {
      log(LogLevel::warn,
          "the clock starts at the time of the data, which is later than clock asks",
          {{"asked", render_rfc3339(*clock->start, Fraction::micros)},
           {"start", render_rfc3339(note.floor, Fraction::micros)}});
    }
    const Instant start = clock->start ? *clock->start : note.floor.micros == 0 ? now : note.floor;
    data->manual.emplace(std::max(start, note.floor));
  }
  data->database = TRY(Database::open(std::move(store), data->used(), true));
  // Stores the kind of clock, too. A stored virtual clock keeps its time.
  if (note.kind != ClockKind::manual) TRY(persist_clock_ahead(*data->database));
  TRY(make_own_data_internal(*data->database));
  return data;
}

}  // namespace mayfly::app
