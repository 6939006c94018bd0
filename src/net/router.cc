// Routing and percent-decoding.
#include "net/router.h"

#include <algorithm>
#include <boost/container/static_vector.hpp>
#include <boost/url/pct_string_view.hpp>
#include <cstddef>
#include <utility>

#include "base/check.h"
#include "net/utf8.h"

namespace mayfly::net {
namespace {

// --- Percent-decoding ---

Result<std::string> decode(std::string_view text, bool plus_is_space) {
  std::string decoded;
  const bool has_plus = plus_is_space && text.find('+') != std::string_view::npos;
  if (!has_plus && text.find('%') == std::string_view::npos) {
    decoded = text;
  } else {
    const auto escaped = boost::urls::make_pct_string_view({text.data(), text.size()});
    if (!escaped) return fail(Code::invalid, "a percent sign must be followed by two hex digits");
    decoded = escaped->decode(boost::urls::encoding_opts(plus_is_space));
  }
  if (!is_utf8(decoded)) return fail(Code::invalid, "the text is not UTF-8");
  return decoded;
}

}  // namespace

struct Router::SplitPath {
  boost::container::static_vector<std::string_view, segments_max> raw;
  const char* end = nullptr;
  std::vector<std::string> decoded = {};  // empty if nothing is escaped

  // "/a/b" has two segments; one slash at the end adds none.
  explicit SplitPath(std::string_view path) {
    if (path.starts_with('/')) path.remove_prefix(1);
    if (path.ends_with('/')) path.remove_suffix(1);
    end = path.data() + path.size();
    std::size_t begin = 0;
    while (begin <= path.size() && !path.empty()) {
      const bool is_last = raw.size() + 1 == segments_max;
      const std::size_t slash = is_last ? std::string_view::npos : path.find('/', begin);
      const std::size_t stop = std::min(slash, path.size());
      raw.push_back(path.substr(begin, stop - begin));
      begin = stop + 1;
    }
  }

  Result<void> decode() {
    for (const std::string_view text : raw) decoded.push_back(TRY(decode_percent(text)));
    return {};
  }
  std::string_view text(std::size_t i) const { return decoded.empty() ? raw[i] : decoded[i]; }
  // The path from the i-th segment on, with its slashes.
  std::string_view rest(std::size_t i) const {
    if (i >= raw.size()) return {};
    return {raw[i].data(), static_cast<std::size_t>(end - raw[i].data())};
  }
};

bool Router::matches(const RouteRow& row, const SplitPath& path) {
  for (std::size_t i = 0; i < row.segments.size(); ++i) {
    const Segment& segment = row.segments[i];
    if (segment.kind == Kind::rest) return true;
    if (i >= path.raw.size()) return false;
    const std::string_view text = path.text(i);
    if (segment.kind == Kind::name ? text.empty() : text != segment.text) return false;
  }
  return row.segments.size() == path.raw.size();
}

// Whether `a` matches the path more specifically than `b`, if both match: the first difference
// decides.
bool Router::is_more_specific(const RouteRow& a, const RouteRow& b) {
  for (std::size_t i = 0; i < std::min(a.segments.size(), b.segments.size()); ++i) {
    const Kind of_a = a.segments[i].kind, of_b = b.segments[i].kind;
    if (of_a != of_b) return of_a > of_b;
  }
  return a.segments.size() < b.segments.size();  // the longer one ends in an empty {name...}
}

Result<void> Router::capture(const RouteRow& row, const SplitPath& path, Match& match) {
  for (std::size_t i = 0; i < row.segments.size(); ++i) {
    const Segment& segment = row.segments[i];
    if (segment.kind == Kind::literal) continue;
    std::string text =
        segment.kind == Kind::name ? std::string(path.text(i)) : TRY(decode_percent(path.rest(i)));
    match.captured.push_back({segment.text, std::move(text)});
  }
  return {};
}

const std::string& Match::operator[](std::string_view name) const {
  static const std::string none_such;
  for (const Capture& one : captured) {
    if (one.name == name) return one.value;
  }
  return none_such;
}

void Router::add(std::string_view method, std::string_view pattern) {
  const SplitPath segments(pattern);
  CHECK(pattern.starts_with('/') && segments.raw.size() < segments_max);
  RouteRow row{routes_++, std::string(method), {}};
  bool has_rest = false;
  std::size_t captures = 0;
  for (std::size_t i = 0; i < segments.raw.size(); ++i) {
    std::string_view text = segments.raw[i];
    Kind kind = Kind::literal;
    if (text.starts_with('{')) {
      kind = text.ends_with("...}") ? Kind::rest : Kind::name;
      has_rest |= kind == Kind::rest;
      ++captures;
      text = text.substr(1, text.size() - (kind == Kind::rest ? 5 : 2));
    }
    row.segments.push_back({kind, std::string(text)});
  }
  CHECK(captures <= captures_max);
  const std::size_t length = row.segments.size();
  (has_rest ? with_rest_ : of_length_[length]).push_back(std::move(row));
}

void Router::find(const RouteRows& rows, std::string_view method, const SplitPath& path,
                  const RouteRow*& found) {
  for (const RouteRow& row : rows) {
    if (row.method != method || !matches(row, path)) continue;
    if (found == nullptr || is_more_specific(row, *found)) found = &row;
  }
}

void Router::find_methods(const RouteRows& rows, const SplitPath& path, Match& match) {
  for (const RouteRow& row : rows) {
    const bool is_known = std::ranges::find(match.methods, row.method) != match.methods.end();
    if (!is_known && matches(row, path)) match.methods.push_back(row.method);
  }
}

Match Router::match(std::string_view method, std::string_view path) const {
  Match match;
  SplitPath segments(path);
  if (path.find('%') != std::string_view::npos && !segments.decode()) return match;
  const RouteRows& of_same_length = of_length_[segments.raw.size()];
  const auto find_row = [&](std::string_view wanted_method) {
    const RouteRow* found = nullptr;
    find(of_same_length, wanted_method, segments, found);
    find(with_rest_, wanted_method, segments, found);
    return found;
  };
  const RouteRow* row = find_row(method);
  if (row == nullptr && method == "HEAD") row = find_row("GET");
  if (row == nullptr) {
    find_methods(of_same_length, segments, match);
    find_methods(with_rest_, segments, match);
    return match;
  }
  if (!capture(*row, segments, match)) return {};
  match.route = row->route;
  return match;
}

Result<std::string> decode_percent(std::string_view text) {
  return decode(text, false);
}

Result<std::vector<Pair>> decode_form(std::string_view text) {
  std::vector<Pair> pairs;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    if (part.empty()) continue;
    const std::string_view name = part.substr(0, part.find('='));
    const std::string_view value = part.substr(std::min(name.size() + 1, part.size()));
    auto decoded_name = decode(name, true);
    auto decoded_value = decode(value, true);
    for (const auto* decoded : {&decoded_name, &decoded_value}) {
      if (!*decoded) return fail(Code::invalid, decoded->error().message, std::string(name));
    }
    pairs.emplace_back(std::move(*decoded_name), std::move(*decoded_value));
  }
  return pairs;
}

}  // namespace mayfly::net
