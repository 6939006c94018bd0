// The file of settings: any text is refused with the name of the setting, or gives values of the
// kinds in the table.
#include "base/service/settings.h"

#include <sys/mman.h>
#include <unistd.h>

#include "app/settings/table.h"
#include "fuzz.h"

namespace mayfly::fuzz {
namespace {

// A file in memory that every run rewrites.
std::string write_file(BytesView text) {
  static const int file = memfd_create("settings.toml", 0);
  CHECK(file >= 0 && ftruncate(file, 0) == 0);
  const auto size = static_cast<ssize_t>(text.size());
  CHECK(pwrite(file, text.data(), text.size(), 0) == size);
  return "/proc/self/fd/" + std::to_string(file);
}

void check_row(const Settings& settings, const SettingRow& row) {
  switch (row.kind) {
    case SettingKind::text: settings.text(row.name); break;
    case SettingKind::integer:
      CHECK(settings.integer(row.name) >= row.least && settings.integer(row.name) <= row.most);
      break;
    case SettingKind::boolean: settings.flag(row.name); break;
    case SettingKind::port: settings.port(row.name); break;
    case SettingKind::list: settings.list(row.name); break;
  }
  if (row.scope == SettingScope::not_in_file) {
    CHECK(settings.origin(row.name) == SettingOrigin::initial);
  }
}

}  // namespace

void run(BytesView input) {
  const Settings::Table& rows = app::settings_table();
  const auto settings = Settings::resolve(rows, {.file = write_file(input)});
  if (!settings) {
    const Error& error = settings.error();
    const bool has_empty_name = error.message.ends_with("there is no setting ");
    CHECK(error.code == Code::invalid && error.field.empty() == has_empty_name);
    return;
  }
  for (const SettingRow& row : rows) check_row(*settings, row);
  for (const Settings::Shown& shown : settings->shown()) {
    for (const SettingRow& row : rows) {
      const bool is_hidden = row.name == shown.name && row.secret && !shown.value.empty();
      if (is_hidden) CHECK(shown.value == "(hidden)");
    }
  }
  // What a file says, a flag says too.
  const Settings::Pair flag{"native.port", "7"};
  const auto with_flag = Settings::resolve(rows, {.file = write_file(input), .flags = {flag}});
  CHECK(with_flag.has_value() && with_flag->port("native.port") == 7);
}

}  // namespace mayfly::fuzz
