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

// What a {name} of a pattern stands for in a path.
struct Capture {
  std::string_view name;  // the router's, which outlives the match
  std::string value;      // decoded

  bool operator==(const Capture&) const = default;
};

// No pattern captures more, which add() checks; so a match costs no allocation, but for long
// segments.
inline constexpr std::size_t captures_max = 6;
using Captures = boost::container::static_vector<Capture, captures_max>;
// No pattern is longer, so only a `{name...}` row can fit a longer path, whose end stays in the
// last segment.
inline constexpr std::size_t segments_max = 64;

struct Match {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t route = none;  // the row's place in the table; none where no pattern fits
  Captures captured;
  std::vector<std::string>
      methods;  // where only the method does not fit: those that would (for Allow)

  // The captured segment; empty if the pattern has none of that name.
  const std::string& operator[](std::string_view name) const;
};

// Threads: immutable after the last add(), then any.
class Router {
 public:
  // Rows keep the order of adding; a literal segment wins over a {name} where both fit. HEAD is
  // answered by a GET row where it has none of its own. A slash at the end of a path is ignored.
  // Where an escape is broken nothing fits.
  void add(std::string_view method, std::string_view pattern);
  Match match(std::string_view method, std::string_view path) const;

 private:
  // What a pattern's segment is, in the order in which they win over each other.
  enum class Kind : std::uint8_t { rest, name, literal };
  struct Segment {
    Kind kind;
    std::string text;  // without the braces
  };
  struct Row {
    std::size_t route;
    std::string method;
    std::vector<Segment> segments;
  };
  using Rows = std::vector<Row>;
  struct Split;
  static bool fits(const Row& row, const Split& path);
  static bool is_closer(const Row& a, const Row& b);
  static Result<void> capture(const Row& row, const Split& path, Match& match);
  static void find(const Rows& rows, std::string_view method, const Split& path, const Row*& found);
  static void find_methods(const Rows& rows, const Split& path, Match& match);

  // A path is held against the few rows that are as long as it is, and those that end in a rest.
  std::array<Rows, segments_max + 1> of_length_;
  Rows with_rest_;
  std::size_t routes_ = 0;
};

// Percent-decodes; '+' stays. Fails with invalid for a broken escape or text that is not UTF-8.
Result<std::string> decode_percent(std::string_view text);
// Splits and decodes `a=1&b=2`; '+' is a space. Fails with invalid, naming the parameter.
Result<std::vector<Pair>> decode_form(std::string_view text);

}  // namespace mayfly::net
