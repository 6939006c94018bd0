// Targets of requests: percent-decoding, forms, the match of routes, and parameters that are read
// as values.
//
// The input is a path and, after a question mark, a query string.
#include <set>

#include "base/limits.h"
#include "dialect/centrali/requests/routes.h"
#include "dialect/common/requests/parameters.h"
#include "dialect/native/routes.h"
#include "fuzz.h"
#include "net/router.h"
#include "value/json/tokens.h"

namespace mayfly::fuzz {
namespace {

using net::Match;
using net::Router;

std::string encode_percent(std::string_view text) {
  static constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<std::uint8_t>(c);
    out += {'%', digits[byte >> 4], digits[byte & 15]};
  }
  return out;
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Nothing where an escape is broken.
std::optional<std::string> decode_plainly(std::string_view text, bool plus_is_space) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = digit_of(text[i + 1]), low = digit_of(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      out.push_back(static_cast<char>(high << 4 | low));
      i += 2;
    } else {
      out.push_back(plus_is_space && text[i] == '+' ? ' ' : text[i]);
    }
  }
  return out;
}

void check_decoding(std::string_view text) {
  const auto decoded = net::decode_percent(text);
  const auto expected = decode_plainly(text, false);
  CHECK(decoded.has_value() == (expected && is_utf8(*expected)));
  if (decoded) CHECK(*decoded == *expected);
  const auto all = net::decode_percent(encode_percent(text));
  CHECK(all.has_value() == is_utf8(text));
  if (all) CHECK(*all == text);
}

std::vector<net::Pair> check_form(std::string_view text) {
  const auto pairs = net::decode_form(text);
  if (!pairs) {
    CHECK(pairs.error().code == Code::invalid);
    return {};
  }
  std::string written;
  for (const net::Pair& pair : *pairs) {
    CHECK(is_utf8(pair.first) && is_utf8(pair.second));
    written += "&" + encode_percent(pair.first) + "=" + encode_percent(pair.second);
  }
  CHECK(net::decode_form(written).value() == *pairs);
  return *pairs;
}

struct Table {
  Router router;
  std::vector<std::pair<std::string, std::string>> rows;
};

const Table& native_table() {
  static const Table table = [] {
    Table made;
    for (const native::Route& route : native::routes()) {
      made.router.add(route.method, route.pattern);
      made.rows.emplace_back(route.method, route.pattern);
    }
    made.router.add("GET", "/files/{rest...}");
    made.rows.emplace_back("GET", "/files/{rest...}");
    return made;
  }();
  return table;
}

// The pattern with what was captured in place of the names, escaped.
std::string path_of(std::string_view pattern, const Match& match) {
  std::string path;
  std::size_t capture = 0;
  while (!pattern.empty()) {
    const std::size_t open = std::min(pattern.find('{'), pattern.size());
    path += pattern.substr(0, open);
    pattern.remove_prefix(open);
    if (pattern.empty()) break;
    const std::size_t close = pattern.find('}');
    CHECK(pattern.substr(1).starts_with(match.captured[capture].name));
    path += encode_percent(match.captured[capture++].value);
    pattern.remove_prefix(close + 1);
  }
  return path;
}

void check_route(std::string_view path) {
  if (!net::decode_percent(path)) return;  // which no request lets through
  const Table& table = native_table();
  for (const char* method : {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}) {
    const Match match = table.router.match(method, path);
    if (match.route == Match::none) continue;
    CHECK(match.methods.empty());
    const auto& [row_method, pattern] = table.rows[match.route];
    CHECK(row_method == method || (row_method == "GET" && std::string_view(method) == "HEAD"));
    for (const net::Capture& one : match.captured) CHECK(is_utf8(one.value));
    const Match again = table.router.match(method, path_of(pattern, match));
    CHECK(again.route == match.route && again.captured == match.captured);
  }
  static const centrali::Routes routes;
  for (const char* method : {"GET", "POST", "DELETE"}) {
    const auto found = routes.match(method, path);
    if (found.route != nullptr) CHECK(!found.workspace.empty() && centrali::is_claimed(path));
  }
}

void check_values(const std::vector<net::Pair>& parameters) {
  net::Request request;
  request.parameters = parameters;
  std::set<std::string> names;
  for (const net::Pair& pair : parameters) {
    const bool is_first = names.insert(pair.first).second;
    const auto text = text_parameter(request, pair.first);
    if (!is_first) CHECK(!text.has_value());
    if (!text) continue;
    CHECK(text->value() == pair.second);
    const auto n = parse_integer(pair.second, "n", INT64_MIN, INT64_MAX);
    if (n) {
      CHECK(parse_integer(std::to_string(*n), "n", *n, *n).value() == *n);
      CHECK(*n == INT64_MAX || !parse_integer(pair.second, "n", *n + 1, INT64_MAX).has_value());
    }
    if (const auto t = time_parameter(request, pair.first)) {
      CHECK(**t >= limits::instant_min && **t <= limits::instant_max);
    }
    const auto flag = boolean_parameter(request, pair.first);
    CHECK(flag.has_value() == (pair.second == "true" || pair.second == "false"));
  }
  CHECK(!text_parameter(request, "a name that is not there").value().has_value());
}

}  // namespace

void run(BytesView input) {
  const std::size_t mark = std::min(input.find('?'), input.size());
  const BytesView path = input.substr(0, mark);
  const BytesView query = input.substr(std::min(mark + 1, input.size()));
  check_decoding(path);
  check_decoding(query);
  check_route(path);
  check_values(check_form(query));
}

}  // namespace mayfly::fuzz
