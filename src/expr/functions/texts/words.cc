// Finds words. One of the only users of ICU, with case.cc and relevance/boundaries.cc.
#include "expr/functions/texts/words.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>

#include "expr/functions/families.h"
#include "expr/functions/texts/case.h"
#include "expr/functions/texts/utf8.h"
#include "expr/functions/work.h"

namespace mayfly {
namespace {

bool is_of_word(UChar32 c) {
  if (c < 0) return false;  // malformed
  if (c < 0x80) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }
  return u_isalnum(c) || (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0;
}

// Returns one word after another, as written.
class WordScanner {
 public:
  explicit WordScanner(std::string_view text) : text_(text) {}

  // The next word; empty at the end.
  std::string_view next() {
    std::size_t begin = at_;
    while (at_ < text_.size() && !step()) begin = at_;
    while (at_ < text_.size()) {
      const std::size_t end = at_;
      if (step()) continue;
      return text_.substr(begin, end - begin);
    }
    return text_.substr(begin, at_ - begin);
  }

 private:
  // Skips one character, and returns whether it is part of a word.
  bool step() {
    const auto size = static_cast<std::int32_t>(text_.size());
    auto i = static_cast<std::int32_t>(at_);
    UChar32 c = 0;
    U8_NEXT(text_.data(), i, size, c);
    at_ = static_cast<std::size_t>(i);
    return is_of_word(c);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

char small(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

// Whether the written word equals `word` in lower case, or begins with it.
bool is_word(std::string_view written, std::string_view word, bool as_prefix = false) {
  if (!is_ascii(written)) {
    const std::string lowered = to_lower(written);
    return as_prefix ? lowered.starts_with(word) : lowered == word;
  }
  if (as_prefix ? written.size() < word.size() : written.size() != word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (small(written[i]) != word[i]) return false;
  }
  return true;
}

Result<Value> words(const Arguments& a) {
  if (!a[0].is(Kind::text)) return Value();
  Array found;
  for (std::string& word : words_of(a[0].text())) found.emplace_back(std::move(word));
  return Value(std::move(found));
}

Result<Value> has_word(const Arguments& a) {
  if (!all_texts(a)) return Value();
  WordScanner scanner(a[0].text());
  for (std::string_view word = scanner.next(); !word.empty(); word = scanner.next()) {
    if (is_word(word, a[1].text())) return Value(true);
  }
  return Value(false);
}

bool is_one_of(std::string_view written, const Array& words) {
  return std::any_of(words.begin(), words.end(), [&](const Value& word) {
    return word.is(Kind::text) && is_word(written, word.text());
  });
}

Result<Value> has_any_word(const Arguments& a) {
  if (!a[0].is(Kind::text) || !a[1].is(Kind::array)) return Value();
  TRY(check_function_work(a[0].text().size(), a[1].array().size()));
  WordScanner scanner(a[0].text());
  for (std::string_view word = scanner.next(); !word.empty(); word = scanner.next()) {
    if (is_one_of(word, a[1].array())) return Value(true);
  }
  return Value(false);
}

// Whether these words occur at `at`; the last one may be a prefix.
bool words_match_at(const std::vector<std::string_view>& written, std::size_t at,
                    const Array& words, bool ends_in_prefix) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool as_prefix = ends_in_prefix && i + 1 == words.size();
    if (!words[i].is(Kind::text)) return false;
    if (!is_word(written[at + i], words[i].text(), as_prefix)) return false;
  }
  return true;
}

template <bool ends_in_prefix>
Result<Value> has_words_in_order(const Arguments& a) {
  if (!a[0].is(Kind::text) || !a[1].is(Kind::array)) return Value();
  const Array& needles = a[1].array();
  if (needles.empty()) return Value(false);
  TRY(check_function_work(a[0].text().size(), needles.size()));
  std::vector<std::string_view> written;
  WordScanner scanner(a[0].text());
  for (std::string_view word = scanner.next(); !word.empty(); word = scanner.next()) {
    written.push_back(word);
  }
  for (std::size_t at = 0; at + needles.size() <= written.size(); ++at) {
    if (words_match_at(written, at, needles, ends_in_prefix)) return Value(true);
  }
  return Value(false);
}

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> found;
  WordScanner scanner(text);
  for (std::string_view word = scanner.next(); !word.empty(); word = scanner.next()) {
    found.push_back(to_lower(word));
  }
  return found;
}

std::vector<FoundWord> find_words(std::string_view text) {
  std::vector<FoundWord> found;
  WordScanner scanner(text);
  for (std::string_view word = scanner.next(); !word.empty(); word = scanner.next()) {
    const auto begin = static_cast<std::size_t>(word.data() - text.data());
    found.push_back({to_lower(word), begin, begin + word.size()});
  }
  return found;
}

std::span<const Function> word_functions() {
  static const Function table[] = {
      unary("words",
            "The words of a text, in small letters: its runs of letters, digits and "
            "underscores.",
            words,
            {{R"("Hey! Ho_1, Größe-2")", R"(["hey","ho_1","größe","2"])"},
             {R"("...")", "[]"},
             {R"("日本 x")", R"(["日本","x"])"},
             {"1", "missing"}}),
      binary_test("has_word", "Whether this is one of the text's words.", has_word,
                  {{R"("Hey! Ho!", "hey")", "true"},
                   {R"("Hey! Ho!", "Hey")", "false"},
                   {R"("ÉTÉ", "été")", "true"},
                   {R"("", "")", "false"},
                   {R"(1, "a")", "missing"}}),
      binary_test("has_any_word", "Whether one of these is one of the text's words.", has_any_word,
                  {{R"("Hey! Ho!", ["hi","ho"])", "true"},
                   {R"("Hey", [])", "false"},
                   {R"("Hey", "hey")", "missing"}}),
      binary_test("has_words_in_order", "Whether these words stand in the text side by side.",
                  has_words_in_order<false>,
                  {{R"("The quick, brown fox", ["quick","brown"])", "true"},
                   {R"("The quick, brown fox", ["quick","fox"])", "false"},
                   {R"("a a b", ["a","b"])", "true"},
                   {R"("a", [])", "false"}}),
      binary_test("has_words_then_prefix",
                  "The same, where of the last word only its beginning needs to stand there.",
                  has_words_in_order<true>,
                  {{R"("The quick, brown fox", ["quick","br"])", "true"},
                   {R"("The quick, brown fox", ["qui","brown"])", "false"}}),
  };
  return table;
}

}  // namespace mayfly
