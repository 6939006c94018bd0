#include "dialect/kuzzle/requests/forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/crypto/crypto.h"
#include "dialect/kuzzle/limits.h"
#include "net/router.h"
#include "net/utf8.h"

namespace mayfly::kuzzle {
namespace {

constexpr std::string_view urlencoded = "application/x-www-form-urlencoded";
constexpr std::string_view multipart = "multipart/form-data";

tl::unexpected<Error> broken(std::string_view why) {
  return fail(Code::invalid, fmt::format("Unable to convert the HTTP body of a form: {}", why));
}

tl::unexpected<Error> too_many_fields() {
  return fail(Code::too_large,
              fmt::format("a form has at most {} fields", limits::form_fields_max));
}

bool is_same_in_lower_case(char lower, char other) {
  return lower == (other >= 'A' && other <= 'Z' ? other | 0x20 : other);
}

bool begins_with(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() &&
         std::equal(lower.begin(), lower.end(), text.begin(), is_same_in_lower_case);
}

std::string_view without_blanks_before(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  return text;
}

std::string_view trimmed(std::string_view text) {
  text = without_blanks_before(text);
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

// The parameter of a header such as `form-data; name="a"`; nothing if there is none of that name.
// Reads the header once, however many parameters it has.
std::optional<std::string> header_parameter(std::string_view header, std::string_view name) {
  for (std::size_t at = header.find(';'); at != std::string_view::npos;) {
    std::string_view rest = without_blanks_before(header.substr(at + 1));
    const std::size_t equals = rest.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    const bool is_it = equals == name.size() && begins_with(rest, name);
    std::string_view value = rest.substr(equals + 1);
    const bool is_quoted = value.starts_with('"');
    if (is_quoted) value.remove_prefix(1);
    const std::size_t end = std::min(value.find(is_quoted ? '"' : ';'), value.size());
    if (is_it) return std::string(is_quoted ? value.substr(0, end) : trimmed(value.substr(0, end)));
    const auto behind = static_cast<std::size_t>(value.data() + end - header.data());
    at = header.find(';', behind);
  }
  return std::nullopt;
}

Result<void> add(std::string_view name, Value value, Object& fields) {
  if (fields.size() >= limits::form_fields_max) {
    return too_many_fields();
  }
  fields.set(std::string(name), std::move(value));
  return {};
}

// One part, without the boundaries around it: header lines, an empty line, and the content.
Result<void> add_part(std::string_view part, Object& fields) {
  const std::size_t end = part.find("\r\n\r\n");
  if (end == std::string_view::npos) return broken("a part has no content");
  std::string_view lines = part.substr(0, end);
  const std::string_view content = part.substr(end + 4);
  constexpr std::string_view header_name = "content-disposition:";
  std::string_view disposition;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find("\r\n"));
    if (begins_with(line, header_name)) disposition = line.substr(header_name.size());
    lines.remove_prefix(std::min(line.size() + 2, lines.size()));
  }
  const auto name = header_parameter(disposition, "name");
  if (!name || !net::is_utf8(*name)) return broken("a part has no name");
  const auto file_name = header_parameter(disposition, "filename");
  if (!file_name) {
    if (!net::is_utf8(content)) return broken(fmt::format("the field \"{}\" is not UTF-8", *name));
    return add(*name, Value(content), fields);
  }
  if (!net::is_utf8(*file_name)) return broken("the name of a file is not UTF-8");
  return add(
      *name,
      Object{{"filename", *file_name}, {"encoding", "base64"}, {"file", encode_base64(content)}},
      fields);
}

// body := "--" boundary CRLF part (CRLF "--" boundary CRLF part)* CRLF "--" boundary "--" any
Result<Object> parse_multipart(std::string_view content_type, std::string_view body) {
  const auto boundary = header_parameter(content_type, "boundary");
  if (!boundary || boundary->empty()) return broken("its boundary is missing");
  const std::string opening = "--" + *boundary;
  const std::string between = "\r\n" + opening;
  if (!body.starts_with(opening)) return broken("it does not begin with its boundary");
  body.remove_prefix(opening.size());
  Object fields;
  while (!body.starts_with("--")) {
    if (!body.starts_with("\r\n")) return broken("a boundary is followed by something else");
    body.remove_prefix(2);
    const std::size_t end = body.find(between);
    if (end == std::string_view::npos) return broken("its last boundary is missing");
    TRY(add_part(body.substr(0, end), fields));
    body.remove_prefix(end + between.size());
  }
  return fields;
}

}  // namespace

bool is_form(std::string_view content_type) {
  return begins_with(content_type, urlencoded) || begins_with(content_type, multipart);
}

Result<Object> parse_form(std::string_view content_type, std::string_view body) {
  if (begins_with(content_type, multipart)) return parse_multipart(content_type, body);
  // Checked before splitting: each takes many times its bytes.
  if (std::count(body.begin(), body.end(), '&') > std::ptrdiff_t{limits::form_fields_max}) {
    return too_many_fields();
  }
  Object fields;
  auto decoded = net::decode_form(body);
  if (!decoded) return broken(decoded.error().message);
  for (auto& [name, text] : *decoded) TRY(add(name, Value(std::move(text)), fields));
  return fields;
}

}  // namespace mayfly::kuzzle
