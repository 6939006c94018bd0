// Functions that build texts from texts. Positions and lengths count code points;
// utf16.cc has those that count UTF-16 code units.
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "expr/functions/families.h"
#include "expr/functions/texts/case.h"
#include "expr/functions/texts/find.h"
#include "expr/functions/texts/utf8.h"

namespace mayfly {
namespace {

constexpr std::string_view white_space = " \t\n\r\f\v";

Result<Value> concat(const Arguments& a) {
  if (!all_texts(a)) return Value();
  std::size_t size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) size += a[i].text().size();
  TRY(check_text_size(size));
  std::string out;
  out.reserve(size);
  for (std::size_t i = 0; i < a.size(); ++i) out += a[i].text();
  return Value(std::move(out));
}

Result<Value> length(const Arguments& a) {
  if (!a[0].is(Kind::text)) return Value();
  return static_cast<std::int64_t>(count_code_points(a[0].text()));
}

Result<Value> lower(const Arguments& a) {
  return a[0].is(Kind::text) ? Value(to_lower(a[0].text())) : Value();
}

Result<Value> upper(const Arguments& a) {
  return a[0].is(Kind::text) ? Value(to_upper(a[0].text())) : Value();
}

Result<Value> substring(const Arguments& a) {
  if (!a[0].is(Kind::text) || !a[1].is(Kind::integer)) return Value();
  if (a.size() > 2 && !a[2].is(Kind::integer)) return Value();
  const std::string& text = a[0].text();
  const std::int64_t start = a[1].integer();
  const std::int64_t count = a.size() > 2 ? a[2].integer() : static_cast<std::int64_t>(text.size());
  if (start < 0 || count <= 0) return Value("");
  const std::size_t from = skip_code_points(text, static_cast<std::size_t>(start));
  const std::size_t to = skip_code_points(text, static_cast<std::size_t>(count), from);
  return Value(text.substr(from, to - from));
}

Result<Value> replace(const Arguments& a) {
  if (!all_texts(a) || a[1].text().empty()) return Value();
  const std::string& text = a[0].text();
  std::string out;
  std::size_t done = 0;
  for (std::size_t at = find_text(text, a[1].text()); at != std::string::npos;
       at = find_text(text, a[1].text(), done)) {
    out.append(text, done, at - done);
    out += a[2].text();
    done = at + a[1].text().size();
    TRY(check_text_size(out.size()));
  }
  out.append(text, done);
  TRY(check_text_size(out.size()));
  return Value(std::move(out));
}

// The characters to trim: those of the second argument, or white space. Nullopt if an argument is
// no text.
std::optional<std::set<std::string_view>> trimmed_characters(const Arguments& a) {
  if (!all_texts(a)) return std::nullopt;
  const std::string_view characters = a.size() > 1 ? std::string_view(a[1].text()) : white_space;
  std::set<std::string_view> each;
  for (std::size_t at = 0; at < characters.size();) {
    const std::size_t end = skip_code_points(characters, 1, at);
    each.insert(characters.substr(at, end - at));
    at = end;
  }
  return each;
}

std::string_view without_front(std::string_view text,
                               const std::set<std::string_view>& characters) {
  while (!text.empty()) {
    const std::size_t size = skip_code_points(text, 1);
    if (!characters.contains(text.substr(0, size))) break;
    text.remove_prefix(size);
  }
  return text;
}

std::string_view without_back(std::string_view text, const std::set<std::string_view>& characters) {
  while (!text.empty()) {
    std::size_t at = text.size() - 1;
    while (at > 0 && !begins_code_point(text[at])) --at;
    if (!characters.contains(text.substr(at))) break;
    text = text.substr(0, at);
  }
  return text;
}

Result<Value> trim(const Arguments& a) {
  const auto characters = trimmed_characters(a);
  if (!characters) return Value();
  return Value(without_back(without_front(a[0].text(), *characters), *characters));
}

Result<Value> trim_start(const Arguments& a) {
  const auto characters = trimmed_characters(a);
  return characters ? Value(without_front(a[0].text(), *characters)) : Value();
}

Result<Value> trim_end(const Arguments& a) {
  const auto characters = trimmed_characters(a);
  return characters ? Value(without_back(a[0].text(), *characters)) : Value();
}

Result<Value> split(const Arguments& a) {
  if (!all_texts(a)) return Value();
  const std::string& text = a[0].text();
  const std::string& separator = a[1].text();
  Array parts;
  std::size_t from = 0;
  while (true) {
    const std::size_t to = separator.empty()
                               ? skip_code_points(text, 1, from)
                               : std::min(find_text(text, separator, from), text.size());
    if (separator.empty() && from == text.size()) break;
    parts.emplace_back(text.substr(from, to - from));
    TRY(check_array_size(parts.size()));
    if (!separator.empty() && to == text.size()) break;
    from = to + separator.size();
  }
  return Value(std::move(parts));
}

Result<Value> split_at_text(const Arguments& a) {
  if (!all_texts(a)) return Value();
  return a[1].text().empty() ? Result<Value>(Array{a[0]}) : split(a);
}

Result<Value> join(const Arguments& a) {
  if (!a[0].is(Kind::array) || !a[1].is(Kind::text)) return Value();
  std::string out;
  bool is_first = true;
  for (const Value& item : a[0].array()) {
    if (!item.is(Kind::text)) return Value();
    if (!is_first) out += a[1].text();
    is_first = false;
    out += item.text();
    TRY(check_text_size(out.size()));
  }
  return Value(std::move(out));
}

Result<Value> reverse(const Arguments& a) {
  if (!a[0].is(Kind::text)) return Value();
  const std::string& text = a[0].text();
  std::string out;
  out.reserve(text.size());
  for (std::size_t end = text.size(); end > 0;) {
    std::size_t at = end - 1;
    while (at > 0 && !begins_code_point(text[at])) --at;
    out.append(text, at, end - at);
    end = at;
  }
  return Value(std::move(out));
}

Result<Value> repeat(const Arguments& a) {
  if (!a[0].is(Kind::text) || !a[1].is(Kind::integer) || a[1].integer() < 0) return Value();
  const std::string& text = a[0].text();
  if (text.empty()) return a[0];
  const auto times = static_cast<std::size_t>(a[1].integer());
  TRY(check_text_size(std::min(times, limits::document_bytes_max + 1) * text.size()));
  std::string out;
  out.reserve(times * text.size());
  for (std::size_t i = 0; i < times; ++i) out += text;
  return Value(std::move(out));
}

// Longer results are missing: an error in one row of many would be reported to no client.
Result<Value> repeat_within_10000(const Arguments& a) {
  constexpr double characters_max = 10'000;
  if (!a[0].is(Kind::text) || !a[1].is_number()) return Value();
  const double times = std::trunc(a[1].number());
  const auto characters = static_cast<double>(count_code_points(a[0].text()));
  if (!(times >= 0) || !(times * std::max(characters, 1.0) <= characters_max)) return Value();
  std::string out;
  for (int i = 0; i < static_cast<int>(times); ++i) out += a[0].text();
  return Value(std::move(out));
}

}  // namespace

std::span<const Function> text_functions() {
  static const Function table[] = {
      n_ary("concat", 0, any_number, "The texts one after another.", concat,
            {{R"("a", "b", "c")", R"("abc")"}, {R"("a", 1)", "missing"}, {"", R"("")"}}),
      n_ary("length", 1, 1, "How many characters the text has.", length,
            {{R"("mayfly")", "6"}, {R"("día🦋")", "4"}, {"[1]", "missing"}}),
      n_ary("lower", 1, 1, "The text in small letters.", lower,
            {{R"("AbC")", R"("abc")"}, {R"("ÄÖÜ")", R"("äöü")"}}),
      n_ary("upper", 1, 1, "The text in capital letters.", upper,
            {{R"("abc")", R"("ABC")"}, {R"("straße")", R"("STRASSE")"}}),
      n_ary("substring", 2, 3,
            "So many characters from a position on, counted from 0; all that follow "
            "where no number is given.",
            substring,
            {{R"("mayfly", 3)", R"("fly")"},
             {R"("día", 1, 1)", R"("í")"},
             {R"("abc", 5)", R"("")"},
             {R"("abc", -1)", R"("")"},
             {R"("abc", 0.5)", "missing"}}),
      n_ary("replace", 3, 3, "The text with each occurrence of the second replaced by the third.",
            replace, {{R"("a-b-c", "-", "+")", R"("a+b+c")"}, {R"("abc", "", "x")", "missing"}}),
      n_ary("trim", 1, 2,
            "The text without white space, or without these characters, at both ends.", trim,
            {{R"("  a b ")", R"("a b")"}, {R"("-_-x-_-", "-_")", R"("x")"}}),
      n_ary("trim_start", 1, 2, "The same at the start only.", trim_start,
            {{R"(" a ")", R"("a ")"}, {R"("ééa", "é")", R"("a")"}}),
      n_ary("trim_end", 1, 2, "The same at the end only.", trim_end,
            {{R"(" a ")", R"(" a")"}, {R"("aéé", "é")", R"("a")"}}),
      n_ary("split", 2, 2,
            "The parts between the separators; the characters where the separator is empty.", split,
            {{R"("a,b,,c", ",")", R"(["a","b","","c"])"},
             {R"("aé", "")", R"(["a","é"])"},
             {R"("", ",")", R"([""])"}}),
      n_ary("split_at_text", 2, 2,
            "The parts between the separators; the whole text where the separator is empty.",
            split_at_text,
            {{R"("xenmoun mountain bike", "moun")", R"(["xen"," ","tain bike"])"},
             {R"("Helmet", "")", R"(["Helmet"])"},
             {R"("", "")", R"([""])"},
             {R"("a", missing)", "missing"}}),
      n_ary("join", 2, 2, "The texts of an array with a separator between them.", join,
            {{R"(["a","b"], "-")", R"("a-b")"}, {R"([1], "-")", "missing"}}),
      n_ary("reverse", 1, 1, "The characters from the last to the first.", reverse,
            {{R"("abc")", R"("cba")"}, {R"("aé")", R"("éa")"}}),
      n_ary("repeat", 2, 2, "The text so many times.", repeat,
            {{R"("ab", 3)", R"("ababab")"}, {R"("ab", 0)", R"("")"}, {R"("ab", -1)", "missing"}}),
      n_ary("repeat_within_10000", 2, 2,
            "The text so many times, cut to a whole number; missing beyond 10000 characters.",
            repeat_within_10000,
            {{R"("ab", 3.9)", R"("ababab")"},
             {R"("ab", 0)", R"("")"},
             {R"("ab", -1)", "missing"},
             {R"("ab", 5001)", "missing"},
             {R"(1, 1)", "missing"}}),
  };
  return table;
}

}  // namespace mayfly
