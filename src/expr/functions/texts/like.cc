// Matches texts with LIKE patterns: %, _, [a-f], [^a-f]. The pattern is split at each %, and the
// segments are searched for from left to right, which finds a match if there is one. No regular
// expression is built: a thousand _ take a thousand steps.
#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "expr/functions/families.h"
#include "expr/functions/texts/find.h"
#include "expr/functions/texts/like.h"
#include "expr/functions/texts/utf8.h"
#include "expr/functions/work.h"

namespace mayfly {
namespace {

// The code of one character of a text: its bytes in big-endian order, which keeps the order of code
// points.
std::uint32_t code_of_character(std::string_view character) {
  std::uint32_t code = 0;
  for (const char c : character) code = code << 8 | static_cast<unsigned char>(c);
  return code;
}

std::string_view like_character_at(std::string_view text, std::size_t at) {
  return text.substr(at, skip_code_points(text, 1, at) - at);
}

struct CharacterSet {
  struct Interval {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };
  std::vector<Interval> intervals;
  bool is_negated = false;

  // Sorts the intervals and merges adjacent ones.
  void normalize() {
    std::sort(intervals.begin(), intervals.end(),
              [](const Interval& a, const Interval& b) { return a.first < b.first; });
    std::size_t kept = 0;
    for (const Interval& next : intervals) {
      if (kept > 0 && next.first <= intervals[kept - 1].last) {
        intervals[kept - 1].last = std::max(intervals[kept - 1].last, next.last);
      } else {
        intervals[kept++] = next;
      }
    }
    intervals.resize(kept);
  }

  bool contains(std::uint32_t code) const {
    const auto behind =
        std::upper_bound(intervals.begin(), intervals.end(), code,
                         [](std::uint32_t c, const Interval& i) { return c < i.first; });
    const bool is_listed = behind != intervals.begin() && code <= std::prev(behind)->last;
    return is_listed != is_negated;
  }
};

// A condition on one character of a text.
struct Token {
  enum class Kind : std::uint8_t { one, any, of_set };
  Kind kind = Kind::one;
  std::uint32_t code = 0;  // one
  std::size_t set = 0;     // of_set: its index in the pattern
};

// The tokens between two %.
struct Segment {
  std::vector<Token> tokens;
  std::string literal;  // the tokens as a text, if all are `one`
  bool is_literal = true;
  bool has_any_only = true;  // all tokens are `any`
};

struct LikePattern final : expr::Prepared {
  std::vector<Segment> segments;  // at least one
  std::vector<CharacterSet> sets;
};

// --- parsing a pattern ---

class LikeParser {
 public:
  LikeParser(std::string_view like, std::string_view escape) : like_(like), escape_(escape) {}

  // Null if the escape is the last character, or if a range of characters is reversed.
  std::shared_ptr<const LikePattern> parse() {
    made_->segments.emplace_back();
    while (at_ < like_.size()) {
      const std::string_view character = take();
      if (character == escape_) {
        if (at_ == like_.size()) return nullptr;
        put_one(take());
      } else if (character == "[" && is_any_closed_) {
        if (!put_set()) return nullptr;
      } else if (character == "%") {
        made_->segments.emplace_back();
      } else if (character == "_") {
        put({Token::Kind::any});
      } else {
        put_one(character);
      }
    }
    return std::move(made_);
  }

 private:
  std::string_view take() {
    const std::string_view character = like_character_at(like_, at_);
    at_ += character.size();
    return character;
  }

  void put(Token token) {
    Segment& segment = made_->segments.back();
    segment.is_literal = segment.is_literal && token.kind == Token::Kind::one;
    segment.has_any_only = segment.has_any_only && token.kind == Token::Kind::any;
    segment.tokens.push_back(token);
  }

  void put_one(std::string_view character) {
    put({Token::Kind::one, code_of_character(character)});
    made_->segments.back().literal += character;
  }

  // Parses a set after an opening bracket. Without a closing bracket, the opening one stands for
  // itself. Returns false if the set is malformed.
  bool put_set() {
    const std::size_t begin = at_;
    CharacterSet set;
    set.is_negated = at_ < like_.size() && like_[at_] == '^';
    if (set.is_negated) ++at_;
    bool may_begin_range = false;  // whether the last character can begin a range
    while (at_ < like_.size() && like_[at_] != ']') {
      const std::string_view character = take();
      const bool is_range = character == "-" && may_begin_range && !set.intervals.empty() &&
                            at_ < like_.size() && like_[at_] != ']';
      if (is_range) {
        CharacterSet::Interval& interval = set.intervals.back();
        interval.last = code_of_character(escaped(take()));
        if (interval.last < interval.first) return false;
        may_begin_range = false;
        continue;
      }
      const std::uint32_t code = code_of_character(escaped(character));
      set.intervals.push_back({code, code});
      may_begin_range = true;
    }
    if (at_ == like_.size()) {
      is_any_closed_ = false;
      at_ = begin;
      put_one("[");
      return true;
    }
    ++at_;
    set.normalize();
    put({Token::Kind::of_set, 0, made_->sets.size()});
    made_->sets.push_back(std::move(set));
    return true;
  }

  // The character after an escape, or the character itself.
  std::string_view escaped(std::string_view character) {
    return character == escape_ && at_ < like_.size() ? take() : character;
  }

  const std::string_view like_;
  const std::string_view escape_;
  std::size_t at_ = 0;
  bool is_any_closed_ = true;  // whether a bracket opened from here on is closed
  std::shared_ptr<LikePattern> made_ = std::make_shared<LikePattern>();
};

// Null if the escape is no single character, or the pattern is malformed.
std::shared_ptr<const LikePattern> parse_like(const Value& pattern, const Value* escape) {
  if (!pattern.is(Kind::text) || (escape != nullptr && !escape->is(Kind::text))) return nullptr;
  if (escape != nullptr && count_code_points(escape->text()) != 1) return nullptr;
  return LikeParser(pattern.text(), escape != nullptr ? std::string_view(escape->text()) : "")
      .parse();
}

// --- matching ---

class LikeMatcher {
 public:
  LikeMatcher(const LikePattern& pattern, std::string_view text) : pattern_(pattern), text_(text) {}

  // Fails with too_large.
  Result<bool> matches() {
    const std::vector<Segment>& segments = pattern_.segments;
    const auto first_end = end_of(segments.front(), 0);
    if (!first_end) return false;
    if (segments.size() == 1) return *first_end == text_.size();
    std::size_t at = *first_end;
    for (std::size_t i = 1; i + 1 < segments.size(); ++i) {
      const auto end = TRY(find(segments[i], at));
      if (!end) return false;
      at = *end;
    }
    return ends_with(segments.back(), at);
  }

 private:
  bool fits(const Token& token, std::uint32_t code) const {
    if (token.kind == Token::Kind::any) return true;
    if (token.kind == Token::Kind::one) return token.code == code;
    return pattern_.sets[token.set].contains(code);
  }
  // The end of the segment that begins at `at`; nullopt if it does not match there.
  std::optional<std::size_t> end_of(const Segment& segment, std::size_t at) const {
    for (const Token& token : segment.tokens) {
      const std::string_view character = like_character_at(text_, at);
      if (character.empty() || !fits(token, code_of_character(character))) return std::nullopt;
      at += character.size();
    }
    return at;
  }

  // The end of the first occurrence at or after `at`.
  Result<std::optional<std::size_t>> find(const Segment& segment, std::size_t at) const {
    std::optional<std::size_t> end;
    if (segment.is_literal) {
      const std::size_t found = find_text(text_, segment.literal, at);
      if (found != std::string_view::npos) end = found + segment.literal.size();
      return end;
    }
    std::size_t left = count_code_points(text_.substr(at));
    if (segment.has_any_only) {
      if (left >= segment.tokens.size()) end = end_of(segment, at);
      return end;
    }
    TRY(check_function_work(text_.size() - at, segment.tokens.size()));
    for (; !end && left >= segment.tokens.size(); --left, at = skip_code_points(text_, 1, at)) {
      end = end_of(segment, at);
    }
    return end;
  }

  // Whether the text ends with the segment, at or after `from`.
  bool ends_with(const Segment& segment, std::size_t from) const {
    std::size_t at = text_.size();
    for (std::size_t i = 0; i < segment.tokens.size(); ++i) {
      if (at <= from) return false;
      --at;
      while (at > from && !begins_code_point(text_[at])) --at;
    }
    return end_of(segment, at) == text_.size();
  }

  const LikePattern& pattern_;
  const std::string_view text_;
};

std::shared_ptr<const expr::Prepared> prepare_like(std::span<const Value* const> literals) {
  if (literals[1] == nullptr || (literals.size() > 2 && literals[2] == nullptr)) return nullptr;
  return parse_like(*literals[1], literals.size() > 2 ? literals[2] : nullptr);
}

Result<Value> like(const Arguments& a) {
  if (!a[0].is(Kind::text)) return Value();
  std::shared_ptr<const LikePattern> made;
  const auto* pattern = static_cast<const LikePattern*>(a.prepared());
  if (pattern == nullptr) {
    made = parse_like(a[1], a.size() > 2 ? &a[2] : nullptr);
    pattern = made.get();
  }
  if (pattern == nullptr) return Value();
  return Value(TRY(LikeMatcher(*pattern, a[0].text()).matches()));
}

}  // namespace

Function like_function() {
  return {
      .name = "like",
      .summary =
          "Whether the text is of this form: % stands for any characters, _ for one, [a-f] for "
          "one of these, [^a-f] for any other. What stands behind the escape character stands for "
          "itself.",
      .arguments_min = 2,
      .arguments_max = 3,
      .apply = like,
      .examples = {{R"("order-17", "%o_d%")", "true"},
                   {R"("banana", "[a-c]%")", "true"},
                   {R"("zebra", "[^a-c]%")", "true"},
                   {R"("20%", "20[%]")", "true"},
                   {R"("20%", "20!%", "!")", "true"},
                   {R"("200", "20!%", "!")", "false"},
                   {R"("ABC", "abc")", "false"},
                   {R"("abcd", "abc")", "false"},
                   {R"("a\nb", "a%b")", "true"},
                   {R"("a🦋", "a_")", "true"},
                   {R"("a.c", "a.c")", "true"},
                   {R"("abc", "a.c")", "false"},
                   {R"("a-", "a[x-]")", "true"},
                   {R"("a[b", "a[b")", "true"},
                   {R"("aXbXc", "a%X%c")", "true"},
                   {R"("abab", "%ab")", "true"},
                   {R"("aab", "%a_")", "true"},
                   {R"("ab", "ab%b")", "false"},
                   {R"("día", "d_a")", "true"},
                   {R"("", "%")", "true"},
                   {R"("", "_")", "false"},
                   {R"("b", "[c-a]")", "missing"},
                   {R"("-", "[a-c-e]")", "true"},
                   {R"("x", "[^]")", "true"},
                   {R"("x", "[]")", "false"},
                   {R"("a", "a!", "!")", "missing"},
                   {R"("a", "a", "!!")", "missing"},
                   {R"("a", 1)", "missing"},
                   {R"(1, "1")", "missing"}},
      .symbol = "like",
      .gives_truth = true,
      .prepare = prepare_like};
}

}  // namespace mayfly
