// Routing: a table of method and pattern. A pattern's segments are literal or {name}; the last may
// be {name...}, which takes the rest of the path. Segments are percent-decoded after splitting, so
// an encoded slash stays inside its segment.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "net/message.h"

namespace mayfly::net {

struct Match {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t route = none;    // the row's place in the table; none where no pattern fits
  std::vector<Pair> captured;  // {name} -> decoded segment
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
    std::string method;
    std::vector<Segment> segments;
  };
  struct Split;
  static bool fits(const Row& row, const Split& path);
  static bool is_closer(const Row& a, const Row& b);
  static Result<std::vector<Pair>> capture(const Row& row, const Split& path);
  std::vector<Row> rows_;
};

// Percent-decodes; '+' stays. Fails with invalid for a broken escape or text that is not UTF-8.
Result<std::string> decode_percent(std::string_view text);
// Splits and decodes `a=1&b=2`; '+' is a space. Fails with invalid, naming the parameter.
Result<std::vector<Pair>> decode_form(std::string_view text);

}  // namespace mayfly::net
