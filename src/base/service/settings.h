// Settings: one row each, which defines the flag, the environment variable, the entry in the file,
// the validation and the documentation. The application supplies the table.
//
// A setting's value comes from the strongest source that has it: a flag, else the environment, else
// the file, else the default. A list comes from one source as a whole; two sources are never
// joined.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"

namespace mayfly {

enum class SettingKind {
  text,
  integer,  // between `least` and `most`
  boolean,  // true or false; as a flag or variable also 1 or 0
  port,     // 0 to 65535, where 0 is any free one, or `off`
  list      // texts; separated by commas within one text, an array in the file
};

enum class SettingScope {
  everywhere,
  not_in_file  // a flag or a variable only
};

struct SettingRow {
  std::string_view name;  // words and dots: `native.port` is `port` in the file's table `native`
  SettingKind kind = SettingKind::text;
  std::string_view initial;                    // the default, as text
  std::string_view help;                       // a sentence or two
  std::string_view placeholder = {};           // for the value in the help text: DIR
  std::vector<std::string_view> choices = {};  // of a text; empty: any value
  std::int64_t least = 0;                      // of an integer
  std::int64_t most = 2'147'483'647;
  bool secret = false;  // its value is never shown, and must not be empty if it is set
  SettingScope scope = SettingScope::everywhere;
};

// The beginning of the name of each environment variable of Mayfly.
constexpr std::string_view variable_prefix = "MAYFLY_";

// `--native-port` and `MAYFLY_NATIVE_PORT` for `native.port`.
std::string flag_of(const SettingRow& row);
std::string variable_of(const SettingRow& row);

enum class SettingOrigin { initial, file, environment, flag };

// The settings of one process. Immutable; threads: any.
class Settings {
 public:
  using Table = std::vector<SettingRow>;
  using Pair = std::pair<std::string, std::string>;

  struct Sources {
    std::string file = {};  // a path to TOML; empty: no file
    std::vector<Pair> environment =
        {};  // the whole environment; names without our prefix are ignored
    std::vector<std::string_view> other_variables = {};  // MAYFLY_… variables that are no settings
    std::vector<Pair> flags = {};  // a setting's name and a value; for a list, a name may repeat
  };

  // Fails with invalid, and the setting's name as the error's field, for: a value of the wrong
  // kind, out of range or not among the choices; a secret that is set but empty; a repeated flag
  // that is no list; a name in the file that has no row; a variable MAYFLY_… that is neither a
  // row's nor in `other_variables`. Ignores the variables by which container platforms describe a
  // service named mayfly. Also fails with invalid if the file cannot be read.
  static Result<Settings> resolve(const Table& rows, const Sources& sources);

  // Checked: the row exists and is of that kind.
  const std::string& text(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  bool flag(std::string_view name) const;
  const std::vector<std::string>& list(std::string_view name) const;
  std::optional<std::uint16_t> port(std::string_view name) const;  // none: off
  SettingOrigin origin(std::string_view name) const;

  struct Shown {
    std::string_view name;
    std::string value;  // "(hidden)" where it is a secret
    SettingOrigin origin;
  };
  // All settings in the order of the table, for the log and for users who want to see the values in
  // effect.
  std::vector<Shown> shown() const;

 private:
  friend class SettingsResolver;
  using Port = std::optional<std::uint16_t>;
  using Value = std::variant<std::string, std::int64_t, bool, std::vector<std::string>, Port>;
  struct Entry {
    SettingRow row;
    Value value;
    std::string source_text;  // the original text, for shown()
    SettingOrigin origin = SettingOrigin::initial;
  };
  const Entry& entry(std::string_view name) const;

  std::vector<Entry> entries_;
};

// The word for an origin: default, file, environment, flag.
std::string_view name_of(SettingOrigin origin);
// "a whole number from 1 to 64": the values that a row accepts, for help and errors.
std::string describe_kind(const SettingRow& row);
// The table as a page of documentation.
std::string render_settings_markdown(const Settings::Table& rows);

}  // namespace mayfly
