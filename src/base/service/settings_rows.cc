// What a row of the table of settings says of its flag, its variable and its values, and the table
// as a page of documentation.
#include <cctype>

#include "base/service/settings.h"

namespace mayfly {
namespace {

std::string with_dashes(std::string_view name, char dash) {
  std::string text(name);
  for (char& c : text) {
    if (c == '.' || c == '_') c = dash;
  }
  return text;
}

std::string join_choices(const std::vector<std::string_view>& choices) {
  std::string text;
  for (const std::string_view choice : choices) {
    if (!text.empty()) text += " or ";
    text += choice;
  }
  return text;
}

}  // namespace

std::string flag_of(const SettingRow& row) {
  return "--" + with_dashes(row.name, '-');
}

std::string variable_of(const SettingRow& row) {
  std::string variable = std::string(variable_prefix) + with_dashes(row.name, '_');
  for (char& c : variable) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return variable;
}

std::string describe_kind(const SettingRow& row) {
  switch (row.kind) {
    case SettingKind::text: return row.choices.empty() ? "text" : join_choices(row.choices);
    case SettingKind::integer:
      return "a whole number from " + std::to_string(row.least) + " to " + std::to_string(row.most);
    case SettingKind::boolean: return "true or false";
    case SettingKind::port: return "a port from 0 to 65535 (0: any free one) or off";
    case SettingKind::list: return "a list of texts";
  }
  return "";
}

std::string render_settings_markdown(const Settings::Table& rows) {
  std::string page =
      "# Settings\n\n"
      "This page lists every setting of `mayfly serve`. It is generated from the table in the "
      "code.\n\n"
      "Set a setting by a flag, by an environment variable or in a TOML file that `--config` "
      "names.\n"
      "A flag wins over a variable, a variable over the file, the file over the default. In the "
      "file\n"
      "`native.port` is `port` in the table `[native]`, and a list is an array. You can repeat the "
      "flag\n"
      "of a list, or separate its values by commas. An unknown setting, a wrong value or an "
      "unknown\n"
      "variable `MAYFLY_…` is an error. So is a secret, a setting that is never shown, that you "
      "give\n"
      "without a value. Give the flag of a setting that takes true or false without a value or "
      "behind\n"
      "`=`: `--insecure` or `--insecure=true`, not `--insecure true`.\n\n"
      "| setting | flag | environment | takes | default | meaning |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  for (const SettingRow& row : rows) {
    page += "| `" + std::string(row.name) + "` | `" + flag_of(row) + "` | ";
    page += "`" + variable_of(row) + "` | " + describe_kind(row) + " | ";
    page += row.initial.empty() ? "" : "`" + std::string(row.initial) + "`";
    page += " | " + std::string(row.help) + (row.secret ? " Never shown." : "") + " |\n";
  }
  return page;
}

}  // namespace mayfly
