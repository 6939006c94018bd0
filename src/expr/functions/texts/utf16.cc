// Texts as sequences of UTF-16 code units: positions and lengths as JavaScript and .NET count them.
// A character beyond 16 bits counts two; half of one cannot be written in UTF-8, and becomes
// U+FFFD.
#include <algorithm>
#include <string>

#include "expr/functions/families.h"
#include "expr/functions/texts/find.h"
#include "expr/functions/texts/utf8.h"

namespace mayfly {
namespace {

std::size_t units_of(char lead) {
  return static_cast<unsigned char>(lead) >= 0xF0 ? 2 : 1;
}

std::size_t count_units(std::string_view text) {
  std::size_t n = 0;
  for (const char c : text) n += begins_code_point(c) ? units_of(c) : 0;
  return n;
}

// A position in a text: before the byte, or in the middle of the character that begins there.
struct UnitPosition {
  std::size_t byte = 0;
  bool is_inside = false;
};

// The position n units on; the end of the text if there are fewer.
UnitPosition skip_units(std::string_view text, std::size_t n) {
  UnitPosition at;
  while (n > 0 && at.byte < text.size()) {
    if (n == 1 && units_of(text[at.byte]) == 2) return {at.byte, true};
    n -= units_of(text[at.byte]);
    at.byte = skip_code_points(text, 1, at.byte);
  }
  return at;
}

std::string between(std::string_view text, UnitPosition from, UnitPosition to) {
  constexpr std::string_view half = "\uFFFD";
  std::string out;
  if (from.is_inside) {
    out = half;
    from.byte = skip_code_points(text, 1, from.byte);
  }
  if (to.byte > from.byte) out += text.substr(from.byte, to.byte - from.byte);
  if (to.is_inside) out += half;
  return out;
}

// Both positions are within the text.
std::string units_between(std::string_view text, std::size_t from, std::size_t to) {
  return between(text, skip_units(text, from), skip_units(text, to));
}

Result<Value> utf16_length(const Arguments& a) {
  if (!a[0].is(Kind::text)) return Value();
  return static_cast<std::int64_t>(count_units(a[0].text()));
}

Result<Value> utf16_substring(const Arguments& a) {
  const auto start = whole_number_or_bound(a[1]);
  const auto count = whole_number_or_bound(a[2]);
  if (!a[0].is(Kind::text) || !start || !count) return Value();
  const std::string& text = a[0].text();
  const auto size = static_cast<std::int64_t>(count_units(text));
  if (*start < 0 || *start >= size || *count <= 0) return Value("");
  const std::int64_t end = *start + std::min(*count, size - *start);
  return Value(
      units_between(text, static_cast<std::size_t>(*start), static_cast<std::size_t>(end)));
}

Result<Value> left(const Arguments& a) {
  const auto requested_count = whole_number_or_bound(a[1]);
  if (!a[0].is(Kind::text) || !requested_count) return Value();
  if (*requested_count <= 0) return Value("");
  return Value(units_between(a[0].text(), 0, static_cast<std::size_t>(*requested_count)));
}

Result<Value> right(const Arguments& a) {
  const auto requested_count = whole_number_or_bound(a[1]);
  if (!a[0].is(Kind::text) || !requested_count) return Value();
  if (*requested_count <= 0) return Value("");
  const std::size_t size = count_units(a[0].text());
  const std::size_t kept = std::min(size, static_cast<std::size_t>(*requested_count));
  return Value(units_between(a[0].text(), size - kept, size));
}

Value utf16_position(std::string_view text, std::size_t found) {
  if (found == std::string::npos) return Value(-1);
  return static_cast<std::int64_t>(count_units(text.substr(0, found)));
}

Result<Value> utf16_index_of(const Arguments& a) {
  if (!a[0].is(Kind::text) || !a[1].is(Kind::text)) return Value();
  const auto start = a.size() > 2 ? whole_number_or_bound(a[2]) : 0;
  if (!start || *start < 0) return Value();
  const std::string& text = a[0].text();
  if (*start > static_cast<std::int64_t>(count_units(text))) return Value(-1);
  const UnitPosition from = skip_units(text, static_cast<std::size_t>(*start));
  const std::size_t byte = from.is_inside ? skip_code_points(text, 1, from.byte) : from.byte;
  return utf16_position(text, find_text(text, a[1].text(), byte));
}

Result<Value> utf16_last_index_of(const Arguments& a) {
  if (!all_texts(a)) return Value();
  return utf16_position(a[0].text(), find_last_text(a[0].text(), a[1].text()));
}

}  // namespace

std::span<const Function> utf16_functions() {
  static const Function table[] = {
      n_ary("length_utf16", 1, 1, "How many UTF-16 code units the text has.", utf16_length,
            {{R"("mayfly")", "6"}, {R"("día🦋")", "5"}, {R"("")", "0"}, {"[1]", "missing"}}),
      n_ary("substring_utf16", 3, 3, "So many code units from a position on, counted from 0.",
            utf16_substring,
            {{R"("AdventureWorks", 0, 9)", R"("Adventure")"},
             {R"("abc", 1, 9)", R"("bc")"},
             {R"("abc", -1, 2)", R"("")"},
             {R"("abc", 3, 1)", R"("")"},
             {R"("abc", 1, 0)", R"("")"},
             {R"("abc", 1.0, 1)", R"("b")"},
             {R"("abc", 0.5, 1)", "missing"},
             {R"("abc", 0, missing)", "missing"},
             {R"("a🦋b", 1, 2)", R"("🦋")"},
             {R"("a🦋b", 2, 2)", R"("�b")"},
             {R"("🦋", 0, 1)", R"("�")"}}),
      n_ary("left_utf16", 2, 2, "The first so many code units.", left,
            {{R"("AdventureWorks", 5)", R"("Adven")"},
             {R"("abc", 0)", R"("")"},
             {R"("abc", -1)", R"("")"},
             {R"("abc", 9)", R"("abc")"},
             {R"("abc", 0.5)", "missing"},
             {"1, 1", "missing"}}),
      n_ary("right_utf16", 2, 2, "The last so many code units.", right,
            {{R"("AdventureWorks", 5)", R"("Works")"},
             {R"("abc", 0)", R"("")"},
             {R"("abc", 9)", R"("abc")"},
             {R"("a🦋", 2)", R"("🦋")"},
             {R"("abc", 1.5)", "missing"}}),
      n_ary("index_of_utf16", 2, 3,
            "The position of the first occurrence, at or behind a position; -1 if there is none.",
            utf16_index_of,
            {{R"("AdventureWorks", "Works")", "9"},
             {R"("🦋 día", "d")", "3"},
             {R"("abcabc", "a", 1)", "3"},
             {R"("abc", "a", 1)", "-1"},
             {R"("abc", "x")", "-1"},
             {R"("abc", "c", 9)", "-1"},
             {R"("abc", "")", "0"},
             {R"("abc", "c", 0.5)", "missing"}}),
      n_ary("last_index_of_utf16", 2, 2,
            "The position of the last occurrence; -1 if there is none.", utf16_last_index_of,
            {{R"("abcabc", "a")", "3"}, {R"("🦋🦋", "🦋")", "2"}, {R"("abc", "x")", "-1"}}),
  };
  return table;
}

}  // namespace mayfly
