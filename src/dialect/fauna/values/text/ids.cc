#include "dialect/fauna/values/text/ids.h"

#include <algorithm>
#include <charconv>

namespace mayfly::fauna {

bool is_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<std::int64_t> id_number(std::string_view text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return number;
}

std::optional<std::string> id_text(const FqlValue& value) {
  if (value.is(FqlKind::id)) return value.id();
  if (value.is(FqlKind::whole)) return std::to_string(value.whole().number);
  if (!value.is(FqlKind::text)) return std::nullopt;
  const auto number = id_number(value.text());
  return number ? std::optional(std::to_string(*number)) : std::nullopt;
}

}  // namespace mayfly::fauna
