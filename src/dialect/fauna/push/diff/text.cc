// Compares files line by line.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "dialect/fauna/push/diff/diff.h"

namespace mayfly::fauna {
namespace {

constexpr std::size_t context_lines = 3;
// Cells of the tables of common lines, for all files. Beyond this bound, everything between the
// equal beginning and end of a file counts as changed.
constexpr std::size_t cells_max = std::size_t{16} << 20;

using TextLines = std::vector<std::string_view>;

TextLines lines_of(std::string_view text) {
  TextLines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

struct LineChange {
  char sign;  // of a line: '+', '-', ' '
  std::string_view line;
};
using Changes = std::vector<LineChange>;

// Compares the part between the equal beginning and end, by the longest common subsequence of
// lines.
void between(const TextLines& a, const TextLines& b, std::size_t& remaining_cells, Changes& out) {
  const std::size_t width = b.size() + 1;
  const std::size_t cells = (a.size() + 1) * width;
  const bool is_table = cells <= remaining_cells;
  if (is_table) remaining_cells -= cells;
  std::vector<std::uint32_t> common(is_table ? cells : 0);
  if (is_table) {
    for (std::size_t i = a.size(); i-- > 0;) {
      for (std::size_t j = b.size(); j-- > 0;) {
        common[i * width + j] =
            a[i] == b[j] ? common[(i + 1) * width + j + 1] + 1
                         : std::max(common[(i + 1) * width + j], common[i * width + j + 1]);
      }
    }
  }
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() || j < b.size()) {
    const bool is_both = i < a.size() && j < b.size();
    if (is_table && is_both && a[i] == b[j]) {
      out.push_back({' ', a[i++]});
      ++j;
    } else if (i < a.size() && (j == b.size() || !is_table ||
                                common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      out.push_back({'-', a[i++]});
    } else {
      out.push_back({'+', b[j++]});
    }
  }
}

Changes changes_of(const TextLines& a, const TextLines& b, std::size_t& remaining_cells) {
  const std::size_t least = std::min(a.size(), b.size());
  std::size_t head = 0;
  while (head < least && a[head] == b[head]) ++head;
  std::size_t tail = 0;
  while (tail < least - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  Changes out;
  for (std::size_t i = 0; i < head; ++i) out.push_back({' ', a[i]});
  const auto middle = [&](const TextLines& lines) {
    return TextLines(lines.begin() + static_cast<std::ptrdiff_t>(head),
                     lines.end() - static_cast<std::ptrdiff_t>(tail));
  };
  between(middle(a), middle(b), remaining_cells, out);
  for (std::size_t i = a.size() - tail; i < a.size(); ++i) out.push_back({' ', a[i]});
  return out;
}

// Selects the lines to show: changed ones and their context.
std::vector<bool> shown_lines(const Changes& changes) {
  std::vector<bool> shown(changes.size());
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (changes[i].sign == ' ') continue;
    const std::size_t end = std::min(changes.size(), i + context_lines + 1);
    for (std::size_t k = i - std::min(i, context_lines); k < end; ++k) shown[k] = true;
  }
  return shown;
}

std::string render_hunks(const Changes& changes) {
  const std::vector<bool> shown = shown_lines(changes);
  std::string out;
  std::size_t old_line = 1;
  std::size_t new_line = 1;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const auto& [sign, line] = changes[i];
    if (shown[i] && (i == 0 || !shown[i - 1])) {
      out += fmt::format("@ line {} to {}\n", old_line, new_line);
    }
    if (shown[i]) out += fmt::format("{} {}\n", sign, line);
    if (sign != '+') ++old_line;
    if (sign != '-') ++new_line;
  }
  return out;
}

}  // namespace

std::string render_text_diff(const SchemaFiles& before, const SchemaFiles& after) {
  std::map<std::string_view, std::pair<std::string_view, std::string_view>> files;
  for (const SchemaFile& file : before) files[file.name].first = file.content;
  for (const SchemaFile& file : after) files[file.name].second = file.content;
  std::string out;
  std::size_t remaining_cells = cells_max;
  for (const auto& [name, texts] : files) {
    if (texts.first == texts.second) continue;
    out += fmt::format(
        "{}\n{}\n", name,
        render_hunks(changes_of(lines_of(texts.first), lines_of(texts.second), remaining_cells)));
  }
  return out;
}

}  // namespace mayfly::fauna
