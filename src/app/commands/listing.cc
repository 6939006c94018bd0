// Tables and lines of JSON.
#include "app/commands/listing.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdio>

#include "base/limits.h"
#include "value/json/json.h"

namespace mayfly::app {
namespace {

// Width in columns of a terminal: one for each character, not for each byte.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

bool is_plain(const std::string& text) {
  return !text.empty() && std::none_of(text.begin(), text.end(),
                                       [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; });
}

}  // namespace

void add_format(CLI::App& verb, Format& format) {
  verb.add_flag_callback(
      "--json", [&format] { format = Format::json; },
      "Print each row as a line of JSON instead of a table.");
}

std::string cell_text(const Value& value) {
  if (value.is_missing() || value.is_null()) return "-";
  if (value.is(Kind::text) && is_plain(value.text())) return value.text();
  return render_json(value);
}

Listing::Listing(Format format, std::vector<std::string> titles)
    : format_(format), rows_{std::move(titles)} {}

void Listing::add(const Value& row, std::vector<std::string> cells) {
  if (format_ == Format::json) {
    std::printf("%s\n", render_json(row).c_str());
  } else {
    rows_.push_back(std::move(cells));
  }
}

void Listing::finish() {
  if (format_ == Format::json) return;
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      // The last column is not padded.
      if (i + 1 < row.size()) line.append(widths[i] - width_of(row[i]) + 2, ' ');
    }
    std::printf("%s\n", line.c_str());
  }
}

Result<void> for_each_row(const Remote& remote, const std::string& path, const std::string& name,
                          const RowConsumer& consume) {
  const std::string first = path + "?limit=" + std::to_string(limits::page_rows_max);
  std::string page;
  do {
    const Value answer = TRY(call_api(remote, {.path = first + page}));
    const Value rows = answer.member(name), next = answer.member("next");
    if (!rows.is(Kind::array)) return fail(Code::internal, "that is not a Mayfly server");
    for (const Value& row : rows.array()) TRY(consume(row));
    page = next.is(Kind::text) ? "&page=" + escaped(next.text()) : "";
  } while (!page.empty());
  return {};
}

}  // namespace mayfly::app
