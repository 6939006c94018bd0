#include "dialect/cosmos/headers/http_date.h"

#include <array>
#include <ctime>

namespace mayfly::cosmos {
namespace {

constexpr const char* form = "%a, %d %b %Y %H:%M:%S GMT";

}  // namespace

std::optional<Instant> parse_http_date(std::string_view text) {
  std::tm date = {};
  const std::string whole(text);
  const char* rest = strptime(whole.c_str(), form, &date);
  if (rest == nullptr || *rest != '\0') return std::nullopt;
  return Instant::from_seconds(timegm(&date));
}

// Cached, because every answer has the date, mostly of the same second as the previous one.
std::string render_http_date(Instant t) {
  struct Rendered {
    std::time_t seconds = -1;
    std::string text;
  };
  thread_local Rendered last;
  const std::time_t seconds = t.whole_seconds();
  if (last.text.empty() || last.seconds != seconds) {
    std::tm date = {};
    gmtime_r(&seconds, &date);
    std::array<char, 32> text;
    last = {seconds, {text.data(), std::strftime(text.data(), text.size(), form, &date)}};
  }
  return last.text;
}

}  // namespace mayfly::cosmos
