// Finding one text in another. RE2 runs in time linear in the text, whatever the pattern.
#include <re2/re2.h>

#include <memory>
#include <string>

#include "expr/functions/case.h"
#include "expr/functions/families.h"
#include "expr/functions/utf8.h"

namespace mayfly {
namespace {

Result<Value> contains(const Arguments& a) {
  return all_texts(a) ? Value(a[0].text().find(a[1].text()) != std::string::npos) : Value();
}
Result<Value> starts_with(const Arguments& a) {
  return all_texts(a) ? Value(a[0].text().starts_with(a[1].text())) : Value();
}
Result<Value> ends_with(const Arguments& a) {
  return all_texts(a) ? Value(a[0].text().ends_with(a[1].text())) : Value();
}
Result<Value> contains_ignoring_case(const Arguments& a) {
  if (!all_texts(a)) return Value();
  return Value(fold_case(a[0].text()).find(fold_case(a[1].text())) != std::string::npos);
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
  return position(text, text.find(a[1].text(), from));
}

Result<Value> last_index_of(const Arguments& a) {
  return all_texts(a) ? position(a[0].text(), a[0].text().rfind(a[1].text())) : Value();
}

// --- patterns ---

constexpr std::int64_t pattern_bytes_max = 1 << 20;  // what a compiled pattern may take

struct Pattern final : expr::Prepared {
  explicit Pattern(const std::string& text, const RE2::Options& options) : re(text, options) {}
  RE2 re;
};

// Null where the pattern or its flags are malformed.
std::shared_ptr<const Pattern> compile(const std::string& pattern, std::string_view flags) {
  RE2::Options options(RE2::Quiet);
  options.set_max_mem(pattern_bytes_max);
  std::string inline_flags;
  for (const char flag : flags) {
    if (flag == 'i') {
      options.set_case_sensitive(false);
    } else if (flag == 'm' || flag == 's') {
      inline_flags += flag;
    } else {
      return nullptr;
    }
  }
  if (!inline_flags.empty()) inline_flags = "(?" + inline_flags + ")";
  auto compiled = std::make_shared<const Pattern>(inline_flags + pattern, options);
  return compiled->re.ok() ? compiled : nullptr;
}

std::shared_ptr<const Pattern> compile(const Value& pattern, const Value& flags) {
  if (!pattern.is(Kind::text) || !(flags.is(Kind::text) || flags.is_missing())) return nullptr;
  return compile(pattern.text(), flags.is(Kind::text) ? std::string_view(flags.text()) : "");
}

std::shared_ptr<const expr::Prepared> prepare_pattern(std::span<const Value* const> literals) {
  if (literals[1] == nullptr || (literals.size() > 2 && literals[2] == nullptr)) return nullptr;
  static const Value no_flags;
  return compile(*literals[1], literals.size() > 2 ? *literals[2] : no_flags);
}

Result<Value> matches(const Arguments& a) {
  if (!a[0].is(Kind::text)) return Value();
  std::shared_ptr<const Pattern> made;
  const auto* pattern = static_cast<const Pattern*>(a.prepared());
  if (pattern == nullptr) {
    made = compile(a[1], a[2]);
    pattern = made.get();
  }
  if (pattern == nullptr) return Value();
  return Value(RE2::PartialMatch(a[0].text(), pattern->re));
}

Function search(std::string_view name, std::string_view summary,
                Result<Value> (*apply)(const Arguments&), std::vector<Example> examples) {
  return {.name = name,
          .summary = summary,
          .arguments_min = 2,
          .arguments_max = 2,
          .apply = apply,
          .examples = std::move(examples),
          .gives_truth = true};
}

}  // namespace

std::span<const Function> search_functions() {
  static const Function table[] = {
      search("contains", "Whether the text holds the other.", contains,
             {{R"("mayfly", "fl")", "true"}, {R"("a", "")", "true"}, {R"("a", 1)", "missing"}}),
      search("starts_with", "Whether the text begins with the other.", starts_with,
             {{R"("mayfly", "may")", "true"}, {R"("mayfly", "fly")", "false"}}),
      search("ends_with", "Whether the text ends with the other.", ends_with,
             {{R"("mayfly", "fly")", "true"}, {R"("mayfly", "may")", "false"}}),
      search("equal_ignoring_case", "Whether two texts differ at most in case.",
             equal_ignoring_case, {{R"("Straße", "STRASSE")", "true"}, {R"("a", "b")", "false"}}),
      search("contains_ignoring_case", "Whether the text holds the other in any case.",
             contains_ignoring_case, {{R"("MayFly", "yfl")", "true"}, {R"("É", "é")", "true"}}),
      search("starts_with_ignoring_case", "Whether the text begins with the other in any case.",
             starts_with_ignoring_case, {{R"("MayFly", "mAY")", "true"}}),
      search("ends_with_ignoring_case", "Whether the text ends with the other in any case.",
             ends_with_ignoring_case, {{R"("MayFly", "FLY")", "true"}}),
      {.name = "index_of",
       .summary =
           "The position of the first occurrence, at or behind a position; -1 if there is none.",
       .arguments_min = 2,
       .arguments_max = 3,
       .apply = index_of,
       .examples = {{R"("día día", "a")", "2"},
                    {R"("día día", "a", 3)", "6"},
                    {R"("abc", "x")", "-1"}}},
      {.name = "last_index_of",
       .summary = "The position of the last occurrence; -1 if there is none.",
       .arguments_min = 2,
       .arguments_max = 2,
       .apply = last_index_of,
       .examples = {{R"("día día", "a")", "6"}, {R"("abc", "x")", "-1"}}},
      {.name = "matches",
       .summary =
           "Whether the pattern (RE2 syntax) occurs in the text. Flags: i ignores case, m lets "
           "^ and $ match at lines, s lets . match a line's end. Malformed: missing.",
       .arguments_min = 2,
       .arguments_max = 3,
       .apply = matches,
       .examples = {{R"("order-17", "^order-[0-9]+$")", "true"},
                    {R"("ABC", "b", "i")", "true"},
                    {R"("a\nb", "^b$", "m")", "true"},
                    {R"("abc", "(")", "missing"},
                    {R"("abc", "b", "q")", "missing"}},
       .gives_truth = true,
       .prepare = prepare_pattern},
  };
  return table;
}

}  // namespace mayfly
