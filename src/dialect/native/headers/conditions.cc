#include "dialect/native/headers/conditions.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/crypto/crypto.h"

namespace mayfly::native {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool is_tag_text(std::string_view text) {
  return !text.empty() && text.find_first_of("\" ,\t") == std::string_view::npos;
}

// Weak tags match like others if bodies are only compared, and never match if a document is to be
// changed.
enum class Weak { matches, never_matches };

Result<Tags> parse_tags(std::string_view text, std::string_view shown, Weak weak) {
  if (trimmed(text) == "*") return Tags{.is_any = true};
  Tags tags;
  std::string_view rest = text;
  for (bool more = true; more;) {
    const std::size_t comma = rest.find(',');
    std::string_view tag = trimmed(rest.substr(0, comma));
    more = comma != std::string_view::npos;
    if (more) rest.remove_prefix(comma + 1);
    const bool is_weak = tag.starts_with("W/");
    if (is_weak) tag.remove_prefix(2);
    if (tag.size() >= 2 && tag.front() == '"' && tag.back() == '"') {
      tag = tag.substr(1, tag.size() - 2);
    }
    if (!is_tag_text(tag)) {
      return fail(Code::invalid, fmt::format("{} must be * or a list of entity tags", shown),
                  std::string(shown));
    }
    if (!is_weak || weak == Weak::matches) tags.texts.emplace_back(tag);
  }
  return tags;
}

Result<std::optional<Tags>> read_tags(const net::Request& request, std::string_view header,
                                      std::string_view shown, Weak weak) {
  const std::string* text = request.header(header);
  if (text == nullptr) return std::nullopt;
  return TRY(parse_tags(*text, shown, weak));
}

}  // namespace

std::string etag_of(const Version& version) {
  return encode_hex(static_cast<std::uint64_t>(version.written_at.micros));
}

bool Tags::match(const Document& document) const {
  return is_any || std::find(texts.begin(), texts.end(), etag_of(document.version)) != texts.end();
}

Result<Conditions> read_conditions(const net::Request& request) {
  auto match = TRY(read_tags(request, "if-match", "If-Match", Weak::never_matches));
  auto none_match = TRY(read_tags(request, "if-none-match", "If-None-Match", Weak::matches));
  return Conditions{std::move(match), std::move(none_match)};
}

Result<Tags> parse_match(std::string_view text, std::string_view shown) {
  return parse_tags(text, shown, Weak::never_matches);
}

Result<void> check_conditions(const Conditions& conditions, const std::optional<Document>& current,
                              std::string_view id) {
  if (conditions.if_match) {
    if (!current) return tl::unexpected(no_such_document(id));
    if (!conditions.if_match->match(*current)) {
      return fail(Code::stale, "the document is not at the version that If-Match names",
                  "If-Match");
    }
  }
  if (conditions.if_none_match && current && conditions.if_none_match->match(*current)) {
    return fail(Code::stale,
                conditions.if_none_match->is_any
                    ? "there is already such a document"
                    : "the document is at a version that If-None-Match names",
                "If-None-Match");
  }
  return {};
}

Error no_such_document(std::string_view id) {
  return {Code::not_found, fmt::format("there is no document with the id '{}'", id), "id"};
}

}  // namespace mayfly::native
