#include "expr/relevance/passages.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "expr/functions/texts/utf8.h"
#include "expr/relevance/boundaries.h"

namespace mayfly::relevance {
namespace {

// The byte position n characters before `at`, but not before `begin`.
std::size_t back_code_points(std::string_view text, std::size_t n, std::size_t at,
                             std::size_t begin) {
  while (n > 0 && at > begin) {
    --at;
    if (begins_code_point(text[at])) --n;
  }
  return at;
}

// The end of the n characters from `begin` on; nullopt if there are no more characters than that.
std::optional<std::size_t> end_of_characters(std::string_view text, std::size_t n,
                                             std::size_t begin, std::size_t end) {
  const std::size_t at = skip_code_points(text.substr(0, end), n, begin);
  return at < end ? std::optional(at) : std::nullopt;
}

class Cutter {
 public:
  Cutter(std::string_view text, std::size_t characters_max)
      : text_(text),
        characters_max_(characters_max),
        sentences_(Boundaries::Of::sentences, text),
        words_(Boundaries::Of::words, text) {}

  // The passage around a term at `at`, after the previous passage, which ends at `behind`.
  Passage around(std::size_t at, std::size_t behind) {
    // A sentence is searched for once, even if it is cut into many passages.
    if (at >= sentence_end_) {
      sentence_begin_ = sentences_.before(skip_code_points(text_, 1, at));
      sentence_end_ = sentences_.behind(at);
    }
    Passage passage{std::max(sentence_begin_, behind), sentence_end_};
    if (characters_max_ > 0) cut(passage, at);
    return passage;
  }

 private:
  void cut(Passage& passage, std::size_t at) {
    if (!end_of_characters(text_, characters_max_, passage.begin, passage.end)) return;
    // After the first character of the term.
    const std::size_t in = skip_code_points(text_, 1, at);
    const std::size_t from = back_code_points(text_, characters_max_, in, passage.begin);
    if (from > passage.begin) passage.begin = std::max(passage.begin, words_.before(from));
    const std::size_t before = count_code_points(text_.substr(passage.begin, in - passage.begin));
    const std::size_t left = characters_max_ > before ? characters_max_ - before : 0;
    const auto end = end_of_characters(text_, left, in, passage.end);
    if (end) passage.end = std::min(passage.end, words_.behind(*end));
  }

  const std::string_view text_;
  const std::size_t characters_max_;
  Boundaries sentences_;
  Boundaries words_;
  std::size_t sentence_begin_ = 0;
  std::size_t sentence_end_ = 0;
};

}  // namespace

std::vector<Passage> passages_of(std::string_view text, std::span<const FoundTerm> found,
                                 std::size_t characters_max) {
  std::vector<Passage> passages;
  if (found.empty()) return passages;
  Cutter cutter(text, characters_max);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::size_t behind = passages.empty() ? 0 : passages.back().end;
    if (passages.empty() || found[i].begin >= behind) {
      passages.push_back(cutter.around(found[i].begin, behind));
      passages.back().first = i;
    }
    ++passages.back().count;
  }
  return passages;
}

double passage_score(const Passage& passage, std::span<const FoundTerm> found,
                     const PassagePosition& setting, std::span<const std::uint32_t> often) {
  constexpr double usual = 87;  // characters of a passage
  constexpr double saturation = 1.2;
  constexpr double by_length = 0.75;
  std::map<std::uint32_t, double> times;
  for (const FoundTerm& one : found.subspan(passage.first, passage.count)) times[one.term] += 1;
  const double texts = 1 + static_cast<double>(setting.length) / usual;
  const double length = static_cast<double>(passage.end - passage.begin) / usual;
  const double norm = saturation * ((1 - by_length) + by_length * length);
  double worth = 0;
  for (const auto& [term, n] : times) {
    const double rarity = std::log(1 + (texts + 0.5) / (static_cast<double>(often[term]) + 0.5));
    worth += (saturation + 1) * rarity * n / (n + norm);
  }
  return worth * (1 + 1 / std::log(usual + static_cast<double>(setting.begin)));
}

std::string_view beginning_of(std::string_view text, std::size_t characters) {
  const std::size_t cut = skip_code_points(text, characters);
  if (cut >= text.size()) return text;
  return text.substr(0, Boundaries(Boundaries::Of::words, text).behind(cut));
}

}  // namespace mayfly::relevance
