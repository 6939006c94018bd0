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

// --- Segments ---

// No pattern is longer, so only a `{name...}` row can fit a longer path, whose end stays in the
// last segment.
constexpr std::size_t segments_max = 64;

}  // namespace

struct Router::Split {
  boost::container::static_vector<std::string_view, segments_max> raw;
  const char* end = nullptr;
  std::vector<std::string> decoded = {};  // empty where nothing is escaped

  // "/a/b" has two; one slash at the end adds none.
  explicit Split(std::string_view path) {
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
  // From the i-th segment on, slashes included.
  std::string_view rest(std::size_t i) const {
    if (i >= raw.size()) return {};
    return {raw[i].data(), static_cast<std::size_t>(end - raw[i].data())};
  }
};

bool Router::fits(const Row& row, const Split& path) {
  for (std::size_t i = 0; i < row.segments.size(); ++i) {
    const Segment& segment = row.segments[i];
    if (segment.kind == Kind::rest) return true;
    if (i >= path.raw.size()) return false;
    const std::string_view text = path.text(i);
    if (segment.kind == Kind::name ? text.empty() : text != segment.text) return false;
  }
  return row.segments.size() == path.raw.size();
}

// Whether `a` says more about the path than `b`, where both fit it: the first difference decides.
bool Router::is_closer(const Row& a, const Row& b) {
  for (std::size_t i = 0; i < std::min(a.segments.size(), b.segments.size()); ++i) {
    const Kind of_a = a.segments[i].kind, of_b = b.segments[i].kind;
    if (of_a != of_b) return of_a > of_b;
  }
  return a.segments.size() < b.segments.size();  // the longer one ends in a rest that takes nothing
}

Result<std::vector<Pair>> Router::capture(const Row& row, const Split& path) {
  std::vector<Pair> captured;
  captured.reserve(row.segments.size() / 2);
  for (std::size_t i = 0; i < row.segments.size(); ++i) {
    const Segment& segment = row.segments[i];
    if (segment.kind == Kind::literal) continue;
    std::string text =
        segment.kind == Kind::name ? std::string(path.text(i)) : TRY(decode_percent(path.rest(i)));
    captured.emplace_back(segment.text, std::move(text));
  }
  return captured;
}

const std::string& Match::operator[](std::string_view name) const {
  static const std::string none_such;
  for (const Pair& pair : captured) {
    if (pair.first == name) return pair.second;
  }
  return none_such;
}

void Router::add(std::string_view method, std::string_view pattern) {
  const Split split(pattern);
  CHECK(pattern.starts_with('/') && split.raw.size() < segments_max);
  Row row{std::string(method), {}};
  for (std::size_t i = 0; i < split.raw.size(); ++i) {
    std::string_view text = split.raw[i];
    Kind kind = Kind::literal;
    if (text.starts_with('{')) {
      kind = text.ends_with("...}") ? Kind::rest : Kind::name;
      text = text.substr(1, text.size() - (kind == Kind::rest ? 5 : 2));
    }
    row.segments.push_back({kind, std::string(text)});
  }
  rows_.push_back(std::move(row));
}

Match Router::match(std::string_view method, std::string_view path) const {
  Match match;
  Split split(path);
  if (path.find('%') != std::string_view::npos && !split.decode()) return match;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].method != method || !fits(rows_[i], split)) continue;
    if (match.route == Match::none || is_closer(rows_[i], rows_[match.route])) match.route = i;
  }
  if (match.route == Match::none) {
    for (const Row& row : rows_) {
      if (fits(row, split)) match.methods.push_back(row.method);
    }
    const auto& methods = match.methods;
    const bool is_read = std::find(methods.begin(), methods.end(), "GET") != methods.end();
    return method == "HEAD" && is_read ? this->match("GET", path) : match;
  }
  auto captured = capture(rows_[match.route], split);
  if (!captured) return {};
  match.captured = std::move(*captured);
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
