// One of the only users of ICU, with words.cc and relevance/boundaries.cc.
#include "expr/functions/texts/case.h"

#include <unicode/locid.h>
#include <unicode/unistr.h>

#include "expr/functions/texts/utf8.h"

namespace mayfly {
namespace {

icu::UnicodeString unicode(std::string_view text) {
  return icu::UnicodeString::fromUTF8(
      icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
}

std::string utf8(const icu::UnicodeString& text) {
  std::string out;
  return text.toUTF8String(out);
}

std::string ascii_lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return out;
}

std::string ascii_upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  return out;
}

}  // namespace

std::string to_lower(std::string_view text) {
  if (is_ascii(text)) return ascii_lower(text);
  return utf8(unicode(text).toLower(icu::Locale::getRoot()));
}

std::string to_upper(std::string_view text) {
  if (is_ascii(text)) return ascii_upper(text);
  return utf8(unicode(text).toUpper(icu::Locale::getRoot()));
}

std::string fold_case(std::string_view text) {
  if (is_ascii(text)) return ascii_lower(text);
  return utf8(unicode(text).foldCase());
}

}  // namespace mayfly
