#include "dialect/cosmos/containers/keys/key_path.h"

#include <fmt/format.h>

#include <algorithm>

namespace mayfly::cosmos {
namespace {

Error bad_path(std::string_view path, std::size_t place) {
  return {Code::invalid,
          fmt::format("The partition key component definition path '{}' could not be accepted, "
                      "failed near position '{}'.",
                      path, place),
          "partitionKey"};
}

// Reads the step after the slash at `at`; moves `at` behind the step.
Result<std::string> read_step(std::string_view path, std::size_t& at) {
  const std::size_t start = ++at;
  const bool is_quoted = start < path.size() && (path[start] == '"' || path[start] == '\'');
  if (is_quoted) {
    const std::size_t close = path.find(path[start], start + 1);
    if (close == std::string_view::npos) return tl::unexpected(bad_path(path, start));
    at = close + 1;
    return std::string(path.substr(start + 1, close - start - 1));
  }
  at = std::min(path.find('/', start), path.size());
  const std::string_view name = path.substr(start, at - start);
  const std::size_t wrong = name.find_first_of("*?[]\"\\ ");
  if (name.empty() || wrong != std::string_view::npos) {
    return fail(Code::invalid,
                "Partition key paths must contain only valid characters and not contain a "
                "trailing slash or wildcard character.",
                "partitionKey");
  }
  return std::string(name);
}

bool is_name_character(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         byte >= 0x80;
}

}  // namespace

Result<Path> parse_key_path(std::string_view path) {
  Path parsed;
  std::size_t at = 0;
  do {
    if (!path.substr(at).starts_with('/')) return tl::unexpected(bad_path(path, at));
    parsed.steps.emplace_back(TRY(read_step(path, at)));
  } while (at < path.size());
  return parsed;
}

std::string render_key_path(const Path& path) {
  std::string text;
  for (const Step& step : path.steps) {
    const auto* name = std::get_if<std::string>(&step);
    if (name == nullptr) continue;
    const bool is_plain =
        !name->empty() && std::all_of(name->begin(), name->end(), is_name_character);
    const char quote = name->find('"') == std::string::npos ? '"' : '\'';
    text += is_plain ? "/" + *name : std::string("/") + quote + *name + quote;
  }
  return text;
}

std::string plain_key_path(std::string_view text) {
  const auto parsed = parse_key_path(text);
  return parsed ? render_key_path(*parsed) : std::string(text);
}

}  // namespace mayfly::cosmos
