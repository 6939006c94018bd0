#include "dialect/kuzzle/search/source_filter.h"

#include <algorithm>
#include <string_view>

#include "dialect/kuzzle/search/limits.h"

namespace mayfly::kuzzle::search {
namespace {

Result<std::vector<std::string>> patterns_of(const Value& value, const std::string& place) {
  std::vector<std::string> patterns;
  if (value.is_missing() || value.is_null()) return patterns;
  for (const Value& item : value.is(Kind::array) ? value.array() : Array{value}) {
    if (!item.is(Kind::text)) return fail(Code::invalid, place + " takes names of fields", place);
    if (item.text().size() > limits::search_source_pattern_bytes_max) {
      return fail(Code::too_large, place + " has too long a pattern", place);
    }
    patterns.push_back(item.text());
  }
  if (patterns.size() <= limits::search_source_patterns_max) return patterns;
  return fail(Code::too_large, place + " has too many patterns", place);
}

// How a dotted path matches a pattern.
enum class Fit { none, above, whole };  // above: a path below it may match

// * stands for any characters. A path below a match matches.
Fit fit(std::string_view pattern, std::string_view path) {
  // The states of the pattern that the characters so far may have led to.
  std::vector<bool> at(pattern.size() + 1);
  const auto close = [&](std::vector<bool>& states) {
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      if (states[i] && pattern[i] == '*') states[i + 1] = true;
    }
  };
  at[0] = true;
  close(at);
  for (std::size_t p = 0; p <= path.size(); ++p) {
    const bool ends_name = p == path.size() || path[p] == '.';
    if (ends_name && at[pattern.size()]) return Fit::whole;
    const char c = p == path.size() ? '.' : path[p];
    std::vector<bool> next(pattern.size() + 1);
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      if (!at[i]) continue;
      if (pattern[i] == '*') next[i] = true;
      if (pattern[i] == c) next[i + 1] = true;
    }
    close(next);
    at = std::move(next);
  }
  return std::find(at.begin(), at.end(), true) == at.end() ? Fit::none : Fit::above;
}

Result<Fit> best(const std::vector<std::string>& patterns, std::string_view path, Meter& meter) {
  Fit found = Fit::none;
  for (const std::string& pattern : patterns) {
    TRY(meter.tick(static_cast<std::uint32_t>(path.size()) + 1));
    found = std::max(found, fit(pattern, path));
  }
  return found;
}

class Filtering {
 public:
  Filtering(const SourceFilter& filter, Meter& meter) : filter_(filter), meter_(meter) {}

  // The filtered value at the path; missing if nothing is left.
  Result<Value> of(const Value& value, const std::string& path, bool is_included) const {
    if (value.is(Kind::array)) {
      Array filtered;
      for (const Value& item : value.array()) {
        TRY(meter_.tick());
        Value left = TRY(of(item, path, is_included));
        if (!left.is_missing()) filtered.push_back(std::move(left));
      }
      return filtered.empty() && !value.array().empty() ? Value() : Value(std::move(filtered));
    }
    if (!value.is(Kind::object)) return is_included ? value : Value();
    Object filtered;
    for (const auto& [name, member] : value.object()) {
      const std::string below = path.empty() ? name : path + "." + name;
      TRY(meter_.tick());
      if (TRY(best(filter_.excludes, below, meter_)) == Fit::whole) continue;
      const Fit included = is_included ? Fit::whole : TRY(best(filter_.includes, below, meter_));
      if (included == Fit::none) continue;
      Value left = TRY(of(member, below, included == Fit::whole));
      if (!left.is_missing()) filtered.append(name, std::move(left));
    }
    return filtered.empty() && !path.empty() && !is_included ? Value() : Value(std::move(filtered));
  }

 private:
  const SourceFilter& filter_;
  Meter& meter_;
};

}  // namespace

Result<SourceFilter> SourceFilter::parse(const Value& source) {
  SourceFilter filter;
  if (source.is_missing() || source.is_null()) return filter;
  if (source.is(Kind::boolean)) {
    filter.shows = source.boolean();
    return filter;
  }
  if (!source.is(Kind::object)) {
    filter.includes = TRY(patterns_of(source, "_source"));
    return filter;
  }
  for (const auto& [name, value] : source.object()) {
    if (name == "includes" || name == "include") {
      filter.includes = TRY(patterns_of(value, "_source." + name));
    } else if (name == "excludes" || name == "exclude") {
      filter.excludes = TRY(patterns_of(value, "_source." + name));
    } else {
      return fail(Code::invalid, "_source." + name + " is not known", "_source." + name);
    }
  }
  return filter;
}

Result<Value> SourceFilter::of(const Value& body, Meter& meter) const {
  if (shows_all()) return body;
  if (!shows) return Value();
  return Filtering(*this, meter).of(body, "", includes.empty());
}

}  // namespace mayfly::kuzzle::search
