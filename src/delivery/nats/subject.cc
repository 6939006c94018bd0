#include "delivery/nats/subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "delivery/limits.h"

namespace mayfly::delivery {
namespace {

struct Placeholder {
  std::string_view name;
  std::string Message::* member;
};
constexpr Placeholder placeholders[] = {{"{database}", &Message::database},
                                        {"{collection}", &Message::collection},
                                        {"{event}", &Message::event}};

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

void append_token(std::string_view name, std::string& out) {
  for (const char c : name) {
    if (is_plain(c)) {
      out += c;
    } else {
      fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
    }
  }
}

Error invalid_subject(std::string_view why) {
  return {Code::invalid, fmt::format("a subject {}", why), "subject"};
}

// Checks the text between placeholders: tokens of plain characters, and dots.
Result<void> check_text(std::string_view text) {
  const bool is_plain_text =
      std::ranges::all_of(text, [](char c) { return is_plain(c) || c == '.'; });
  if (is_plain_text) return {};
  return tl::unexpected(invalid_subject(
      "has letters, digits, - and _, dots, and the places {database}, {collection} and {event}"));
}

}  // namespace

Result<SubjectTemplate> SubjectTemplate::parse(std::string_view text) {
  if (text.size() > limits::nats_subject_bytes_max) {
    return tl::unexpected(
        invalid_subject(fmt::format("has at most {} bytes", limits::nats_subject_bytes_max)));
  }
  // Here a placeholder counts as a character of a token.
  if (text.empty() || text.starts_with('.') || text.ends_with('.') ||
      text.find("..") != text.npos) {
    return tl::unexpected(
        invalid_subject("has tokens with dots between them, none of which is empty"));
  }
  SubjectTemplate made;
  const std::string_view fixed = text.substr(0, text.find('{'));
  made.prefix_ = fixed.substr(0, fixed.rfind('.') + 1);
  if (made.prefix_.empty()) {
    return tl::unexpected(invalid_subject(
        "begins with a token without places and has more behind it, such as mayfly.{event}"));
  }
  if (made.prefix_.starts_with('_')) {
    return tl::unexpected(invalid_subject("does not begin with _"));
  }
  while (!text.empty()) {
    const std::size_t open = std::min(text.find('{'), text.size());
    Part part{.text = std::string(text.substr(0, open))};
    TRY(check_text(part.text));
    text.remove_prefix(open);
    if (!text.empty()) {
      const auto placeholder = std::ranges::find_if(
          placeholders, [text](const Placeholder& one) { return text.starts_with(one.name); });
      TRY(check_text(placeholder == std::end(placeholders) ? "{" : ""));
      part.member = placeholder->member;
      text.remove_prefix(placeholder->name.size());
    }
    made.parts_.push_back(std::move(part));
  }
  return made;
}

std::string SubjectTemplate::render(const Message& message) const {
  std::string subject;
  for (const Part& part : parts_) {
    subject += part.text;
    if (part.member != nullptr) append_token(message.*part.member, subject);
  }
  return subject;
}

}  // namespace mayfly::delivery
