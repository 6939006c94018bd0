#include "dialect/cosmos/http_date.h"

#include <ctime>
#include <string>

namespace mayfly::cosmos {

std::optional<Instant> parse_http_date(std::string_view text) {
  std::tm date = {};
  const std::string whole(text);
  const char* rest = strptime(whole.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &date);
  if (rest == nullptr || *rest != '\0') return std::nullopt;
  return Instant::from_seconds(timegm(&date));
}

}  // namespace mayfly::cosmos
