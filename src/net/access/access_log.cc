#include "net/access/access_log.h"

#include <algorithm>
#include <array>
#include <atomic>

#include "base/service/logging.h"
#include "net/requests/limits.h"

namespace mayfly::net {
namespace {

constexpr std::array<std::string_view, 14> secret_parameters = {
    "jwt",    "token", "access_token", "refresh_token", "id_token", "key",    "api_key",
    "apikey", "sig",   "x-api-key",    "signature",     "password", "secret", "client_secret"};

bool is_secret(std::string_view name) {
  return std::any_of(secret_parameters.begin(), secret_parameters.end(), [&](std::string_view one) {
    return std::equal(one.begin(), one.end(), name.begin(), name.end(),
                      [](char a, char b) { return a == (b | 0x20) || a == b; });
  });
}

// Limits the lines of each second. Sets how many lines were left out since the last one; returns
// false if this one must be left out, too.
class RefusalLogBudget {
 public:
  bool take(std::uint64_t& left_out) {
    const std::int64_t second = monotonic_now().whole_seconds();
    if (second_.exchange(second) != second) lines_ = 0;
    if (++lines_ > limits::refusals_logged_max) {
      ++left_out_;
      return false;
    }
    left_out = left_out_.exchange(0);
    return true;
  }

 private:
  std::atomic<std::int64_t> second_ = 0;
  std::atomic<std::uint64_t> lines_ = 0;
  std::atomic<std::uint64_t> left_out_ = 0;
};

RefusalLogBudget& budget() {
  static RefusalLogBudget one;
  return one;
}

}  // namespace

std::string without_secrets(std::string_view target) {
  std::string out(target.substr(0, target.find('?')));
  if (out.size() == target.size()) return out;
  std::string_view rest = target.substr(out.size());
  while (!rest.empty()) {
    out += rest.front();  // '?' or '&'
    rest.remove_prefix(1);
    const std::string_view part = rest.substr(0, rest.find('&'));
    rest.remove_prefix(part.size());
    const std::size_t name_bytes = std::min(part.find('='), part.size());
    // An escaped name is not decoded, so its value is hidden as well.
    const std::string_view name = part.substr(0, name_bytes);
    const bool is_hidden = is_secret(name) || name.find('%') != std::string_view::npos;
    if (is_hidden && name_bytes < part.size()) {
      out.append(name).append("=(hidden)");
    } else {
      out += part;
    }
  }
  return out;
}

void log_access(LogLevel level, const LoggedRequest& logged, const AnswerSummary& answered) {
  log(level, "answered",
      {{"api", logged.port},
       {"method", logged.request.method},
       {"target", without_secrets(logged.request.target)},
       {"status", answered.status},
       {"bytes", answered.bytes},
       {"micros", answered.took.micros},
       {"peer", logged.request.peer},
       {"request", logged.id}});
}

bool may_log_refusal(std::uint64_t& left_out) {
  return is_logged(LogLevel::warn) && budget().take(left_out);
}

void log_denial(const LoggedRequest& logged, const Guard::Denial& denial) {
  std::uint64_t left_out = 0;
  if (!may_log_refusal(left_out)) return;
  log(LogLevel::warn, "a request was refused before it was read",
      {{"api", logged.port},
       {"reason", denial.refusal.error.message},
       {"value", denial.value},
       {"setting", denial.setting},
       {"method", logged.request.method},
       {"target", without_secrets(logged.request.target)},
       {"peer", logged.request.peer},
       {"request", logged.id},
       {"left_out", left_out}});
}

void log_unauthenticated(const LoggedRequest& logged) {
  std::uint64_t left_out = 0;
  if (!may_log_refusal(left_out)) return;
  log(LogLevel::warn, "a request came without valid credentials",
      {{"api", logged.port},
       {"method", logged.request.method},
       {"target", without_secrets(logged.request.target)},
       {"peer", logged.request.peer},
       {"request", logged.id},
       {"left_out", left_out}});
}

}  // namespace mayfly::net
