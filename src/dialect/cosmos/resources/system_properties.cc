#include "dialect/cosmos/resources/system_properties.h"

#include <fmt/format.h>

#include <charconv>

#include "dialect/cosmos/headers/text.h"
#include "dialect/cosmos/resources/rid.h"

namespace mayfly::cosmos {
namespace {

constexpr std::string_view etag_form = "00000000-0000-0000-0000-000000000000";

}  // namespace

std::string etag_of(Instant changed_at) {
  const auto n = static_cast<std::uint64_t>(changed_at.micros);
  return fmt::format("\"{:08x}-{:04x}-{:04x}-0000-{:012x}\"", n >> 32, n >> 16 & 0xFFFF, n & 0xFFFF,
                     static_cast<std::uint64_t>(changed_at.whole_seconds()) & 0xFFFFFFFFFFFF);
}

bool is_met(std::string_view if_match, Instant changed_at) {
  return if_match.empty() || if_match == "*" || parse_etag(if_match) == changed_at;
}

std::optional<Instant> parse_etag(std::string_view etag) {
  etag = without_quotes(etag);
  if (etag.size() != etag_form.size()) return std::nullopt;
  std::string digits;
  for (const std::size_t at : {0, 9, 14}) {
    digits += etag.substr(at, at == 0 ? 8 : 4);
  }
  std::uint64_t n = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), n, 16);
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) return std::nullopt;
  const Instant instant{static_cast<std::int64_t>(n)};
  return etag_of(instant) == '"' + std::string(etag) + '"' ? std::optional(instant) : std::nullopt;
}

void render_system_properties(const SystemProperties& properties, JsonWriter& json) {
  json.member("_rid", render_rid(properties.rid));
  json.member("_self", properties.self);
  json.member("_etag", etag_of(properties.changed_at));
  if (!properties.attachments.empty()) json.member("_attachments", properties.attachments);
  json.member("_ts", properties.changed_at.whole_seconds());
}

}  // namespace mayfly::cosmos
