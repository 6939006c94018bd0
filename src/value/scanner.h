// Scanner: reads texts of times from the front, character by character.
#pragma once

#include <string_view>

namespace mayfly {

// Reads from the front; input that does not match sets `ok` to false for good.
struct Scanner {
  std::string_view rest;
  bool ok = true;

  int digits(int count) {
    int number = 0;
    for (int i = 0; i < count; ++i) {
      if (rest.empty() || rest[0] < '0' || rest[0] > '9') ok = false;
      if (!ok) return 0;
      number = number * 10 + (rest[0] - '0');
      rest.remove_prefix(1);
    }
    return number;
  }
  // Whether one of these characters comes next; always false once `ok` is false, so that loops end.
  bool at_any(std::string_view of) const {
    return ok && !rest.empty() && of.find(rest[0]) != std::string_view::npos;
  }
  // Consumes one of these characters; 0 if none of them comes next.
  char any(std::string_view of) {
    if (!at_any(of)) {
      ok = false;
      return 0;
    }
    const char c = rest[0];
    rest.remove_prefix(1);
    return c;
  }
  // Consumes this character if it comes next, and returns whether it did; expect() fails if it did
  // not.
  bool skip(char c) {
    if (!rest.starts_with(c)) return false;
    rest.remove_prefix(1);
    return true;
  }
  void expect(char c) { ok = skip(c) && ok; }
};

}  // namespace mayfly
