// Searches for one text in another.
#include <string>

#include "expr/functions/families.h"
#include "expr/functions/texts/case.h"
#include "expr/functions/texts/find.h"
#include "expr/functions/texts/utf8.h"

namespace mayfly {
namespace {

Result<Value> contains(const Arguments& a) {
  return all_texts(a) ? Value(find_text(a[0].text(), a[1].text()) != std::string::npos) : Value();
}
Result<Value> starts_with(const Arguments& a) {
  return all_texts(a) ? Value(a[0].text().starts_with(a[1].text())) : Value();
}
Result<Value> ends_with(const Arguments& a) {
  return all_texts(a) ? Value(a[0].text().ends_with(a[1].text())) : Value();
}
Result<Value> equal_text(const Arguments& a) {
  return all_texts(a) ? Value(a[0].text() == a[1].text()) : Value();
}
Result<Value> contains_ignoring_case(const Arguments& a) {
  if (!all_texts(a)) return Value();
  return Value(find_text(fold_case(a[0].text()), fold_case(a[1].text())) != std::string::npos);
}
Result<Value> starts_with_ignoring_case(const Arguments& a) {
  return all_texts(a) ? Value(fold_case(a[0].text()).starts_with(fold_case(a[1].text()))) : Value();
}
Result<Value> ends_with_ignoring_case(const Arguments& a) {
  return all_texts(a) ? Value(fold_case(a[0].text()).ends_with(fold_case(a[1].text()))) : Value();
}
Result<Value> equal_ignoring_case(const Arguments& a) {
  return all_texts(a) ? Value(fold_case(a[0].text()) == fold_case(a[1].text())) : Value();
}

Value position(std::string_view text, std::size_t found) {
  if (found == std::string::npos) return Value(-1);
  return static_cast<std::int64_t>(count_code_points(text.substr(0, found)));
}

Result<Value> index_of(const Arguments& a) {
  if (!a[0].is(Kind::text) || !a[1].is(Kind::text)) return Value();
  if (a.size() > 2 && (!a[2].is(Kind::integer) || a[2].integer() < 0)) return Value();
  const std::string& text = a[0].text();
  const std::size_t from =
      a.size() > 2 ? skip_code_points(text, static_cast<std::size_t>(a[2].integer())) : 0;
  return position(text, find_text(text, a[1].text(), from));
}

Result<Value> last_index_of(const Arguments& a) {
  return all_texts(a) ? position(a[0].text(), find_last_text(a[0].text(), a[1].text())) : Value();
}

}  // namespace

std::span<const Function> search_functions() {
  static const Function table[] = {
      binary_test(
          "contains", "Whether the text holds the other.", contains,
          {{R"("mayfly", "fl")", "true"}, {R"("a", "")", "true"}, {R"("a", 1)", "missing"}}),
      binary_test("starts_with", "Whether the text begins with the other.", starts_with,
                  {{R"("mayfly", "may")", "true"}, {R"("mayfly", "fly")", "false"}}),
      binary_test("ends_with", "Whether the text ends with the other.", ends_with,
                  {{R"("mayfly", "fly")", "true"}, {R"("mayfly", "may")", "false"}}),
      binary_test("equal_text", "Whether two texts are the same; missing for other kinds.",
                  equal_text,
                  {{R"("a", "a")", "true"}, {R"("a", "A")", "false"}, {"1, 1", "missing"}}),
      binary_test("equal_ignoring_case", "Whether two texts differ at most in case.",
                  equal_ignoring_case,
                  {{R"("Straße", "STRASSE")", "true"}, {R"("a", "b")", "false"}}),
      binary_test("contains_ignoring_case", "Whether the text holds the other in any case.",
                  contains_ignoring_case,
                  {{R"("MayFly", "yfl")", "true"}, {R"("É", "é")", "true"}}),
      binary_test("starts_with_ignoring_case",
                  "Whether the text begins with the other in any case.", starts_with_ignoring_case,
                  {{R"("MayFly", "mAY")", "true"}}),
      binary_test("ends_with_ignoring_case", "Whether the text ends with the other in any case.",
                  ends_with_ignoring_case, {{R"("MayFly", "FLY")", "true"}}),
      n_ary("index_of", 2, 3,
            "The position of the first occurrence, at or behind a position; -1 if there is none.",
            index_of,
            {{R"("día día", "a")", "2"}, {R"("día día", "a", 3)", "6"}, {R"("abc", "x")", "-1"}}),
      binary("last_index_of", "The position of the last occurrence; -1 if there is none.",
             last_index_of, {{R"("día día", "a")", "6"}, {R"("abc", "x")", "-1"}}),
  };
  return table;
}

}  // namespace mayfly
