// Scanner: reads the texts of times from their front, character by character.
#pragma once

#include <string_view>

namespace mayfly {

// Reads from the front; whatever does not fit makes `ok` false for good.
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
  // Whether one of these characters comes next; never once `ok` is false, so that loops end.
  bool at_any(std::string_view of) const {
    return ok && !rest.empty() && of.find(rest[0]) != std::string_view::npos;
  }
  // One of these characters, taken; or 0.
  char any(std::string_view of) {
    if (!at_any(of)) {
      ok = false;
      return 0;
    }
    const char c = rest[0];
    rest.remove_prefix(1);
    return c;
  }
  // Whether this character came next, and was taken; expect() minds where it did not.
  bool skip(char c) {
    if (!rest.starts_with(c)) return false;
    rest.remove_prefix(1);
    return true;
  }
  void expect(char c) { ok = skip(c) && ok; }
};

}  // namespace mayfly
