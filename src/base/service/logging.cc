#include "base/service/logging.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <array>
#include <ctime>
#include <memory>
#include <mutex>
#include <vector>

namespace mayfly {
namespace {

constexpr std::array<std::string_view, 5> level_names = {"debug", "info", "warn", "error", "off"};
constexpr std::string_view hidden = "(hidden)";
constexpr std::size_t secret_bytes_min = 4;

std::string_view name_of(LogLevel level) {
  return level_names[static_cast<std::size_t>(level)];
}

spdlog::level::level_enum spdlog_level(LogLevel level) {
  switch (level) {
    case LogLevel::debug: return spdlog::level::debug;
    case LogLevel::info: return spdlog::level::info;
    case LogLevel::warn: return spdlog::level::warn;
    case LogLevel::error: return spdlog::level::err;
    case LogLevel::off: return spdlog::level::off;
  }
  return spdlog::level::off;
}

struct Log {
  Log() : logger("mayfly", std::make_shared<spdlog::sinks::stderr_sink_mt>()) {
    logger.set_pattern("%v");
    logger.flush_on(spdlog::level::trace);
  }

  spdlog::logger logger;
  std::atomic<LogFormat> format = LogFormat::text;
  std::mutex mutex;  // guards the secrets
  std::vector<std::string> secrets;
};

// Never destroyed: threads that outlive main() may still log.
Log& the_log() {
  static Log& log = *std::make_unique<Log>().release();
  return log;
}

void hide(std::string& text, std::string_view secret) {
  for (auto at = text.find(secret); at != std::string::npos; at = text.find(secret, at)) {
    text.replace(at, secret.size(), hidden);
    at += hidden.size();
  }
}

std::string without_secrets(std::string text) {
  Log& log = the_log();
  const std::lock_guard lock(log.mutex);
  for (const std::string& secret : log.secrets) hide(text, secret);
  return text;
}

// RFC 3339 with milliseconds, UTC.
std::string render_instant(Instant at) {
  const std::time_t seconds = at.whole_seconds();
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  const auto micros = (at - Instant::from_seconds(seconds)).micros;
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                     micros / 1'000);
}

// The contents of a JSON string; bytes above 127 are copied.
std::string escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '"': escaped += "\\\""; break;
      case '\\': escaped += "\\\\"; break;
      case '\n': escaped += "\\n"; break;
      case '\r': escaped += "\\r"; break;
      case '\t': escaped += "\\t"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
          escaped += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
        } else {
          escaped.push_back(c);
        }
    }
  }
  return escaped;
}

std::string quote(std::string_view text) {
  return "\"" + escape(text) + "\"";
}

std::string render_text(Instant at, LogLevel level, std::string_view message, LogFields fields) {
  // Escaped as well: a line break in a value must not look like the start of another line.
  std::string line = fmt::format("{} {:5} {}", render_instant(at), name_of(level),
                                 escape(without_secrets(std::string(message))));
  for (const LogField& field : fields) {
    const std::string value = without_secrets(field.value);
    const bool is_plain = !value.empty() && value.find_first_of(" =\"\\\n\r\t") == value.npos;
    line += fmt::format(" {}={}", field.name, is_plain ? escape(value) : quote(value));
  }
  return line;
}

std::string render_json(Instant at, LogLevel level, std::string_view message, LogFields fields) {
  std::string line = fmt::format(R"({{"at":"{}","level":"{}","message":{})", render_instant(at),
                                 name_of(level), quote(without_secrets(std::string(message))));
  for (const LogField& field : fields) {
    const std::string value = without_secrets(field.value);
    const bool is_text = field.quoted || value != field.value;
    line += fmt::format(",{}:{}", quote(field.name), is_text ? quote(value) : value);
  }
  return line + "}";
}

}  // namespace

LogField::LogField(std::string_view name, double n)
    : name(name), value(fmt::format("{}", n)), quoted(n - n != 0) {}  // JSON has no infinity

Result<LogLevel> parse_log_level(std::string_view name) {
  for (std::size_t i = 0; i < level_names.size(); ++i) {
    if (level_names[i] == name) return static_cast<LogLevel>(i);
  }
  return fail(Code::invalid, "there is no log level " + std::string(name) +
                                 ": it is debug, info, warn, error or off");
}

Result<LogFormat> parse_log_format(std::string_view name) {
  if (name == "text") return LogFormat::text;
  if (name == "json") return LogFormat::json;
  return fail(Code::invalid,
              "there is no log format " + std::string(name) + ": it is text or json");
}

void start_logging(LogLevel level, LogFormat format) {
  the_log().format = format;
  the_log().logger.set_level(spdlog_level(level));
}

bool is_logged(LogLevel level) {
  return level != LogLevel::off && the_log().logger.should_log(spdlog_level(level));
}

void log(LogLevel level, std::string_view message, LogFields fields) {
  if (!is_logged(level)) return;
  Log& log = the_log();
  const std::string line = render_log_line(log.format, SystemClock().now(), level, message, fields);
  log.logger.log(spdlog_level(level), "{}", line);
}

void hide_in_logs(std::string secret) {
  if (secret.size() < secret_bytes_min) return;
  Log& log = the_log();
  const std::lock_guard lock(log.mutex);
  log.secrets.push_back(std::move(secret));
}

std::string render_log_line(LogFormat format, Instant at, LogLevel level, std::string_view message,
                            LogFields fields) {
  return format == LogFormat::json ? render_json(at, level, message, fields)
                                   : render_text(at, level, message, fields);
}

}  // namespace mayfly
