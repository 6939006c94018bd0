#include "dialect/fauna/wire/multipart.h"

#include <algorithm>
#include <optional>

#include "dialect/fauna/wire/wire_limits.h"

namespace mayfly::fauna {
namespace {

constexpr std::string_view line_break = "\r\n";

std::string lowered(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

// The value of `name=text` or `name="text"` after a `;`.
std::optional<std::string> parameter_of(std::string_view header, std::string_view name) {
  for (std::size_t at = header.find(';'); at != header.npos; at = header.find(';', at + 1)) {
    std::size_t begin = header.find_first_not_of(" \t", at + 1);
    if (begin == header.npos) return std::nullopt;
    std::string_view rest = header.substr(begin);
    if (rest.size() <= name.size() || lowered(rest.substr(0, name.size())) != name) continue;
    if (rest[name.size()] != '=') continue;
    rest.remove_prefix(name.size() + 1);
    if (!rest.starts_with('"')) return std::string(rest.substr(0, rest.find(';')));
    const std::size_t end = rest.find('"', 1);
    if (end == rest.npos) return std::nullopt;
    return std::string(rest.substr(1, end - 1));
  }
  return std::nullopt;
}

// The name in the header of a part.
std::optional<std::string> part_name(std::string_view head) {
  while (!head.empty()) {
    const std::size_t end = std::min(head.find(line_break), head.size());
    const std::string_view line = head.substr(0, end);
    if (lowered(line).starts_with("content-disposition:")) return parameter_of(line, "name");
    head.remove_prefix(std::min(end + line_break.size(), head.size()));
  }
  return std::nullopt;
}

tl::unexpected<Error> malformed() {
  return fail(Code::invalid, "Malformed multipart body");
}

}  // namespace

Result<std::vector<FormPart>> read_multipart(std::string_view content_type, std::string_view body) {
  const auto boundary = parameter_of(content_type, "boundary");
  if (!lowered(content_type).starts_with("multipart/form-data") || !boundary || boundary->empty()) {
    return fail(Code::invalid, "Expected a multipart/form-data body");
  }
  const std::string delimiter = "--" + *boundary;
  std::vector<FormPart> parts;
  std::size_t at = body.find(delimiter);
  if (at == body.npos) return malformed();
  for (;;) {
    at += delimiter.size();
    if (body.substr(at).starts_with("--")) return parts;
    if (!body.substr(at).starts_with(line_break)) return malformed();
    at += line_break.size();
    const std::size_t head_end = body.find("\r\n\r\n", at);
    const std::size_t end = body.find(std::string(line_break) + delimiter, at);
    if (head_end == body.npos || end == body.npos || head_end > end) return malformed();
    auto name = part_name(body.substr(at, head_end - at));
    if (!name) return malformed();
    if (parts.size() == limits::schema_files_max) return fail(Code::invalid, "Too many files");
    const std::size_t begin = std::min(head_end + 4, end);
    parts.push_back({*std::move(name), std::string(body.substr(begin, end - begin))});
    at = end + line_break.size();
  }
}

}  // namespace mayfly::fauna
