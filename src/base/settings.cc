#include "base/settings.h"

// The parser asserts what some malformed files break. That is an error of the file, not ours: its
// assertions throw instead, and stay on in every build.
#include <stdexcept>
#undef NDEBUG
#define TOML_ASSERT(expr) \
  ((expr) ? static_cast<void>(0) : throw std::invalid_argument("not well-formed TOML"))
// Some of them stand where nothing may be thrown, and end the process there as an assertion does.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wterminate"
#endif
#include <toml++/toml.h>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

#include "base/check.h"

namespace mayfly {
namespace {

constexpr std::string_view variable_prefix = "MAYFLY_";

std::string with_dashes(std::string_view name, char dash) {
  std::string text(name);
  for (char& c : text) {
    if (c == '.' || c == '_') c = dash;
  }
  return text;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return n;
}

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    std::string_view part = text.substr(0, comma);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (!part.empty()) parts.emplace_back(part);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parts;
}

std::string join(const std::vector<std::string_view>& words, std::string_view between) {
  std::string text;
  for (const std::string_view word : words) {
    if (!text.empty()) text += between;
    text += word;
  }
  return text;
}

tl::unexpected<Error> wrong(const SettingRow& row, std::string_view where) {
  return fail(Code::invalid,
              std::string(row.name) + " (" + std::string(where) + ") must be " + describe_kind(row),
              std::string(row.name));
}

}  // namespace

// Fills a Settings from one source after the other, the weakest first.
class SettingsResolver {
 public:
  explicit SettingsResolver(const Settings::Table& rows) {
    std::set<std::string_view> names;
    for (const SettingRow& row : rows) {
      CHECK(names.insert(row.name).second);
      settings_.held_.push_back({row, {}, {}, SettingOrigin::initial});
      CHECK(put_text(settings_.held_.back(), row.initial, "default", SettingOrigin::initial));
    }
  }

  Result<void> read_file(const std::string& path) {
    try {
      const toml::table file = toml::parse_file(path);
      return read_table(file, "", path);
    } catch (const toml::parse_error& error) {
      const auto line = error.source().begin.line;
      const std::string where = line == 0 ? path : path + ":" + std::to_string(line);
      return fail(Code::invalid, where + ": " + std::string(error.description()), "config");
    } catch (const std::invalid_argument& error) {
      return fail(Code::invalid, path + ": " + error.what(), "config");
    }
  }

  Result<void> read_environment(const std::vector<Settings::Pair>& environment) {
    for (const auto& [variable, text] : environment) {
      if (!variable.starts_with(variable_prefix)) continue;
      for (Settings::Held& held : settings_.held_) {
        if (held.row.scope == SettingScope::flag_only || variable_of(held.row) != variable)
          continue;
        TRY(put_text(held, text, variable, SettingOrigin::environment));
      }
    }
    return {};
  }

  Result<void> read_flags(const std::vector<Settings::Pair>& flags) {
    std::set<std::string> seen;
    for (const auto& [name, text] : flags) {
      Settings::Held* held = find(name);
      if (held == nullptr) return fail(Code::invalid, "there is no setting " + name, name);
      const bool is_repeated = !seen.insert(name).second;
      if (is_repeated && held->row.kind == SettingKind::list) {
        TRY(put_text(*held, held->source_text + "," + text, flag_of(held->row),
                     SettingOrigin::flag));
      } else {
        TRY(put_text(*held, text, flag_of(held->row), SettingOrigin::flag));
      }
    }
    return {};
  }

  Settings take() { return std::move(settings_); }

 private:
  Settings::Held* find(std::string_view name) {
    for (Settings::Held& held : settings_.held_) {
      if (held.row.name == name) return &held;
    }
    return nullptr;
  }

  static Result<void> put_text(Settings::Held& held, std::string_view text, std::string_view where,
                               SettingOrigin origin) {
    held.value = TRY(parse(held.row, text, where));
    held.source_text = text;
    held.origin = origin;
    return {};
  }

  static Result<Settings::Value> parse(const SettingRow& row, std::string_view text,
                                       std::string_view where) {
    const std::optional<std::int64_t> n = parse_integer(text);
    switch (row.kind) {
      case SettingKind::text:
        if (!row.choices.empty() &&
            std::find(row.choices.begin(), row.choices.end(), text) == row.choices.end()) {
          return wrong(row, where);
        }
        return std::string(text);
      case SettingKind::integer:
        if (!n || *n < row.least || *n > row.most) return wrong(row, where);
        return *n;
      case SettingKind::boolean:
        if (text == "true" || text == "1") return true;
        if (text == "false" || text == "0") return false;
        return wrong(row, where);
      case SettingKind::port:
        if (text == "off") return Settings::Port();
        if (!n || *n < 0 || *n > 65'535) return wrong(row, where);
        return Settings::Port(static_cast<std::uint16_t>(*n));
      case SettingKind::list: return split_at_commas(text);
    }
    return wrong(row, where);
  }

  // `prefix` is empty or ends in a dot.
  Result<void> read_table(const toml::table& table, const std::string& prefix,
                          const std::string& path) {
    for (const auto& [key, node] : table) {
      const std::string name = prefix + std::string(key.str());
      Settings::Held* held = find(name);
      if (held != nullptr && held->row.scope == SettingScope::everywhere) {
        TRY(put_node(*held, node, path));
      } else if (node.is_table() && is_prefix(name + ".")) {
        TRY(read_table(*node.as_table(), name + ".", path));
      } else {
        const auto line = std::to_string(node.source().begin.line);
        return fail(Code::invalid, path + ":" + line + ": there is no setting " + name, name);
      }
    }
    return {};
  }

  bool is_prefix(std::string_view prefix) const {
    return std::any_of(settings_.held_.begin(), settings_.held_.end(),
                       [&](const auto& held) { return held.row.name.starts_with(prefix); });
  }

  // The file has types of its own: a number in quotes is not a number there.
  static Result<void> put_node(Settings::Held& held, const toml::node& node,
                               const std::string& path) {
    const std::string where = path + ":" + std::to_string(node.source().begin.line);
    const SettingKind kind = held.row.kind;
    if (kind == SettingKind::list) return put_array(held, node, where);
    const bool takes_text = kind == SettingKind::text || kind == SettingKind::port;
    const bool takes_integer = kind == SettingKind::integer || kind == SettingKind::port;
    std::string text;
    if (node.is_string() && takes_text) {
      text = node.as_string()->get();
    } else if (node.is_integer() && takes_integer) {
      text = std::to_string(node.as_integer()->get());
    } else if (node.is_boolean() && kind == SettingKind::boolean) {
      text = node.as_boolean()->get() ? "true" : "false";
    } else {
      return wrong(held.row, where);
    }
    return put_text(held, text, where, SettingOrigin::file);
  }

  static Result<void> put_array(Settings::Held& held, const toml::node& node,
                                const std::string& where) {
    if (!node.is_array()) return wrong(held.row, where);
    std::vector<std::string> texts;
    for (const toml::node& element : *node.as_array()) {
      if (!element.is_string()) return wrong(held.row, where);
      texts.push_back(element.as_string()->get());
    }
    held.source_text = join({texts.begin(), texts.end()}, ",");
    held.value = std::move(texts);
    held.origin = SettingOrigin::file;
    return {};
  }

  Settings settings_;
};

Result<Settings> Settings::resolve(const Table& rows, const Sources& sources) {
  SettingsResolver resolver(rows);
  if (!sources.file.empty()) TRY(resolver.read_file(sources.file));
  TRY(resolver.read_environment(sources.environment));
  TRY(resolver.read_flags(sources.flags));
  return resolver.take();
}

const Settings::Held& Settings::held(std::string_view name) const {
  const auto found = std::find_if(held_.begin(), held_.end(),
                                  [&](const Held& held) { return held.row.name == name; });
  CHECK(found != held_.end());
  return *found;
}

namespace {

template <class T, class Value>
const T& must_be(const Value& value) {
  const T* held = std::get_if<T>(&value);
  CHECK(held != nullptr);
  return *held;
}

}  // namespace

const std::string& Settings::text(std::string_view name) const {
  return must_be<std::string>(held(name).value);
}

std::int64_t Settings::integer(std::string_view name) const {
  return must_be<std::int64_t>(held(name).value);
}

bool Settings::flag(std::string_view name) const {
  return must_be<bool>(held(name).value);
}

const std::vector<std::string>& Settings::list(std::string_view name) const {
  return must_be<std::vector<std::string>>(held(name).value);
}

std::optional<std::uint16_t> Settings::port(std::string_view name) const {
  return must_be<Port>(held(name).value);
}

SettingOrigin Settings::origin(std::string_view name) const {
  return held(name).origin;
}

std::vector<Settings::Shown> Settings::shown() const {
  std::vector<Shown> all;
  for (const Held& held : held_) {
    const bool is_hidden = held.row.secret && !held.source_text.empty();
    all.push_back({held.row.name, is_hidden ? "(hidden)" : held.source_text, held.origin});
  }
  return all;
}

std::string flag_of(const SettingRow& row) {
  return "--" + with_dashes(row.name, '-');
}

std::string variable_of(const SettingRow& row) {
  std::string variable = std::string(variable_prefix) + with_dashes(row.name, '_');
  for (char& c : variable) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return variable;
}

std::string_view name_of(SettingOrigin origin) {
  switch (origin) {
    case SettingOrigin::initial: return "default";
    case SettingOrigin::file: return "file";
    case SettingOrigin::environment: return "environment";
    case SettingOrigin::flag: return "flag";
  }
  return "";
}

std::string describe_kind(const SettingRow& row) {
  switch (row.kind) {
    case SettingKind::text: return row.choices.empty() ? "text" : join(row.choices, " or ");
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
      "Written from the table in the code. A setting is what the strongest source says: a flag of\n"
      "`mayfly serve`, else a variable of the environment, else the file that `--config` names\n"
      "(TOML, where `native.port` is `port` in the table `[native]`), else the default. A list is\n"
      "an array in the file; as a flag it may be repeated, and in one text its parts have commas\n"
      "between them.\n\n"
      "| setting | flag | environment | takes | default | meaning |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  for (const SettingRow& row : rows) {
    const bool is_everywhere = row.scope == SettingScope::everywhere;
    page += "| `" + std::string(row.name) + "` | `" + flag_of(row) + "` | ";
    page += is_everywhere ? "`" + variable_of(row) + "`" : "";
    page += " | " + describe_kind(row) + " | ";
    page += row.initial.empty() ? "" : "`" + std::string(row.initial) + "`";
    page += " | " + std::string(row.help) + (row.secret ? " Never shown." : "") + " |\n";
  }
  return page;
}

}  // namespace mayfly
