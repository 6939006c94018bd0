// Routing: a table of method and pattern. A pattern's segments are literal or {name}; the last may
// be {name...}, which takes the rest of the path. Segments are percent-decoded after splitting, so
// an encoded slash stays inside its segment.
#pragma once

#include <array>
#include <boost/container/static_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "net/message.h"

namespace mayfly::net {

// The text of a path that a {name} of a pattern matches.
struct Capture {
  std::string_view name;  // owned by the router, which outlives the match
  std::string value;      // decoded

  bool operator==(const Capture&) const = default;
};

// No pattern has more captures, which add() checks. So a match allocates memory only for long
// segments.
inline constexpr std::size_t captures_max = 6;
using Captures = boost::container::static_vector<Capture, captures_max>;
// No pattern has more segments. So only a pattern with `{name...}` matches a longer path, whose
// remainder stays in the last segment.
inline constexpr std::size_t segments_max = 64;

struct Match {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t route = none;  // the number of the row in the table; none if no pattern matches
  Captures captured;
  std::vector<std::string>
      methods;  // if only the method does not match: those that would (for Allow), each once

  // The captured segment; empty if the pattern has none of that name.
  const std::string& operator[](std::string_view name) const;
};

// Threads: immutable after the last add(), then any.
class Router {
 public:
  // Rows are numbered in the order of adding. A literal segment takes precedence over a {name}. A
  // GET row also answers HEAD, unless there is a HEAD row. A slash at the end of a path is ignored.
  // A path with a malformed escape matches nothing.
  void add(std::string_view method, std::string_view pattern);
  Match match(std::string_view method, std::string_view path) const;

 private:
  // The kind of a pattern's segment, in ascending order of precedence.
  enum class Kind : std::uint8_t { rest, name, literal };
  struct Segment {
    Kind kind;
    std::string text;  // without the braces
  };
  struct RouteRow {
    std::size_t route;
    std::string method;
    std::vector<Segment> segments;
  };
  using RouteRows = std::vector<RouteRow>;
  struct SplitPath;
  static bool matches(const RouteRow& row, const SplitPath& path);
  static bool is_more_specific(const RouteRow& a, const RouteRow& b);
  static Result<void> capture(const RouteRow& row, const SplitPath& path, Match& match);
  static void find(const RouteRows& rows, std::string_view method, const SplitPath& path,
                   const RouteRow*& found);
  static void find_methods(const RouteRows& rows, const SplitPath& path, Match& match);

  // A path is compared only with the rows that have as many segments, and with those that end in
  // {name...}.
  std::array<RouteRows, segments_max + 1> of_length_;
  RouteRows with_rest_;
  std::size_t routes_ = 0;
};

// Percent-decodes; '+' stays. Fails with invalid for a broken escape or text that is not UTF-8.
Result<std::string> decode_percent(std::string_view text);
// Splits and decodes `a=1&b=2`; '+' is a space. Fails with invalid, naming the parameter.
Result<std::vector<Pair>> decode_form(std::string_view text);

}  // namespace mayfly::net
