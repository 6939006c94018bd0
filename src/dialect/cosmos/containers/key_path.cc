#include "dialect/cosmos/containers/key_path.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/cosmos/errors.h"
#include "value/json.h"

namespace mayfly::cosmos {
namespace {

Error not_accepted(std::string_view text, std::size_t position) {
  return bad_request(fmt::format(
      "The partition key component definition path '{}' could not be accepted, failed near "
      "position "
      "'{}'. Partition key paths must contain only valid characters and not contain a trailing "
      "slash or wildcard character.",
      text, position));
}

bool is_name_character(char c) {
  constexpr std::string_view others = "_-$.@#:~!";
  const auto byte = static_cast<unsigned char>(c);
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         byte >= 0x80 || others.find(c) != std::string_view::npos;
}

// The end of the name that begins at `from`.
std::size_t end_of_name(std::string_view text, std::size_t from) {
  if (from < text.size() && text[from] == '"') {
    const std::size_t close = text.find('"', from + 1);
    return close == std::string_view::npos ? from : close + 1;
  }
  std::size_t at = from;
  while (at < text.size() && is_name_character(text[at])) ++at;
  return at;
}

}  // namespace

Result<Path> parse_key_path(std::string_view text) {
  Path path;
  std::size_t at = 0;
  do {
    if (at >= text.size() || text[at] != '/') return tl::unexpected(not_accepted(text, at));
    const std::size_t end = end_of_name(text, at + 1);
    if (end == at + 1) return tl::unexpected(not_accepted(text, at + 1));
    std::string_view name = text.substr(at + 1, end - at - 1);
    if (name.front() == '"') name = name.substr(1, name.size() - 2);
    path.steps.emplace_back(std::string(name));
    at = end;
  } while (at < text.size());
  return path;
}

std::string render_key_path(const Path& path) {
  std::string text;
  for (const Step& step : path.steps) {
    const auto* name = std::get_if<std::string>(&step);
    if (name == nullptr) continue;
    const bool is_plain =
        !name->empty() && std::all_of(name->begin(), name->end(), is_name_character);
    text += is_plain ? "/" + *name : "/\"" + *name + '"';
  }
  return text;
}

}  // namespace mayfly::cosmos
