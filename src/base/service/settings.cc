#include "base/service/settings.h"

// The parser asserts conditions that some malformed files violate, such as a bracket in the place
// of a value. Such a file must give an error: so the assertions throw instead, in every build.
// TOML_ASSERT is the library's option for that.
#include <stdexcept>
#undef NDEBUG
#define TOML_ASSERT(expr) \
  ((expr) ? static_cast<void>(0) : throw std::invalid_argument("not well-formed TOML"))
// Some assertions are in noexcept functions. There they end the process, as an assertion does.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wterminate"
#endif
#include <toml++/toml.h>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "base/check.h"
#include "base/service/toml_text.h"
#include "base/similar.h"

namespace mayfly {
namespace {

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

// Whether Docker or Kubernetes sets the variable to describe a service, such as one called mayfly:
// MAYFLY_SERVICE_HOST, MAYFLY_SERVICE_PORT_HTTP, MAYFLY_PORT=tcp://…, MAYFLY_PORT_7007_TCP_ADDR.
bool describes_a_service(std::string_view variable, std::string_view text) {
  if (variable.ends_with("_SERVICE_HOST")) return true;
  if (variable.find("_SERVICE_PORT") != std::string_view::npos) return true;
  const std::size_t port = variable.find("_PORT_");
  if (port != std::string_view::npos) {
    const std::string_view rest = variable.substr(port + std::string_view("_PORT_").size());
    const std::size_t digits = rest.find_first_not_of("0123456789");
    if (digits == 0 || digits == std::string_view::npos) return false;
    return rest.substr(digits).starts_with("_TCP") || rest.substr(digits).starts_with("_UDP");
  }
  return variable.ends_with("_PORT") && (text.starts_with("tcp://") || text.starts_with("udp://"));
}

tl::unexpected<Error> wrong(const SettingRow& row, std::string_view where) {
  return fail(Code::invalid,
              std::string(row.name) + " (" + std::string(where) + ") must be " + describe_kind(row),
              std::string(row.name));
}

// A secret that is set protects something. An empty one, for example from a variable that was not
// filled in, would leave it unprotected.
Result<void> check_is_filled(const SettingRow& row, const std::vector<std::string>& texts,
                             std::string_view where) {
  const bool is_filled = !texts.empty() && std::ranges::find(texts, "") == texts.end();
  if (!row.secret || is_filled) return {};
  return fail(Code::invalid,
              std::string(row.name) + " (" + std::string(where) +
                  ") is given but empty; give it a value or leave it out",
              std::string(row.name));
}

}  // namespace

// Fills a Settings from one source after another, the weakest first.
class SettingsResolver {
 public:
  explicit SettingsResolver(const Settings::Table& rows) {
    std::set<std::string_view> names;
    for (const SettingRow& row : rows) {
      CHECK(names.insert(row.name).second);
      settings_.entries_.push_back({row, {}, {}, SettingOrigin::initial});
      CHECK(put_text(settings_.entries_.back(), row.initial, "default", SettingOrigin::initial));
    }
  }

  Result<void> read_file(const std::string& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
      return fail(Code::invalid, path + " is a directory, not a file of settings", "config");
    }
    std::ifstream in(path);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    if (in.bad() || !in.is_open()) return fail(Code::invalid, path + " cannot be read", "config");
    TRY(check_toml_text(text, path));
    try {
      const toml::table file = toml::parse(text, path);
      return read_table(file, "", path);
    } catch (const toml::parse_error& error) {
      const auto line = error.source().begin.line;
      const std::string where = line == 0 ? path : path + ":" + std::to_string(line);
      return fail(Code::invalid, where + ": " + std::string(error.description()), "config");
    } catch (const std::invalid_argument& error) {
      return fail(Code::invalid, path + ": " + error.what(), "config");
    }
  }

  Result<void> read_environment(const std::vector<Settings::Pair>& environment,
                                const std::vector<std::string_view>& others) {
    for (const auto& [variable, text] : environment) {
      if (!variable.starts_with(variable_prefix)) continue;
      const auto entry = std::ranges::find_if(settings_.entries_, [&](const Settings::Entry& one) {
        return variable_of(one.row) == variable;
      });
      if (entry == settings_.entries_.end()) {
        if (std::ranges::find(others, variable) != others.end()) continue;
        if (describes_a_service(variable, text)) continue;
        return fail(Code::invalid,
                    variable + " (environment) is no setting; the nearest is " + nearest(variable),
                    variable);
      }
      TRY(put_text(*entry, text, variable, SettingOrigin::environment));
    }
    return {};
  }

  Result<void> read_flags(const std::vector<Settings::Pair>& flags) {
    std::set<std::string> seen;
    for (const auto& [name, text] : flags) {
      Settings::Entry* entry = find(name);
      if (entry == nullptr) return fail(Code::invalid, "there is no setting " + name, name);
      const bool is_repeated = !seen.insert(name).second;
      if (is_repeated && entry->row.kind != SettingKind::list) {
        return fail(Code::invalid, flag_of(entry->row) + " is given more than once", name);
      }
      if (is_repeated) {
        TRY(put_text(*entry, entry->source_text + "," + text, flag_of(entry->row),
                     SettingOrigin::flag));
      } else {
        TRY(put_text(*entry, text, flag_of(entry->row), SettingOrigin::flag));
      }
    }
    return {};
  }

  Settings take() { return std::move(settings_); }

 private:
  // The variable of the setting that was probably meant: the first that begins with the given name
  // (MAYFLY_TLS_PORTS for MAYFLY_TLS), or ends like it (MAYFLY_NATIVE_PORT for MAYFLY_PORT);
  // otherwise the most similar.
  std::string nearest(std::string_view variable) const {
    constexpr std::size_t compared_bytes_max = 128;
    const std::string name_start(variable.substr(0, compared_bytes_max));
    const std::string end = name_start.substr(variable_prefix.size() - 1);
    std::vector<std::string> known;
    for (const Settings::Entry& entry : settings_.entries_) known.push_back(variable_of(entry.row));
    const auto begins = [&](const std::string& one) { return one.starts_with(name_start + "_"); };
    const auto ends = [&](const std::string& one) { return one.ends_with(end); };
    const auto distance = [&](const std::string& one) { return edit_distance(name_start, one); };
    auto found = std::ranges::find_if(known, begins);
    if (found == known.end()) found = std::ranges::find_if(known, ends);
    return found != known.end() ? *found : *std::ranges::min_element(known, {}, distance);
  }

  Settings::Entry* find(std::string_view name) {
    for (Settings::Entry& entry : settings_.entries_) {
      if (entry.row.name == name) return &entry;
    }
    return nullptr;
  }

  static Result<void> put_text(Settings::Entry& entry, std::string_view text,
                               std::string_view where, SettingOrigin origin) {
    entry.value = TRY(parse(entry.row, text, where));
    if (origin != SettingOrigin::initial) {
      TRY(check_is_filled(entry.row, split_at_commas(text), where));
    }
    entry.source_text = text;
    entry.origin = origin;
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

  // `prefix` is empty or ends with a dot.
  Result<void> read_table(const toml::table& table, const std::string& prefix,
                          const std::string& path) {
    for (const auto& [key, node] : table) {
      const std::string name = prefix + std::string(key.str());
      Settings::Entry* entry = find(name);
      if (entry != nullptr && entry->row.scope == SettingScope::everywhere) {
        TRY(put_node(*entry, node, path));
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
    return std::any_of(settings_.entries_.begin(), settings_.entries_.end(),
                       [&](const auto& entry) { return entry.row.name.starts_with(prefix); });
  }

  // The file has types: a number in quotes is not a number there.
  static Result<void> put_node(Settings::Entry& entry, const toml::node& node,
                               const std::string& path) {
    const std::string where = path + ":" + std::to_string(node.source().begin.line);
    const SettingKind kind = entry.row.kind;
    if (kind == SettingKind::list) return put_array(entry, node, where);
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
      return wrong(entry.row, where);
    }
    return put_text(entry, text, where, SettingOrigin::file);
  }

  static Result<void> put_array(Settings::Entry& entry, const toml::node& node,
                                const std::string& where) {
    if (!node.is_array()) return wrong(entry.row, where);
    std::vector<std::string> texts;
    for (const toml::node& element : *node.as_array()) {
      if (!element.is_string()) return wrong(entry.row, where);
      texts.push_back(element.as_string()->get());
    }
    TRY(check_is_filled(entry.row, texts, where));
    entry.source_text.clear();
    for (const std::string& one : texts) {
      if (!entry.source_text.empty()) entry.source_text += ',';
      entry.source_text += one;
    }
    entry.value = std::move(texts);
    entry.origin = SettingOrigin::file;
    return {};
  }

  Settings settings_;
};

Result<Settings> Settings::resolve(const Table& rows, const Sources& sources) {
  SettingsResolver resolver(rows);
  if (!sources.file.empty()) TRY(resolver.read_file(sources.file));
  TRY(resolver.read_environment(sources.environment, sources.other_variables));
  TRY(resolver.read_flags(sources.flags));
  return resolver.take();
}

const Settings::Entry& Settings::entry(std::string_view name) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.row.name == name; });
  CHECK(found != entries_.end());
  return *found;
}

namespace {

template <class T, class Value>
const T& must_be(const Value& value) {
  const T* typed = std::get_if<T>(&value);
  CHECK(typed != nullptr);
  return *typed;
}

}  // namespace

const std::string& Settings::text(std::string_view name) const {
  return must_be<std::string>(entry(name).value);
}

std::int64_t Settings::integer(std::string_view name) const {
  return must_be<std::int64_t>(entry(name).value);
}

bool Settings::flag(std::string_view name) const {
  return must_be<bool>(entry(name).value);
}

const std::vector<std::string>& Settings::list(std::string_view name) const {
  return must_be<std::vector<std::string>>(entry(name).value);
}

std::optional<std::uint16_t> Settings::port(std::string_view name) const {
  return must_be<Port>(entry(name).value);
}

SettingOrigin Settings::origin(std::string_view name) const {
  return entry(name).origin;
}

std::vector<Settings::Shown> Settings::shown() const {
  std::vector<Shown> all;
  for (const Entry& entry : entries_) {
    const bool is_hidden = entry.row.secret && !entry.source_text.empty();
    all.push_back({entry.row.name, is_hidden ? "(hidden)" : entry.source_text, entry.origin});
  }
  return all;
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

}  // namespace mayfly
