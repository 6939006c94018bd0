// Strings. Positions and lengths are in code points.
#include <fmt/format.h>

#include <algorithm>

#include "dialect/fauna/library/family.h"
#include "dialect/fauna/library/scalars/case_fold.h"
#include "dialect/fauna/limits.h"
#include "dialect/fauna/run/weight.h"
#include "expr/functions/texts/case.h"
#include "expr/functions/texts/find.h"
#include "expr/functions/texts/utf8.h"

namespace mayfly::fauna {
namespace {

constexpr std::size_t nowhere = std::string_view::npos;

FqlValue not_in_text() {
  return null_because(NullCause::no_element);
}

// Traversing the text takes steps.
Result<std::size_t> length_of(Run& run, std::string_view text) {
  TRY(step_bytes(run, text.size()));
  return count_code_points(text);
}

FqlValue position_in_text(std::string_view text, std::size_t byte) {
  if (byte == nowhere) return not_in_text();
  return whole_number(static_cast<std::int64_t>(count_code_points(text.substr(0, byte))));
}

Result<FqlValue> string_length(Run& run, const FqlValue& self, const Arguments&) {
  return whole_number(static_cast<std::int64_t>(TRY(length_of(run, self.text()))));
}

Result<FqlValue> string_at(Run& run, const FqlValue& self, const Arguments& a) {
  const std::string_view text = self.text();
  const std::size_t length = TRY(length_of(run, text));
  const std::size_t index = TRY(index_within(run, a[0].whole().number, length));
  const std::size_t from = skip_code_points(text, index);
  return make_text(run, std::string(text.substr(from, skip_code_points(text, 1, from) - from)));
}

Result<FqlValue> string_concat(Run& run, const FqlValue& self, const Arguments& a) {
  TRY(run.check_text(self.text().size() + a[0].text().size()));
  return FqlValue(self.text() + a[0].text());
}

Result<FqlValue> string_starts_with(Run& run, const FqlValue& self, const Arguments& a) {
  TRY(step_bytes(run, a[0].text().size()));
  return FqlValue(self.text().starts_with(a[0].text()));
}

Result<FqlValue> string_ends_with(Run& run, const FqlValue& self, const Arguments& a) {
  TRY(step_bytes(run, a[0].text().size()));
  return FqlValue(self.text().ends_with(a[0].text()));
}

Result<FqlValue> string_includes(Run& run, const FqlValue& self, const Arguments& a) {
  TRY(step_bytes(run, self.text().size()));
  return FqlValue(find_text(self.text(), a[0].text()) != nowhere);
}

Result<FqlValue> string_index_of(Run& run, const FqlValue& self, const Arguments& a) {
  const std::string_view text = self.text();
  std::size_t from = 0;
  if (a.has(1)) {
    const std::size_t length = TRY(length_of(run, text));
    from = skip_code_points(text, TRY(position_within(run, a[1].whole().number, length)));
  }
  TRY(step_bytes(run, text.size()));
  return position_in_text(text, find_text(text, a[0].text(), from));
}

// The occurrence starts at or before `end`.
Result<FqlValue> string_last_index_of(Run& run, const FqlValue& self, const Arguments& a) {
  std::string_view text = self.text();
  if (a.has(1)) {
    if (a[1].whole().number < 0) return not_in_text();
    const std::size_t begin = position_cut(a[1].whole().number, TRY(length_of(run, text)));
    text = text.substr(0, skip_code_points(text, begin) + a[0].text().size());
  }
  TRY(step_bytes(run, text.size()));
  return position_in_text(text, find_last_text(text, a[0].text()));
}

Result<FqlValue> string_insert(Run& run, const FqlValue& self, const Arguments& a) {
  const std::string_view text = self.text();
  const std::size_t length = TRY(length_of(run, text));
  const std::size_t position = TRY(position_within(run, a[0].whole().number, length));
  TRY(run.check_text(text.size() + a[1].text().size()));
  return FqlValue(std::string(text).insert(skip_code_points(text, position), a[1].text()));
}

Result<FqlValue> string_slice(Run& run, const FqlValue& self, const Arguments& a) {
  const std::string_view text = self.text();
  const std::size_t length = TRY(length_of(run, text));
  const std::size_t from = position_cut(a[0].whole().number, length);
  const std::size_t until = a.has(1) ? position_cut(a[1].whole().number, length) : length;
  if (until <= from) return FqlValue("");
  const std::size_t begin = skip_code_points(text, from);
  const std::size_t end = skip_code_points(text, until - from, begin);
  return make_text(run, std::string(text.substr(begin, end - begin)));
}

Result<FqlValue> string_split_at(Run& run, const FqlValue& self, const Arguments& a) {
  const std::string_view text = self.text();
  const std::size_t length = TRY(length_of(run, text));
  const std::size_t position = TRY(position_within(run, a[0].whole().number, length));
  TRY(run.check_text(text.size()));
  const std::size_t middle = skip_code_points(text, position);
  return make_array(run, {text.substr(0, middle), text.substr(middle)});
}

Result<void> add_part(Run& run, std::string_view part, FqlArray& parts) {
  TRY(run.check_elements(parts.size() + 1));
  TRY(run.step());
  TRY(run.check_text(part.size()));
  parts.emplace_back(part);
  return {};
}

Result<FqlValue> split_into_characters(Run& run, std::string_view text) {
  FqlArray parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = skip_code_points(text, 1, at);
    TRY(add_part(run, text.substr(at, next - at), parts));
    at = next;
  }
  return make_array(run, std::move(parts));
}

Result<FqlValue> string_split(Run& run, const FqlValue& self, const Arguments& a) {
  const std::string_view text = self.text();
  const std::string_view separator = a[0].text();
  if (separator.empty()) return split_into_characters(run, text);
  TRY(step_bytes(run, text.size()));
  FqlArray parts;
  std::size_t from = 0;
  for (std::size_t at = 0; (at = find_text(text, separator, from)) != nowhere;) {
    TRY(add_part(run, text.substr(from, at - from), parts));
    from = at + separator.size();
  }
  TRY(add_part(run, text.substr(from), parts));
  return make_array(run, std::move(parts));
}

// Replaces the first `count` occurrences. An empty pattern occurs before each character and at the
// end.
Result<FqlValue> replaced(Run& run, std::string_view text, const Arguments& a, std::int64_t count) {
  const std::string_view sought = a[0].text();
  const std::string_view replacement = a[1].text();
  TRY(step_bytes(run, text.size()));
  std::string out;
  std::size_t from = 0;
  for (std::size_t begin = 0; count > 0 && begin <= text.size(); --count) {
    const std::size_t at = find_text(text, sought, begin);
    if (at == nowhere) break;
    TRY(run.step());
    out.append(text, from, at - from).append(replacement);
    if (out.size() > limits::fql_text_bytes_max) break;
    from = at + sought.size();
    begin = !sought.empty()    ? from
            : at < text.size() ? skip_code_points(text, 1, at)
                               : text.size() + 1;
  }
  out.append(text, from);
  return make_text(run, std::move(out));
}

Result<FqlValue> string_replace(Run& run, const FqlValue& self, const Arguments& a) {
  const std::int64_t count = a.has(2) ? a[2].whole().number : 1;
  if (count < 1) return run.fail_argument("count", "must be greater than or equal to 1");
  return replaced(run, self.text(), a, count);
}

Result<FqlValue> string_replace_all(Run& run, const FqlValue& self, const Arguments& a) {
  return replaced(run, self.text(), a, INT64_MAX);
}

Result<FqlValue> string_to_lower_case(Run& run, const FqlValue& self, const Arguments&) {
  TRY(step_bytes(run, self.text().size()));
  return make_text(run, to_lower(self.text()));
}

Result<FqlValue> string_to_upper_case(Run& run, const FqlValue& self, const Arguments&) {
  TRY(step_bytes(run, self.text().size()));
  return make_text(run, to_upper(self.text()));
}

Result<FqlValue> string_casefold(Run& run, const FqlValue& self, const Arguments& a) {
  TRY(step_bytes(run, self.text().size()));
  auto folded = case_folded(self.text(), a.has(0) ? a[0].text() : "NFKCCaseFold");
  if (folded) return make_text(run, std::move(*folded));
  return run.fail_argument("format",
                           "expected a casefold format (one of NFKCCaseFold, NFC, NFD, NFKC, or "
                           "NFKD)");
}

}  // namespace

std::span<const Method> string_methods() {
  static const Method table[] = {
      {"String", "length", "Int", "Its number of characters.", R"("fauna".length)", "5",
       string_length},
      {"String", "at", "(index: Int) => String", "The character at that position, from 0.",
       R"("fauna".at(2))", R"("u")", string_at},
      {"String", "concat", "(other: String) => String", "Both texts as one.",
       R"("fau".concat("na"))", R"("fauna")", string_concat},
      {"String", "startsWith", "(prefix: String) => Boolean", "Whether it begins with that text.",
       R"("fauna".startsWith("fau"))", "true", string_starts_with},
      {"String", "endsWith", "(suffix: String) => Boolean", "Whether it ends with that text.",
       R"("fauna".endsWith("na"))", "true", string_ends_with},
      {"String", "includes", "(pattern: String) => Boolean", "Whether that text occurs in it.",
       R"("fauna".includes("un"))", "true", string_includes},
      {"String", "indexOf", "(pattern: String, start?: Int) => Int | Null",
       "Where that text first occurs, at `start` or behind it.", R"("banana".indexOf("an", 2))",
       "3", string_index_of},
      {"String", "lastIndexOf", "(pattern: String, end?: Int) => Int | Null",
       "Where that text last occurs, at `end` or before it.", R"("banana".lastIndexOf("an"))", "3",
       string_last_index_of},
      {"String", "insert", "(index: Int, other: String) => String",
       "The text with another one inserted at that position.", R"("fana".insert(2, "u"))",
       R"("fauna")", string_insert},
      {"String", "replace", "(pattern: String, replacement: String, count?: Int) => String",
       "The first `count` occurrences of that text replaced; one, where `count` is left out.",
       R"("banana".replace("a", "o"))", R"("bonana")", string_replace},
      {"String", "replaceAll", "(pattern: String, replacement: String) => String",
       "All occurrences of that text replaced.", R"("banana".replaceAll("a", "o"))", R"("bonono")",
       string_replace_all},
      {"String", "slice", "(from: Int, until?: Int) => String",
       "The characters from one position until before another.", R"("banana".slice(2, 4))",
       R"("na")", string_slice},
      {"String", "split", "(separator: String) => Array<String>",
       "What lies between the separators; the characters, where it is empty.",
       R"("a,b".split(",").length)", "2", string_split},
      {"String", "splitAt", "(index: Int) => Array<String>",
       "What lies before and behind that position.", R"("fauna".splitAt(2).last())", R"("una")",
       string_split_at},
      {"String", "toLowerCase", "() => String", "Its letters as small ones.",
       R"("FAUNA".toLowerCase())", R"("fauna")", string_to_lower_case},
      {"String", "toUpperCase", "() => String", "Its letters as capitals.",
       R"("fauna".toUpperCase())", R"("FAUNA")", string_to_upper_case},
      {"String", "casefold", "(format?: String) => String",
       "What texts have in common that differ in case or spelling of characters only. Formats: "
       "NFKCCaseFold, NFC, NFD, NFKC, NFKD.",
       R"("ＦＡＵＮＡ".casefold())", R"("fauna")", string_casefold},
  };
  return table;
}

}  // namespace mayfly::fauna
